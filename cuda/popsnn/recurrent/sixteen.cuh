// The 16 bits of a recurrent layer's kernels: the type of its weights, unless products are of
// float32, and of what its neurons send. A kernel's source that wants float16 defines
// POPSNN_SIXTEEN; all of a kernel has one type, so that kernels name `Sixteen` and no other.
#pragma once

#include <popsnn/device/hopper.cuh>
#include <popsnn/device/vectors.cuh>

#ifndef POPSNN_SIXTEEN
#define POPSNN_SIXTEEN Bf16
#endif

namespace popsnn {

using Sixteen = POPSNN_SIXTEEN;

// The type of spikes, their gradients and those of x in rows [T, B, N], where x and gradients of
// membranes are of type T: the same, unless a kernel's source defines POPSNN_NARROW_SPIKES.
#ifdef POPSNN_NARROW_SPIKES
template <class T>
using SpikeRow = Sixteen;
#else
template <class T>
using SpikeRow = T;
#endif

// How a bit of a message becomes a spike as an operand of tensor cores.
//
//   kOne             1
//   bit(m)           where a word's bit m, and its bit m + 16, are moved to: alone they are a
//   number,
//                    a power of two
//   weight_scale(m)  of weights, and kSumScale of their sums: what compensates for that number
template <class T>
struct SpikeOperand;

// Bits 10 to 14 of the exponent, so that five pairs of spikes take a shift. The largest factor is
// 2^119: a weight of 512 or more overflows.
template <>
struct SpikeOperand<Bf16> {
  static constexpr unsigned kOne = 0x3f80u;
  static constexpr float kSumScale = 1.0f;

  POPSNN_DEVICE static constexpr int bit(int m) { return 10 + (m + 3) % 5; }
  POPSNN_DEVICE static float weight_scale(int m) {
    return bits_to_float((254u - (1u << (bit(m) - 7))) << 23);  // a spike is 2^(2^(bit - 7) - 127)
  }
};

// A spike is 2, since few factors leave weights in range: as 2^-14 it would take those below 4.
template <>
struct SpikeOperand<Half> {
  static constexpr unsigned kOne = 0x3c00u;
  static constexpr float kSumScale = 0.5f;

  POPSNN_DEVICE static constexpr int bit(int) { return 14; }
  POPSNN_DEVICE static float weight_scale(int) { return 1.0f; }
};

// The halves of a word as floats.
POPSNN_DEVICE float low_half(unsigned word, Bf16) { return bits_to_float(word << 16); }
POPSNN_DEVICE float high_half(unsigned word, Bf16) { return bits_to_float(word & 0xffff0000u); }
POPSNN_DEVICE float low_half(unsigned word, Half) {
  return half_to_float(static_cast<unsigned short>(word));
}
POPSNN_DEVICE float high_half(unsigned word, Half) {
  return half_to_float(static_cast<unsigned short>(word >> 16));
}

// Two floats as kTerms of 16 bits: rounded, then the remainder rounded, and so on; three of bf16
// are exact.
template <int kTerms>
POPSNN_DEVICE void split(float x, float y, unsigned (&terms)[kTerms]) {
  static_assert(kTerms == 1 || SpikeOperand<Sixteen>::kOne == SpikeOperand<Bf16>::kOne,
                "float16 has not the range of float32");
#pragma unroll
  for (int i = 0; i < kTerms; ++i) {
    terms[i] = pack(x, y, Sixteen{});
    x -= low_half(terms[i], Sixteen{});
    y -= high_half(terms[i], Sixteen{});
  }
}

POPSNN_DEVICE void multiply_tile(float (&sum)[4], const Words4& a, const unsigned (&b)[2]) {
  multiply_tile(sum, a, b, Sixteen{});
}

}  // namespace popsnn
