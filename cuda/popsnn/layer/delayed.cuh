// Delays along time, and their gradients: each feature of rows [T, B, P] has its own delay, which
// is spread over time steps by taps. A thread has a feature of a sample over all steps. It reads
// each row once, in the order of time, and keeps the last kRing of its column in shared memory:
// neighbouring features read different steps there, which in memory would be a row each.
#pragma once

#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kDelayAhead = 8;  // rows that a thread loads at once

enum Spread { kNoSpread = 0, kStraightThrough = 1, kTriangle = 2, kGaussian = 3 };

struct DelayedArguments {
  const void* x;        // [T, B, P]; of the backward pass also, where delays have a gradient
  const void* before;   // [D, B, P], the steps before the first, or none: zeros
  const void* grad;     // [T, B, P], of the output
  const float* delays;  // [F]
  void* out;            // [T, B, P]; of the backward pass the gradient of x, or none
  void* out_before;     // [D, B, P], the gradient of `before`, or none
  float* out_delays;    // [F, B], the gradient of the delays by sample, or none
  int steps;            // T
  int batch;            // B
  int features;         // F: what lies behind is padding
  int row;              // P
  int maximum;          // D
  int minimum;
  int window;   // taps a feature that may be other than 0
  int ring;     // a power of two above D
  int threads;  // of a block
  float width;
};

// Half to the even neighbour, of 0 <= x < 2^22.
POPSNN_DEVICE float rounded_delay(float x) { return (x + 8388608.0f) - 8388608.0f; }

POPSNN_DEVICE int ceiling(float x) {
  const int whole = static_cast<int>(x);
  return static_cast<float>(whole) < x ? whole + 1 : whole;
}

// The taps of a feature: `window` weights from tap `first` on, and their slopes by the delay.
struct Taps {
  float* weights;  // in shared memory, a column for each thread
  float* slopes;   // likewise, or none
  int stride;
  int first;
  bool inside;  // the delay is within the range to which it is clamped

  POPSNN_DEVICE float& weight(int i) const { return weights[i * stride]; }
  POPSNN_DEVICE float& slope(int i) const { return slopes[i * stride]; }
};

template <int kSpread>
POPSNN_DEVICE void make_taps(const DelayedArguments& a, Taps& taps, float delay) {
  const float low = static_cast<float>(a.minimum);
  const float high = static_cast<float>(a.maximum);
  taps.inside = delay >= low && delay <= high;
  const bool known = taps.inside;
  if (!taps.inside) delay = delay > high ? high : low;
  float from = rounded_delay(delay);
  if constexpr (kSpread == kStraightThrough) from -= a.window > 1 ? 1.0f : 0.0f;
  if constexpr (kSpread == kTriangle) from = delay - 1.0f - a.width;
  // Farther taps are below 2^-150 of the nearest one, which is at most half a step away.
  if constexpr (kSpread == kGaussian) from = delay - 14.5f * a.width - 0.5f;
  const int last = a.maximum + 1 - a.window;
  const int start = from < -1.0f ? 0 : ceiling(from);
  taps.first = start < 0 ? 0 : start > last ? last : start;
  const float nearest = rounded_delay(delay);
  float nearest_distance = 0.0f;
  if constexpr (kSpread == kGaussian) nearest_distance = (nearest - delay) / a.width;
  float sum = 0.0f;
  float sum_of_slopes = 0.0f;
  for (int i = 0; i < a.window; ++i) {
    const float distance = static_cast<float>(taps.first + i) - delay;
    float weight;
    float slope = 0.0f;
    if constexpr (kSpread == kTriangle) {
      const float scale = 1.0f / (1.0f + a.width);
      // A difference that is exact at the corner: of 1 - |distance| scale a GPU rounds once, so
      // that with a width of 6 a distance of 7 is no corner.
      const float inside = 1.0f + a.width - (distance < 0.0f ? -distance : distance);
      weight = inside > 0.0f ? inside * scale : 0.0f;
      // At a corner the mean of both sides.
      const float part = inside > 0.0f ? 1.0f : inside == 0.0f ? 0.5f : 0.0f;
      slope = distance > 0.0f ? part * scale : distance < 0.0f ? -part * scale : 0.0f;
    } else if constexpr (kSpread == kGaussian) {
      const float z = distance / a.width;
      // Relative to the nearest step, whose term is so 1 and not below what a float holds.
      weight = exp(0.5f * (nearest_distance * nearest_distance - z * z));
      slope = weight * z / a.width;
    } else {
      const float at = static_cast<float>(taps.first + i) - nearest;
      weight = at == 0.0f ? 1.0f : 0.0f;
      slope = at == 1.0f ? 0.5f : at == -1.0f ? -0.5f : 0.0f;
    }
    sum += weight;
    sum_of_slopes += slope;
    taps.weight(i) = weight;
    if (taps.slopes != nullptr) taps.slope(i) = slope;
  }
  // Of fixed delays that are not whole or out of the range, and of those that are no number.
  const bool wrong = kSpread == kNoSpread ? !known || nearest != delay : delay != delay;
  for (int i = 0; i < a.window; ++i) {
    float& weight = taps.weight(i);
    if constexpr (kSpread == kTriangle || kSpread == kGaussian) {
      weight /= sum;
      if (taps.slopes != nullptr) taps.slope(i) = (taps.slope(i) - weight * sum_of_slopes) / sum;
    }
    if (wrong) weight = bits_to_float(0x7fc00000u);
  }
}

// A thread's column of the ring, by time step.
template <class T>
struct DelayRing {
  Row<T, 1>* column;
  int stride;
  int mask;

  POPSNN_DEVICE Row<T, 1>& at(int step) const { return column[(step & mask) * stride]; }
  POPSNN_DEVICE float value(int step) const {
    float value[1];
    unpack<T, 1>(at(step), value);
    return value[0];
  }
};

template <class T>
POPSNN_DEVICE const Row<T, 1>& row_of(const void* rows, long long index) {
  return static_cast<const Row<T, 1>*>(rows)[index];
}

template <class T>
POPSNN_DEVICE void put(void* rows, long long index, float value) {
  const float scalar[1] = {value};
  static_cast<Row<T, 1>*>(rows)[index] = pack_row<T, 1>(scalar);
}

// Sum over the taps of weights times the ring's rows, `direction` -1 back in time from `step`.
template <int kWindow, class T>
POPSNN_DEVICE float tap_sum(const float* weights, const float (&registers)[kWindow ? kWindow : 1],
                            const DelayRing<T>& ring, int window, int step, int direction) {
  float sum = 0.0f;
  if constexpr (kWindow > 0) {
#pragma unroll
    for (int i = 0; i < kWindow; ++i) {
      sum = fma(registers[i], ring.value(step + direction * i), sum);
    }
  } else {
    for (int i = 0; i < window; ++i) {
      sum = fma(weights[i * ring.stride], ring.value(step + direction * i), sum);
    }
  }
  return sum;
}

template <class T>
POPSNN_DEVICE DelayRing<T> ring_of(const DelayedArguments& a, float* behind_taps) {
  return {reinterpret_cast<Row<T, 1>*>(behind_taps) + thread_index(), a.threads, a.ring - 1};
}

// Shared memory holds [window][threads] weights, then the ring [ring][threads].
template <class T, int kSpread, int kWindow>
POPSNN_DEVICE void delayed_forward(const DelayedArguments& a) {
  auto* shared = reinterpret_cast<float*>(shared_memory());
  const int chunks = (a.row + a.threads - 1) / a.threads;
  const int sample = static_cast<int>(block_index() / chunks);
  const int feature = static_cast<int>(block_index() % chunks) * a.threads + thread_index();
  if (feature >= a.row) return;
  Taps taps{shared + thread_index(), nullptr, a.threads, 0, true};
  const bool real = feature < a.features;
  make_taps<kSpread>(a, taps, real ? a.delays[feature] : static_cast<float>(a.minimum));
  const DelayRing<T> ring = ring_of<T>(a, shared + a.window * a.threads);
  const long long over_time = static_cast<long long>(a.batch) * a.row;
  const long long at = static_cast<long long>(sample) * a.row + feature;
  for (int t = -a.maximum; t < 0; ++t) {
    Row<T, 1> row{};
    if (a.before != nullptr) row = row_of<T>(a.before, (t + a.maximum) * over_time + at);
    ring.at(t) = row;
  }
  float weights[kWindow ? kWindow : 1];
  if constexpr (kWindow > 0) {
#pragma unroll
    for (int i = 0; i < kWindow; ++i) weights[i] = taps.weight(i);
  }
  for (int begin = 0; begin < a.steps; begin += kDelayAhead) {
    Row<T, 1> ahead[kDelayAhead];
#pragma unroll
    for (int j = 0; j < kDelayAhead; ++j) {
      if (begin + j < a.steps) ahead[j] = row_of<T>(a.x, (begin + j) * over_time + at);
    }
#pragma unroll
    for (int j = 0; j < kDelayAhead; ++j) {
      const int t = begin + j;
      if (t < a.steps) {
        ring.at(t) = ahead[j];
        put<T>(a.out, t * over_time + at,
               tap_sum<kWindow, T>(taps.weights, weights, ring, a.window, t - taps.first, -1));
      }
    }
  }
}

// Back in time: the gradient of x[t] is the sum over taps of weights times that of the output at
// t + k. Each thread adds the terms of its delay's gradient up in the same order in every run.
// kSlopes: delays have one; then x is read too, and taps have slopes behind the weights.
template <class T, int kSpread, int kWindow, bool kSlopes>
POPSNN_DEVICE void delayed_backward(const DelayedArguments& a) {
  auto* shared = reinterpret_cast<float*>(shared_memory());
  const int chunks = (a.row + a.threads - 1) / a.threads;
  const int sample = static_cast<int>(block_index() / chunks);
  const int feature = static_cast<int>(block_index() % chunks) * a.threads + thread_index();
  if (feature >= a.row) return;
  const int taps_size = a.window * a.threads;
  Taps taps{shared + thread_index(), kSlopes ? shared + taps_size + thread_index() : nullptr,
            a.threads, 0, true};
  const bool real = feature < a.features;
  make_taps<kSpread>(a, taps, real ? a.delays[feature] : static_cast<float>(a.minimum));
  const DelayRing<T> ring = ring_of<T>(a, shared + (kSlopes ? 2 : 1) * taps_size);
  for (int i = 0; i < a.ring; ++i) ring.at(i) = Row<T, 1>{};
  const long long over_time = static_cast<long long>(a.batch) * a.row;
  const long long at = static_cast<long long>(sample) * a.row + feature;
  float weights[kWindow ? kWindow : 1];
  float slopes[kWindow ? kWindow : 1];
  if constexpr (kWindow > 0) {
#pragma unroll
    for (int i = 0; i < kWindow; ++i) {
      weights[i] = taps.weight(i);
      if constexpr (kSlopes) slopes[i] = taps.slope(i);
    }
  }
  float of_delay = 0.0f;
  for (int end = a.steps; end > 0; end -= kDelayAhead) {
    Row<T, 1> ahead[kDelayAhead];
    Row<T, 1> rows[kDelayAhead];
#pragma unroll
    for (int j = 0; j < kDelayAhead; ++j) {
      const int t = end - 1 - j;
      if (t >= 0) {
        ahead[j] = row_of<T>(a.grad, t * over_time + at);
        if constexpr (kSlopes) rows[j] = row_of<T>(a.x, t * over_time + at);
      }
    }
#pragma unroll
    for (int j = 0; j < kDelayAhead; ++j) {
      const int t = end - 1 - j;
      if (t >= 0) {
        ring.at(t) = ahead[j];
        const int from = t + taps.first;
        if (a.out != nullptr) {
          put<T>(a.out, t * over_time + at,
                 tap_sum<kWindow, T>(taps.weights, weights, ring, a.window, from, 1));
        }
        if constexpr (kSlopes) {
          float value[1];
          unpack<T, 1>(rows[j], value);
          of_delay =
              fma(value[0], tap_sum<kWindow, T>(taps.slopes, slopes, ring, a.window, from, 1),
                  of_delay);
        }
      }
    }
  }
  if (a.before != nullptr || a.out_before != nullptr) {
    for (int t = -1; t >= -a.maximum; --t) {
      ring.at(t) = Row<T, 1>{};
      const long long index = (t + a.maximum) * over_time + at;
      const int from = t + taps.first;
      if (a.out_before != nullptr) {
        put<T>(a.out_before, index,
               tap_sum<kWindow, T>(taps.weights, weights, ring, a.window, from, 1));
      }
      if (kSlopes && a.before != nullptr) {
        float value[1];
        unpack<T, 1>(row_of<T>(a.before, index), value);
        of_delay = fma(value[0], tap_sum<kWindow, T>(taps.slopes, slopes, ring, a.window, from, 1),
                       of_delay);
      }
    }
  }
  if constexpr (kSlopes) {
    if (real) {
      a.out_delays[static_cast<long long>(feature) * a.batch + sample] =
          taps.inside ? of_delay : 0.0f;
    }
  }
}

}  // namespace popsnn
