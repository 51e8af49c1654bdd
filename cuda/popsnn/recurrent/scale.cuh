// The scale of the gradients that float16 weights carry back.
//
// Float16 has 2^-24 to 2^16, and gradients of a mean over a batch and time begin at 1e-6 or less.
// So a backward pass multiplies all gradients that come in by one power of two, which makes the
// largest at least 1/2 and less than 1: they have 2^16 to grow, and those down to 2^-14 of the
// largest keep all bits. All that the pass computes is scaled then, which its adjoint does not
// know, as it is linear. What leaves it is multiplied by the inverse: grad x here, and by the
// launchers the gradients of states, parameters and weights, which are sums in float32. A power of
// two rounds nothing. A gradient that grows to more than float16 has is inf, and so are those that
// follow. Where inf or NaN come in, the scale is 1.
#pragma once

#include <popsnn/device/block.cuh>
#include <popsnn/recurrent/recurrent.cuh>

namespace popsnn {

// Of the type that is sent; bfloat16 has the range of float32.
template <class T>
class GradientScale {
 public:
  POPSNN_DEVICE explicit GradientScale(const RecurrentArguments&) {}

  POPSNN_DEVICE float scaled(float grad) const { return grad; }

  // In `to`, or what it was.
  template <int kCount>
  POPSNN_DEVICE const float (&unscaled(const float (&grad)[kCount], float (&)[kCount])
                                 const)[kCount] {
    return grad;
  }
};

template <>
class GradientScale<Half> {
 public:
  POPSNN_DEVICE explicit GradientScale(const RecurrentArguments& a)
      : by_(*static_cast<const float*>(a.x)) {}

  POPSNN_DEVICE float scaled(float grad) const { return grad * by_; }

  template <int kCount>
  POPSNN_DEVICE const float (&unscaled(const float (&grad)[kCount], float (&to)[kCount])
                                 const)[kCount] {
    const float inverse = bits_to_float((254u << 23) - float_to_bits(by_));
#pragma unroll
    for (int j = 0; j < kCount; ++j) to[j] = grad[j] * inverse;
    return to;
  }

 private:
  float by_;
};

constexpr int kScaleThreads = 256;

// Pointers may be null.
struct ScaleArguments {
  const void* grads[2];                  // [T, B, N] each: of spikes, of membranes
  const float* final[kRecurrentStates];  // [B, N] each
  unsigned* words;   // [4]: the largest magnitude, and blocks that are done, 0 before; then, as
                     // floats, the scale and its inverse
  long long count;   // T B N
  long long states;  // B N
  int blocks;
};

// The largest magnitude of numbers as the bits of a float. NaN is above inf.
template <class T, int kVector>
POPSNN_DEVICE unsigned largest_of(const void* numbers, long long count, int blocks) {
  constexpr int kAhead = 4;  // loads in flight
  if (numbers == nullptr) return 0;
  const T* from = static_cast<const T*>(numbers);
  const long long apart = static_cast<long long>(blocks) * kScaleThreads * kVector;
  unsigned largest = 0;
  for (long long first = (block_index() * kScaleThreads + thread_index()) * kVector; first < count;
       first += kAhead * apart) {
    Row<T, kVector> row[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const long long at = first + i * apart;
      row[i] = *reinterpret_cast<const Row<T, kVector>*>(from + (at < count ? at : first));
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      float x[kVector];
      unpack<T, kVector>(row[i], x);
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
        const unsigned bits = float_to_bits(x[j]) & 0x7fffffffu;
        largest = bits > largest ? bits : largest;
      }
    }
  }
  return largest;
}

// The scale for a largest magnitude, both as bits: 2^-(e + 1) for one from 2^e on, at least 2^-126.
POPSNN_DEVICE unsigned scale_for(unsigned largest) {
  const unsigned exponent = largest >> 23;
  if (exponent == 255u) return 127u << 23;
  return (exponent >= 253u ? 1u : 253u - exponent) << 23;
}

// kVector: elements of T that are read at once, kWide of float.
template <class T, int kVector, int kWide>
POPSNN_DEVICE void gradient_scale(const ScaleArguments& a) {
  unsigned largest = 0;
  const auto include = [&](unsigned x) { largest = x > largest ? x : largest; };
#pragma unroll
  for (const void* grad : a.grads) include(largest_of<T, kVector>(grad, a.count, a.blocks));
#pragma unroll
  for (const float* grad : a.final) include(largest_of<float, kWide>(grad, a.states, a.blocks));
  auto* of_warps = reinterpret_cast<unsigned*>(shared_memory());
  largest = warp_max(largest);
  if (thread_index() % kWarp == 0) of_warps[thread_index() / kWarp] = largest;
  sync_block();
  if (thread_index() != 0) return;
  for (int warp = 1; warp < kScaleThreads / kWarp; ++warp) include(of_warps[warp]);
  atomic_max(a.words, largest);
  if (count_arrival(a.words + 1) + 1 < static_cast<unsigned>(a.blocks)) return;
  const unsigned scale = scale_for(atomic_max(a.words, 0u));
  a.words[2] = scale;
  a.words[3] = (254u << 23) - scale;
}

}  // namespace popsnn
