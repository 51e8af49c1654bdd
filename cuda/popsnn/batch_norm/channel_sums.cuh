// Sums over all rows of a matrix, by channel: what batch normalisation needs of x and of its
// gradients. A channel is a column, [R, C], where the channels lie last, and `inner` neighbouring
// columns, kPlanes, [R, C * inner], where places do.
//
// A thread has kLanes neighbouring columns and every `parts`-th row, so a warp reads whole rows.
// The sums of each part go to memory and are summed again: the same numbers in every run.
#pragma once

#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kSumThreads = 128;
constexpr int kSumRows = 8;  // on their way to a thread

struct ChannelSumsArguments {
  const void* x;      // [R, columns]
  const void* other;  // [R, columns]: summed beside x; or null
  float* sums;        // [parts, 2, columns], with kPlanes [parts, 2, columns / kLanes]
  long long rows;     // R
  long long parts;
  int columns;  // C * inner, a multiple of kLanes
  int inner;    // 1, or with kPlanes a multiple of kLanes
};

// The sums of x and of `other`; or, with kSquares, of x - x[0] and of its square, which do not
// cancel, since the first element of a channel, x[0], is near enough to its mean.
template <class T, int kLanes, bool kSquares, bool kPlanes>
POPSNN_DEVICE void channel_sums(const ChannelSumsArguments& a) {
  const int vectors = a.columns / kLanes;
  const long long thread = block_index() * kSumThreads + thread_index();
  const long long part = thread / vectors;
  const int first = static_cast<int>(thread - part * vectors) * kLanes;
  if (part >= a.parts) return;

  float shift[kLanes] = {};
  float sum[kLanes] = {};
  float second[kLanes] = {};
  if constexpr (kSquares && kPlanes) {
    float one[1];
    const T* element = static_cast<const T*>(a.x) + first / a.inner * a.inner;
    unpack<T, 1>(*reinterpret_cast<const Row<T, 1>*>(element), one);
#pragma unroll
    for (int j = 0; j < kLanes; ++j) shift[j] = one[0];
  } else if constexpr (kSquares) {
    unpack<T, kLanes>(*reinterpret_cast<const Row<T, kLanes>*>(static_cast<const T*>(a.x) + first),
                      shift);
  }
  const long long step = a.parts * a.columns;
  const T* x = static_cast<const T*>(a.x) + part * a.columns + first;
  [[maybe_unused]] const T* other = static_cast<const T*>(a.other);
  if constexpr (!kSquares) other += part * a.columns + first;
  using Vector = Row<T, kLanes>;

  const auto add = [&](const Vector& own, [[maybe_unused]] const Vector& beside) {
    float lanes[kLanes];
    unpack<T, kLanes>(own, lanes);
    if constexpr (kSquares) {
#pragma unroll
      for (int j = 0; j < kLanes; ++j) {
        const float distance = lanes[j] - shift[j];
        sum[j] += distance;
        second[j] = multiply_add(distance, distance, second[j]);
      }
    } else {
      float others[kLanes];
      unpack<T, kLanes>(beside, others);
#pragma unroll
      for (int j = 0; j < kLanes; ++j) {
        sum[j] += lanes[j];
        second[j] += others[j];
      }
    }
  };
  long long row = part;
  for (; row + (kSumRows - 1) * a.parts < a.rows; row += kSumRows * a.parts) {
    Vector own[kSumRows];
    [[maybe_unused]] Vector beside[kSumRows];
#pragma unroll
    for (int u = 0; u < kSumRows; ++u) {
      own[u] = *reinterpret_cast<const Vector*>(x + u * step);
      if constexpr (!kSquares) beside[u] = *reinterpret_cast<const Vector*>(other + u * step);
    }
#pragma unroll
    for (int u = 0; u < kSumRows; ++u) add(own[u], beside[u]);
    x += kSumRows * step;
    if constexpr (!kSquares) other += kSumRows * step;
  }
  for (; row < a.rows; row += a.parts) {
    const Vector own = *reinterpret_cast<const Vector*>(x);
    [[maybe_unused]] Vector beside = own;
    if constexpr (!kSquares) beside = *reinterpret_cast<const Vector*>(other);
    add(own, beside);
    x += step;
    if constexpr (!kSquares) other += step;
  }
  if constexpr (kPlanes) {
#pragma unroll
    for (int j = 1; j < kLanes; ++j) {
      sum[0] += sum[j];
      second[0] += second[j];
    }
    float* to = a.sums + 2 * part * vectors + first / kLanes;
    to[0] = sum[0];
    to[vectors] = second[0];
  } else {
    float* to = a.sums + 2 * part * a.columns + first;
    store<float, kLanes, true>(to, sum, kLanes);
    store<float, kLanes, true>(to + a.columns, second, kLanes);
  }
}

// grad * scale + x * slope + offset, each [C]: the gradient of what was normalised, from that of
// the normalised. May write over `grad`.
struct ChannelLineArguments {
  const void* grad;     // [R, columns]
  const void* x;        // [R, columns]
  const float* scale;   // [C]
  const float* slope;   // [C]
  const float* offset;  // [C]
  void* to;             // [R, columns]
  long long rows;       // R
  long long parts;
  int columns;  // as in `ChannelSumsArguments`
  int inner;
};

// The values of a thread's columns, from those of the channels.
template <int kLanes, bool kPlanes>
POPSNN_DEVICE void load_columns(const float* from, int first, int inner, float (&values)[kLanes]) {
  if constexpr (kPlanes) {
    const float one = from[first / inner];
#pragma unroll
    for (int j = 0; j < kLanes; ++j) values[j] = one;
  } else {
    load<kLanes, true>(from + first, values, kLanes);
  }
}

template <class T, int kLanes, bool kPlanes>
POPSNN_DEVICE void channel_line(const ChannelLineArguments& a) {
  constexpr int kAhead = 4;
  const int vectors = a.columns / kLanes;
  const long long thread = block_index() * kSumThreads + thread_index();
  const long long part = thread / vectors;
  const int first = static_cast<int>(thread - part * vectors) * kLanes;
  if (part >= a.parts) return;

  float scale[kLanes];
  float slope[kLanes];
  float offset[kLanes];
  load_columns<kLanes, kPlanes>(a.scale, first, a.inner, scale);
  load_columns<kLanes, kPlanes>(a.slope, first, a.inner, slope);
  load_columns<kLanes, kPlanes>(a.offset, first, a.inner, offset);
  const long long step = a.parts * a.columns;
  long long at = part * a.columns + first;
  using Vector = Row<T, kLanes>;
  const auto line = [&](const Vector& grad, const Vector& x, long long place) {
    float lanes[kLanes];
    float values[kLanes];
    unpack<T, kLanes>(grad, lanes);
    unpack<T, kLanes>(x, values);
#pragma unroll
    for (int j = 0; j < kLanes; ++j) {
      lanes[j] = multiply_add(values[j], slope[j], multiply_add(lanes[j], scale[j], offset[j]));
    }
    store<T, kLanes, true>(static_cast<T*>(a.to) + place, lanes, kLanes);
  };
  const auto read = [](const void* from, long long place) {
    return *reinterpret_cast<const Vector*>(static_cast<const T*>(from) + place);
  };
  long long row = part;
  for (; row + (kAhead - 1) * a.parts < a.rows; row += kAhead * a.parts) {
    Vector grads[kAhead];
    Vector xs[kAhead];
#pragma unroll
    for (int u = 0; u < kAhead; ++u) {
      grads[u] = read(a.grad, at + u * step);
      xs[u] = read(a.x, at + u * step);
    }
#pragma unroll
    for (int u = 0; u < kAhead; ++u) line(grads[u], xs[u], at + u * step);
    at += kAhead * step;
  }
  for (; row < a.rows; row += a.parts) {
    line(read(a.grad, at), read(a.x, at), at);
    at += step;
  }
}

}  // namespace popsnn
