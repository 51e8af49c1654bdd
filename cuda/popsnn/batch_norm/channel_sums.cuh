// Sums over all rows of a matrix, by channel, of x and of its gradients for batch normalisation.
// Where channels are the last dimension a channel is a column, [R, C]. With kPlanes the last
// dimension is a plane of positions, [R, C * inner]: a channel is `inner` neighbouring columns.
//
// A thread has kVector neighbouring columns and every `partials`-th row, so a warp reads whole
// rows. A second kernel adds up the partial sums in a fixed order: the same numbers in every run.
#pragma once

#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kSumThreads = 128;
constexpr int kSumRows = 8;  // loads in flight of a thread

struct ChannelSumsArguments {
  const void* x;      // [R, columns]
  const void* other;  // [R, columns]: summed together with x; or null
  float* sums;        // [partials, 2, columns], with kPlanes [partials, 2, columns / kVector]
  long long rows;     // R
  long long partials;
  int columns;  // C * inner, a multiple of kVector
  int inner;    // 1, or with kPlanes a multiple of kVector
};

// The sums of x and of `other`; or, with kSquares, of x - x[0] and of its square, which do not
// cancel, since the first element of a channel, x[0], is close enough to its mean.
template <class T, int kVector, bool kSquares, bool kPlanes>
POPSNN_DEVICE void channel_sums(const ChannelSumsArguments& a) {
  const int vectors = a.columns / kVector;
  const long long thread = block_index() * kSumThreads + thread_index();
  const long long partial = thread / vectors;
  const int first = static_cast<int>(thread - partial * vectors) * kVector;
  if (partial >= a.partials) return;

  float shift[kVector] = {};
  float sum[kVector] = {};
  float second[kVector] = {};
  if constexpr (kSquares && kPlanes) {
    float scalar[1];
    const T* element = static_cast<const T*>(a.x) + first / a.inner * a.inner;
    unpack<T, 1>(*reinterpret_cast<const Row<T, 1>*>(element), scalar);
#pragma unroll
    for (int j = 0; j < kVector; ++j) shift[j] = scalar[0];
  } else if constexpr (kSquares) {
    unpack<T, kVector>(
        *reinterpret_cast<const Row<T, kVector>*>(static_cast<const T*>(a.x) + first), shift);
  }
  const long long step = a.partials * a.columns;
  const T* x = static_cast<const T*>(a.x) + partial * a.columns + first;
  [[maybe_unused]] const T* other = static_cast<const T*>(a.other);
  if constexpr (!kSquares) other += partial * a.columns + first;
  using Vector = Row<T, kVector>;

  const auto add = [&](const Vector& own, [[maybe_unused]] const Vector& from_other) {
    float values[kVector];
    unpack<T, kVector>(own, values);
    if constexpr (kSquares) {
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
        const float distance = values[j] - shift[j];
        sum[j] += distance;
        second[j] = fma(distance, distance, second[j]);
      }
    } else {
      float others[kVector];
      unpack<T, kVector>(from_other, others);
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
        sum[j] += values[j];
        second[j] += others[j];
      }
    }
  };
  long long row = partial;
  for (; row + (kSumRows - 1) * a.partials < a.rows; row += kSumRows * a.partials) {
    Vector own[kSumRows];
    [[maybe_unused]] Vector from_other[kSumRows];
#pragma unroll
    for (int u = 0; u < kSumRows; ++u) {
      own[u] = *reinterpret_cast<const Vector*>(x + u * step);
      if constexpr (!kSquares) from_other[u] = *reinterpret_cast<const Vector*>(other + u * step);
    }
#pragma unroll
    for (int u = 0; u < kSumRows; ++u) add(own[u], from_other[u]);
    x += kSumRows * step;
    if constexpr (!kSquares) other += kSumRows * step;
  }
  for (; row < a.rows; row += a.partials) {
    const Vector own = *reinterpret_cast<const Vector*>(x);
    [[maybe_unused]] Vector from_other = own;
    if constexpr (!kSquares) from_other = *reinterpret_cast<const Vector*>(other);
    add(own, from_other);
    x += step;
    if constexpr (!kSquares) other += step;
  }
  if constexpr (kPlanes) {
#pragma unroll
    for (int j = 1; j < kVector; ++j) {
      sum[0] += sum[j];
      second[0] += second[j];
    }
    float* to = a.sums + 2 * partial * vectors + first / kVector;
    to[0] = sum[0];
    to[vectors] = second[0];
  } else {
    float* to = a.sums + 2 * partial * a.columns + first;
    store<float, kVector, true>(to, sum, kVector);
    store<float, kVector, true>(to + a.columns, second, kVector);
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
  long long partials;
  int columns;  // as in `ChannelSumsArguments`
  int inner;
};

// The values of a thread's columns, from those of the channels.
template <int kVector, bool kPlanes>
POPSNN_DEVICE void load_columns(const float* from, int first, int inner, float (&values)[kVector]) {
  if constexpr (kPlanes) {
    const float scalar = from[first / inner];
#pragma unroll
    for (int j = 0; j < kVector; ++j) values[j] = scalar;
  } else {
    load<kVector, true>(from + first, values, kVector);
  }
}

template <class T, int kVector, bool kPlanes>
POPSNN_DEVICE void channel_line(const ChannelLineArguments& a) {
  constexpr int kAhead = 4;
  const int vectors = a.columns / kVector;
  const long long thread = block_index() * kSumThreads + thread_index();
  const long long partial = thread / vectors;
  const int first = static_cast<int>(thread - partial * vectors) * kVector;
  if (partial >= a.partials) return;

  float scale[kVector];
  float slope[kVector];
  float offset[kVector];
  load_columns<kVector, kPlanes>(a.scale, first, a.inner, scale);
  load_columns<kVector, kPlanes>(a.slope, first, a.inner, slope);
  load_columns<kVector, kPlanes>(a.offset, first, a.inner, offset);
  const long long step = a.partials * a.columns;
  long long at = partial * a.columns + first;
  using Vector = Row<T, kVector>;
  const auto line = [&](const Vector& grad, const Vector& x, long long at_row) {
    float sum[kVector];
    float values[kVector];
    unpack<T, kVector>(grad, sum);
    unpack<T, kVector>(x, values);
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      sum[j] = fma(values[j], slope[j], fma(sum[j], scale[j], offset[j]));
    }
    store<T, kVector, true>(static_cast<T*>(a.to) + at_row, sum, kVector);
  };
  const auto read = [](const void* from, long long at_row) {
    return *reinterpret_cast<const Vector*>(static_cast<const T*>(from) + at_row);
  };
  long long row = partial;
  for (; row + (kAhead - 1) * a.partials < a.rows; row += kAhead * a.partials) {
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
  for (; row < a.rows; row += a.partials) {
    line(read(a.grad, at), read(a.x, at), at);
    at += step;
  }
}

}  // namespace popsnn
