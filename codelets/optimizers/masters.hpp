// Weights of 16 bits as an optimizer sees them: the rounding error of a weight is stored, in 16
// bits too, next to the optimizer's state.
//
//   weight = value + rest / 2^11
//
// A half has 11 bits, and rounding errs by at most half of the last one: `rest` is no larger than
// the weight. Both together are within 2^-23 of its size (fp32: 2^-24), or 2^-36. The first
// rounding may be the IPU's stochastic rounding: its error is stored in either direction.
#pragma once
#include <poplar/HalfFloat.hpp>
#include <poplar/Vertex.hpp>

#include "common/worker_range.hpp"

#ifdef __IPU__
#include "masters_ipu.hpp"
#endif

namespace popsnn {

constexpr float kRestScale = 2048.0f;

// Weights that a worker has as floats at once.
constexpr unsigned kMastersAtOnce = 32;

// whole[i] = value[i] + rest[i] / 2^11
inline void widen(const half* value,  // [count]
                  const half* rest,   // [count]
                  unsigned count,
                  float* whole) {  // [count]
  unsigned i = 0;
#ifdef __IPU__
  alignas(8) static constexpr float kScale[2] = {1.0f / kRestScale, 1.0f / kRestScale};
  ipu::widen_pairs(value, rest, kScale, count / 2, whole);
  i = count / 2 * 2;
#endif
  for (; i < count; ++i) whole[i] = float(value[i]) + float(rest[i]) * (1.0f / kRestScale);
}

// The inverse.
inline void narrow(const float* whole,  // [count]
                   unsigned count,
                   half* value,   // [count]
                   half* rest) {  // [count]
  unsigned i = 0;
#ifdef __IPU__
  alignas(8) static constexpr float kScale[2] = {kRestScale, kRestScale};
  ipu::narrow_pairs(whole, kScale, count / 2, value, rest);
  i = count / 2 * 2;
#endif
  for (; i < count; ++i) {
    value[i] = half(whole[i]);
    rest[i] = half((whole[i] - float(value[i])) * kRestScale);
  }
}

// Begin of a worker's range of `size` weights; that of worker `workers` is their end. Ranges are
// pairs, the last one also has an odd weight: no two workers write to one word.
inline unsigned masters_begin(unsigned size, unsigned worker, unsigned workers) {
  return worker < workers ? worker_begin(size / 2, worker, workers) * 2 : size;
}

// Calls update(begin, end, weights [end - begin]) for ranges of a worker's range of `size` weights.
template <class Rest, class Update>
inline void for_masters(float* weights,  // [size]
                        Rest&,           // [1][1]
                        unsigned size, unsigned worker, unsigned workers, Update update) {
  const unsigned begin = masters_begin(size, worker, workers);
  update(begin, masters_begin(size, worker + 1, workers), weights + begin);
}

template <class Rest, class Update>
inline void for_masters(half* values,  // [size]
                        Rest& rest,    // [1][size]
                        unsigned size, unsigned worker, unsigned workers, Update update) {
  half* const rests = &rest[0][0];
  const unsigned begin = masters_begin(size, worker, workers);
  const unsigned end = masters_begin(size, worker + 1, workers);
  alignas(8) float weights[kMastersAtOnce];
  for (unsigned i = begin; i < end; i += kMastersAtOnce) {
    const unsigned count = end - i < kMastersAtOnce ? end - i : kMastersAtOnce;
    widen(values + i, rests + i, count, weights);
    update(i, i + count, &weights[0]);
    narrow(weights, count, values + i, rests + i);
  }
}

}  // namespace popsnn
