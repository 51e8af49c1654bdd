// Delays along time, and their gradients: each feature of rows [T, B, P] has its own delay, which
// is spread over time steps by taps. A block has some features of a sample over all steps. It reads
// each row once, in the order of time, and keeps the last ones in shared memory: neighbouring
// features read different steps there, which in memory would be a row each. Between two barriers a
// thread has a run of time steps of kVector features.
#pragma once

#include <popsnn/device/block.cuh>
#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kDelayThreads = 256;

enum Spread { kNoSpread = 0, kStraightThrough = 1, kTriangle = 2, kGaussian = 3 };

// What a pass makes of the taps' slopes: nothing; rows, which say what a delay's change adds to the
// output; or their sums over steps, times x.
enum Slopes { kNoSlopes = 0, kSlopeRows = 1, kSlopeSums = 2 };

struct DelayedArguments {
  const void* x;        // [T, B, P]; of the backward pass also, where delays have a gradient
                        // float [T, B, P] of dense spikes with kSpikes: what is not 0 fired
  const void* before;   // [D, B, P], the steps before the first, or none: zeros
  const void* grad;     // [T, B, P], of the output
  const float* delays;  // [F]
  void* out;            // [T, B, P]; of the backward pass the gradient of x, or none
  void* out_before;     // [D, B, P], the gradient of `before`, or none
  float* out_delays;    // [F, B], the gradient of the delays by sample, or none
  void*
      out_slopes;  // [T, B, P], of the forward pass the output's derivative by the delays, or none
  int steps;       // T
  int batch;       // B
  int features;    // F: what lies behind is padding
  int row;         // P
  int maximum;     // D
  int minimum;
  int window;  // taps a feature that may be other than 0
  int ring;    // rows in shared memory, a power of two, at least D plus a chunk's steps
  int lanes;   // threads that have the same steps, a power of two
  int each;    // steps that a thread has between two barriers
  float width;
};

// Half to the even neighbour, of 0 <= x < 2^22.
POPSNN_DEVICE float rounded_delay(float x) { return (x + 8388608.0f) - 8388608.0f; }

POPSNN_DEVICE int ceiling(float x) {
  const int whole = static_cast<int>(x);
  return static_cast<float>(whole) < x ? whole + 1 : whole;
}

// Whether the delay is in the range to which it is clamped.
POPSNN_DEVICE bool within(const DelayedArguments& a, float delay) {
  return delay >= static_cast<float>(a.minimum) && delay <= static_cast<float>(a.maximum);
}

// The taps of a feature: `window` weights from tap `first` on, and their slopes by the delay.
struct Taps {
  float* weights;  // in shared memory, a column for each feature
  float* slopes;   // likewise, or none
  int stride;
  int first;

  POPSNN_DEVICE float& weight(int i) const { return weights[i * stride]; }
  POPSNN_DEVICE float& slope(int i) const { return slopes[i * stride]; }
};

template <int kSpread>
POPSNN_DEVICE void make_taps(const DelayedArguments& a, Taps& taps, float delay) {
  const float low = static_cast<float>(a.minimum);
  const float high = static_cast<float>(a.maximum);
  const bool inside = within(a, delay);
  const bool number = delay == delay;
  if (!inside) delay = delay > high ? high : low;
  float from = rounded_delay(delay);
  if constexpr (kSpread == kStraightThrough) from -= a.window > 1 ? 1.0f : 0.0f;
  if constexpr (kSpread == kTriangle) from = delay - 1.0f - a.width;
  // Farther taps are below 2^-150 of the nearest one, which is at most half a step away.
  if constexpr (kSpread == kGaussian) from = delay - 14.5f * a.width - 0.5f;
  const int last = a.maximum + 1 - a.window;
  const int start = from < -1.0f ? 0 : ceiling(from);
  taps.first = start < 0 ? 0 : start > last ? last : start;
  const float nearest = rounded_delay(delay);
  const float nearest_distance = nearest - delay;
  float sum = 0.0f;
  float sum_of_slopes = 0.0f;
  for (int i = 0; i < a.window; ++i) {
    const float distance = static_cast<float>(taps.first + i) - delay;
    const float offset = static_cast<float>(taps.first + i) - nearest;
    float weight;
    float slope = 0.0f;
    if constexpr (kSpread == kTriangle) {
      const float scale = 1.0f / (1.0f + a.width);
      // A difference that is exact at the corner: of 1 - |distance| scale a GPU rounds once, so
      // that with a width of 6 a distance of 7 is no corner.
      const float above = 1.0f + a.width - (distance < 0.0f ? -distance : distance);
      weight = above > 0.0f ? above * scale : 0.0f;
      // At a corner the mean of both sides.
      const float part = above > 0.0f ? 1.0f : above == 0.0f ? 0.5f : 0.0f;
      slope = distance > 0.0f ? part * scale : distance < 0.0f ? -part * scale : 0.0f;
    } else if constexpr (kSpread == kGaussian) {
      // Relative to the nearest step, whose term is so 1 and not below what a float holds. Of the
      // squares' difference in factors little is rounded where narrow Gaussians make it large.
      const float squares = (nearest_distance - distance) * (nearest_distance + distance);
      weight = exp(0.5f * squares / a.width / a.width);
      slope = offset;  // until the sum is known
    } else {
      weight = offset == 0.0f ? 1.0f : 0.0f;
      slope = offset == 1.0f ? 0.5f : offset == -1.0f ? -0.5f : 0.0f;
    }
    sum += weight;
    sum_of_slopes += kSpread == kGaussian ? weight * slope : slope;
    taps.weight(i) = weight;
    if (taps.slopes != nullptr) taps.slope(i) = slope;
  }
  // Of fixed delays that are not whole or out of the range, and of those that are no number.
  const bool wrong = kSpread == kNoSpread ? !inside || nearest != delay : !number;
  for (int i = 0; i < a.window; ++i) {
    float& weight = taps.weight(i);
    if constexpr (kSpread == kTriangle || kSpread == kGaussian) weight /= sum;
    if (taps.slopes != nullptr) {
      float& slope = taps.slope(i);
      if constexpr (kSpread == kTriangle) slope = (slope - weight * sum_of_slopes) / sum;
      // The derivative weight (k - mean) / width^2, with both measured from the nearest step.
      // Distances from the delay, summed, would cancel where the Gaussian is narrow.
      if constexpr (kSpread == kGaussian) {
        slope = weight * (slope - sum_of_slopes / sum) / a.width / a.width;
      }
    }
    if (wrong) weight = bits_to_float(0x7fc00000u);
  }
}

// The features of a thread, and where the block's shared memory has them: [window][columns]
// weights, with kSlopes as many slopes, [columns] first taps, [ring][columns] rows, and in
// the backward pass with slopes [chunk][columns] rows of x. A thread has kVector features, and
// copies kBytes at a time.
template <class T, int kVector, int kBytes>
struct DelayedColumns {
  const DelayedArguments& a;
  int sample;
  int lane;
  int group;  // of the threads that have the same steps
  int groups;
  int chunk;    // steps of all groups between two barriers
  int columns;  // features of the block
  int begin;    // the first of them
  float* taps;
  int* first;
  Row<T, kVector>* ring;
  Row<T, kVector>* x;
  long long origin;     // of the thread's features in rows [.., B, P]
  long long over_time;  // from there to the next step

  POPSNN_DEVICE DelayedColumns(const DelayedArguments& arguments, int tap_rows) : a(arguments) {
    columns = a.lanes * kVector;
    const int blocks = (a.row + columns - 1) / columns;
    sample = static_cast<int>(block_index() / blocks);
    begin = static_cast<int>(block_index() % blocks) * columns;
    lane = thread_index() & (a.lanes - 1);
    group = thread_index() / a.lanes;
    groups = kDelayThreads / a.lanes;
    chunk = groups * a.each;
    taps = reinterpret_cast<float*>(shared_memory());
    first = reinterpret_cast<int*>(taps + tap_rows * columns);
    ring = reinterpret_cast<Row<T, kVector>*>(first + columns);
    x = ring + a.ring * a.lanes;
    origin = (static_cast<long long>(sample) * a.row + feature()) / kVector;
    over_time = static_cast<long long>(a.batch) * a.row / kVector;
  }
  POPSNN_DEVICE int feature() const { return begin + lane * kVector; }
  POPSNN_DEVICE bool inside() const { return feature() < a.row; }
  // Starts to copy rows [.., B, P] of the steps from `from` to `to`, whose row 0 is that of step
  // `zero`, to the rows (step - offset) & mask; without rows these become zeros.
  POPSNN_DEVICE void copy(Row<T, kVector>* to_rows, int offset, int mask, const void* rows,
                          int zero, int from, int to) const {
    constexpr int kElements = kBytes / static_cast<int>(sizeof(T));
    const int units = columns / kElements;
    const int unit = thread_index() & (units - 1);
    const int feature = begin + unit * kElements;
    if (feature >= a.row) return;
    const auto* source = static_cast<const Raw<kBytes>*>(rows);
    auto* target = reinterpret_cast<Raw<kBytes>*>(to_rows) + unit;
    for (int t = from + thread_index() / units; t < to; t += kDelayThreads / units) {
      Raw<kBytes>& copied = target[((t - offset) & mask) * units];
      if (rows == nullptr) {
        copied = Raw<kBytes>{};
        continue;
      }
      const long long at = (static_cast<long long>(t - zero) * a.batch + sample) * a.row + feature;
      if constexpr (kBytes == 2) {
        copied = source[at];
      } else {
        copy_async<kBytes>(&copied, source + at / kElements);
      }
    }
  }
  POPSNN_DEVICE void copy_to_ring(const void* rows, int zero, int from, int to) const {
    copy(ring, 0, a.ring - 1, rows, zero, from, to);
  }
  // Rows of x; with kSpikes of 1 where it is not 0. Then a thread's loads do not wait for each
  // other.
  template <bool kSpikes>
  POPSNN_DEVICE void copy_x_to_ring(int from, int to) const {
    if constexpr (!kSpikes) {
      copy_to_ring(a.x, 0, from, to);
    } else {
      constexpr int kElements = kBytes / static_cast<int>(sizeof(T));
      constexpr int kAtOnce = 2;
      const int units = columns / kElements;
      const int unit = thread_index() & (units - 1);
      const int feature = begin + unit * kElements;
      if (feature >= a.row) return;
      const auto* source = static_cast<const float*>(a.x);
      auto* target = reinterpret_cast<Row<T, kElements>*>(ring) + unit;
      const int apart = kDelayThreads / units;
      for (int first = from + thread_index() / units; first < to; first += kAtOnce * apart) {
        float values[kAtOnce][kElements];
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
          const int t = first + i * apart < to ? first + i * apart : first;
          load<kElements, true>(
              source + (static_cast<long long>(t) * a.batch + sample) * a.row + feature, values[i],
              kElements);
        }
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
          const int t = first + i * apart;
#pragma unroll
          for (int j = 0; j < kElements; ++j) values[i][j] = values[i][j] != 0.0f ? 1.0f : 0.0f;
          if (t < to) target[(t & (a.ring - 1)) * units] = pack_row<T, kElements>(values[i]);
        }
      }
    }
  }
  // The thread's features of a step in rows [.., B, P].
  POPSNN_DEVICE Row<T, kVector>* at(void* rows, int step) const {
    return static_cast<Row<T, kVector>*>(rows) + origin + step * over_time;
  }
};

POPSNN_DEVICE void finish_copies() {
  commit_copies();
  wait_for_copies<0>();
  sync_block();
}

// Makes the taps of the block's features.
template <int kSpread, int kSlopes, class Columns>
POPSNN_DEVICE void make_columns(const DelayedArguments& a, const Columns& own) {
  for (int column = thread_index(); column < own.columns; column += kDelayThreads) {
    const int feature = own.begin + column;
    float* slopes = kSlopes != kNoSlopes ? own.taps + a.window * own.columns + column : nullptr;
    Taps taps{own.taps + column, slopes, own.columns, 0};
    const float delay = feature < a.features ? a.delays[feature] : static_cast<float>(a.minimum);
    make_taps<kSpread>(a, taps, delay);
    if constexpr (kSlopes == kSlopeRows) {
      for (int i = 0; i < a.window && !within(a, delay); ++i) taps.slope(i) = 0.0f;
    }
    own.first[column] = taps.first;
  }
}

// The weights and slopes of a feature's taps, the values of as many steps, and the sums over steps
// of each tap's values times x. Those of a few taps are in registers, and a further step loads one
// value.
template <int kWindow>
struct TapWindow {
  float weights[kWindow];
  float slopes[kWindow];
  float values[kWindow];
  float sums[kWindow];

  POPSNN_DEVICE void push(float value) {
#pragma unroll
    for (int i = kWindow - 1; i > 0; --i) values[i] = values[i - 1];
    values[0] = value;
  }
  POPSNN_DEVICE float sum(const float (&factors)[kWindow]) const {
    float total = 0.0f;
#pragma unroll
    for (int i = 0; i < kWindow; ++i) total = fma(factors[i], values[i], total);
    return total;
  }
  POPSNN_DEVICE void add(float x) {
#pragma unroll
    for (int i = 0; i < kWindow; ++i) sums[i] = fma(x, values[i], sums[i]);
  }
};

template <>
struct TapWindow<0> {
  float of_delay;
};

// A thread's walk over its steps, forward in time where kDirection is 1: then taps reach back, and
// else ahead.
template <class T, int kVector, int kBytes, int kWindow, int kSlopes, int kDirection>
struct DelayedWalk {
  const DelayedColumns<T, kVector, kBytes>& own;
  const Row<T, 1>* values;  // the ring's
  int mask;
  int at[kVector];  // the first tap's value of the next step
  TapWindow<kWindow> windows[kVector];

  POPSNN_DEVICE explicit DelayedWalk(const DelayedColumns<T, kVector, kBytes>& columns)
      : own(columns),
        values(reinterpret_cast<const Row<T, 1>*>(columns.ring)),
        mask(columns.a.ring * columns.columns - 1),
        windows{} {}

  POPSNN_DEVICE int column(int j) const { return own.lane * kVector + j; }
  // Loads the weights and slopes of few taps, once all are in shared memory.
  POPSNN_DEVICE void read_weights() {
    if constexpr (kWindow > 0) {
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
#pragma unroll
        for (int i = 0; i < kWindow; ++i) {
          windows[j].weights[i] = own.taps[i * own.columns + column(j)];
          if constexpr (kSlopes == kSlopeRows) {
            windows[j].slopes[i] = own.taps[(kWindow + i) * own.columns + column(j)];
          }
        }
      }
    }
  }
  POPSNN_DEVICE float value(int j, int tap) const {
    float value[1];
    unpack<T, 1>(values[(at[j] - kDirection * tap * own.columns) & mask], value);
    return value[0];
  }
  POPSNN_DEVICE float sum(int j, int row) const {
    float total = 0.0f;
    for (int i = 0; i < own.a.window; ++i) {
      total = fma(own.taps[(row + i) * own.columns + column(j)], value(j, i), total);
    }
    return total;
  }
  // Takes `steps` from `step` on. Writes the taps' sums to rows [.., B, P], whose row 0 is
  // that of step `zero`, where there are any, and kSlopeRows: those of the slopes to `slopes`, of
  // the same shape. kSlopeSums: adds up the sums times x, the first of which is at `x`.
  POPSNN_DEVICE void take(int step, int steps, void* rows, int zero, void* slopes,
                          const Row<T, kVector>* x) {
    if (steps <= 0) return;
    if (rows != nullptr) {
      Row<T, kVector>* const to = own.at(rows, step - zero);
      take_steps<true>(step, steps, to,
                       kSlopes == kSlopeRows ? own.at(slopes, step - zero) : nullptr, x);
    } else if (kSlopes == kSlopeSums) {
      take_steps<false>(step, steps, nullptr, nullptr, x);
    }
  }
  template <bool kStores>
  POPSNN_DEVICE void take_steps(int step, int steps, Row<T, kVector>* to, Row<T, kVector>* slopes,
                                const Row<T, kVector>* x) {
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      at[j] = ((step - kDirection * own.first[column(j)]) & (own.a.ring - 1)) * own.columns;
      at[j] += column(j);
      if constexpr (kWindow > 1) {
#pragma unroll
        for (int i = kWindow - 1; i > 0; --i) windows[j].push(value(j, i));
      }
    }
#pragma unroll 4
    for (int n = 0; n < steps; ++n) {
      float of_x[kVector];
      float out[kVector];
      float slope[kVector];
      if constexpr (kSlopes == kSlopeSums) unpack<T, kVector>(*x, of_x);
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
        if constexpr (kWindow > 0) {
          windows[j].push(value(j, 0));
          if constexpr (kStores) out[j] = windows[j].sum(windows[j].weights);
          if constexpr (kSlopes == kSlopeRows) slope[j] = windows[j].sum(windows[j].slopes);
          if constexpr (kSlopes == kSlopeSums) windows[j].add(of_x[j]);
        } else {
          if constexpr (kStores) out[j] = sum(j, 0);
          if constexpr (kSlopes == kSlopeRows) slope[j] = sum(j, own.a.window);
          if constexpr (kSlopes == kSlopeSums) {
            windows[j].of_delay = fma(of_x[j], sum(j, own.a.window), windows[j].of_delay);
          }
        }
        at[j] = (at[j] + kDirection * own.columns) & mask;
      }
      if constexpr (kStores) {
        *to = pack_row<T, kVector>(out);
        to += kDirection * own.over_time;
      }
      if constexpr (kSlopes == kSlopeRows) {
        *slopes = pack_row<T, kVector>(slope);
        slopes += kDirection * own.over_time;
      }
      if constexpr (kSlopes == kSlopeSums) x += kDirection * own.a.lanes;
    }
  }
  POPSNN_DEVICE float of_delay(int j) const {
    if constexpr (kWindow > 0) {
      float total = 0.0f;
#pragma unroll
      for (int i = 0; i < kWindow; ++i) {
        total = fma(own.taps[(kWindow + i) * own.columns + column(j)], windows[j].sums[i], total);
      }
      return total;
    } else {
      return windows[j].of_delay;
    }
  }
};

// kSlopes: kNoSlopes or kSlopeRows; then taps have slopes behind the weights. kSpikes: x are dense
// spikes.
template <class T, int kVector, int kBytes, int kSpread, int kWindow, int kSlopes, bool kSpikes>
POPSNN_DEVICE void delayed_forward(const DelayedArguments& a) {
  using Columns = DelayedColumns<T, kVector, kBytes>;
  const Columns own(a, (kSlopes == kSlopeRows ? 2 : 1) * a.window);
  own.copy_to_ring(a.before, -a.maximum, -a.maximum, 0);
  own.template copy_x_to_ring<kSpikes>(0, own.chunk < a.steps ? own.chunk : a.steps);
  make_columns<kSpread, kSlopes>(a, own);
  finish_copies();
  DelayedWalk<T, kVector, kBytes, kWindow, kSlopes, 1> walk(own);
  walk.read_weights();
  for (int begin = 0; begin < a.steps; begin += own.chunk) {
    const int end = begin + own.chunk < a.steps ? begin + own.chunk : a.steps;
    if (begin > 0) {
      sync_block();  // the rows that these replace have been read
      own.template copy_x_to_ring<kSpikes>(begin, end);
      finish_copies();
    }
    if (!own.inside()) continue;
    const int from = begin + own.group * a.each;
    const int to = from + a.each < end ? from + a.each : end;
    walk.take(from, to - from, a.out, 0, a.out_slopes, nullptr);
  }
}

// Rows of the backward pass's steps from `begin` to `end`, which may be below 0.
template <int kSlopes, class Columns>
POPSNN_DEVICE void copy_chunk(const Columns& own, int begin, int end) {
  const DelayedArguments& a = own.a;
  const int before = end < 0 ? end : 0;  // the end of those below 0
  const int first = begin > 0 ? begin : 0;
  own.copy_to_ring(nullptr, 0, begin, before);
  own.copy_to_ring(a.grad, 0, first, end);
  if constexpr (kSlopes == kSlopeSums) {
    own.copy(own.x, begin, ~0, a.before, -a.maximum, begin, before);
    own.copy(own.x, begin, ~0, a.x, 0, first, end);
  }
}

// Back in time: the gradient of x[t] is the sum over taps of weights times that of the output at
// t + k. The terms of a delay's gradient are added up in the same order in every run.
// kSlopes: kNoSlopes, or kSlopeSums where delays have a gradient; then x is read too, and taps have
// slopes behind the weights.
template <class T, int kVector, int kBytes, int kSpread, int kWindow, int kSlopes>
POPSNN_DEVICE void delayed_backward(const DelayedArguments& a) {
  using Columns = DelayedColumns<T, kVector, kBytes>;
  const Columns own(a, (kSlopes == kSlopeSums ? 2 : 1) * a.window);
  // The steps before the first, of which no output has a gradient, are those below 0.
  const int low = a.before != nullptr || a.out_before != nullptr ? -a.maximum : 0;
  own.copy_to_ring(nullptr, 0, a.steps, a.steps + a.maximum);
  DelayedWalk<T, kVector, kBytes, kWindow, kSlopes, -1> walk(own);
  for (int end = a.steps; end > low; end -= own.chunk) {
    const int begin = end - own.chunk > low ? end - own.chunk : low;
    if (end < a.steps) sync_block();  // the rows that these replace have been read
    copy_chunk<kSlopes>(own, begin, end);
    if (end == a.steps) make_columns<kSpread, kSlopes>(a, own);
    finish_copies();
    if (end == a.steps) walk.read_weights();
    if (!own.inside()) continue;
    const int from = end - 1 - own.group * a.each;
    const int to = from - a.each >= begin ? from - a.each : begin - 1;
    const int negative = from < -1 ? from : -1;  // the first of them
    const auto* x = own.x + own.lane;
    walk.take(from, from - (to > -1 ? to : -1), a.out, 0, nullptr, x + (from - begin) * a.lanes);
    walk.take(negative, negative - to, a.out_before, -a.maximum, nullptr,
              x + (negative - begin) * a.lanes);
  }
  if constexpr (kSlopes == kSlopeSums) {
    if (low == a.steps) make_columns<kSpread, kSlopes>(a, own);  // which no chunk has made
    sync_block();  // the ring, which has at least twice as many rows as there are groups, is free
    auto* partial = reinterpret_cast<float*>(own.ring) + own.lane * kVector;
#pragma unroll
    for (int j = 0; j < kVector; ++j) partial[own.group * own.columns + j] = walk.of_delay(j);
    sync_block();
    if (own.group > 0) return;
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      const int feature = own.feature() + j;
      if (feature >= a.features) continue;
      float total = 0.0f;
      for (int g = 0; g < own.groups; ++g) total += partial[g * own.columns + j];
      a.out_delays[static_cast<long long>(feature) * a.batch + own.sample] =
          within(a, a.delays[feature]) ? total : 0.0f;
    }
  }
}

}  // namespace popsnn
