// The loops of Lif over pairs of neurons in the IPU's assembly; see lif.hpp for what they compute.
//
// Masks encode the reset, so that one loop serves every kind. cycles.hpp counts the bundles,
// and tests/codelets/neurons/test_lif_ipu.py runs this text bundle by bundle.
#pragma once

#include "lif.hpp"
#include "lif_zero_ipu.hpp"
#include "pairs_ipu.hpp"

namespace popsnn {
namespace ipu {

// v = beta * reset(v) + gain * sum and the bits of both masks. Each turn shifts the bits down by a
// pair's two and adds its two at bits 14 and 15 of both halves.
POPSNN_INLINED inline void lif_step(const float* before,  // [2 * pairs]
                                    float* after,         // [2 * pairs] the synaptic sums on entry
                                    const float* beta,    // [2 * pairs]
                                    const float* threshold,       // [2 * pairs]
                                    const float* grad_threshold,  // [2 * pairs]
                                    const unsigned* masks,  // [4, 2] zeroed, less the threshold,
                                                            // fired, above the gradient threshold
                                    const float* gain,      // [1]
                                    unsigned pairs,         // 8 at most
                                    unsigned& word) {
  unsigned bits;
  asm volatile(
      R"(
      ld32          $a6, $mzero, %[gain], 0
      .align 8
      {
        rpt         %[pairs], 19
        fnop
      }
        {
          ld64step  $a0:1, $mzero, %[before]+=, 1
          fnop
        }
        {
          ld64      $a2:3, $mzero, %[threshold], 0
          fnop
        }
        {
          ld64      $a4:5, $mzero, %[masks], 0
          f32v2cmple $a2:3, $a2:3, $a0:1
        }
        {
          nop
          and64     $a4:5, $a4:5, $a2:3
        }
        {
          ld64      $a4:5, $mzero, %[masks], 1
          andc64    $a0:1, $a0:1, $a4:5
        }
        {
          ld64      $a4:5, $mzero, %[threshold], 0
          and64     $a2:3, $a2:3, $a4:5
        }
        {
          ld64step  $a4:5, $mzero, %[beta]+=, 1
          and64     $a2:3, $a2:3, $a4:5
        }
        {
          ld64      $a2:3, $mzero, %[after], 0
          f32v2sub  $a0:1, $a0:1, $a2:3
        }
        {
          ld64step  $a4:5, $mzero, %[threshold]+=, 1
          f32v2mul  $a0:1, $a4:5, $a0:1
        }
        {
          nop
          f32v2mul  $a2:3, $a6:B, $a2:3
        }
        {
          nop
          f32v2add  $a0:1, $a0:1, $a2:3
        }
        {
          ld64step  $a2:3, $mzero, %[grad_threshold]+=, 1
          f32v2cmple $a4:5, $a4:5, $a0:1
        }
        {
          st64step  $a0:1, $mzero, %[after]+=, 1
          f32v2cmplt $a2:3, $a0:1, $a2:3
        }
        {
          ld64      $a0:1, $mzero, %[masks], 2
          fnop
        }
        {
          ld64      $a0:1, $mzero, %[masks], 3
          and64     $a4:5, $a4:5, $a0:1
        }
        {
          shr       %[word], %[word], 2
          andc64    $a2:3, $a0:1, $a2:3
        }
        {
          nop
          or64      $a4:5, $a4:5, $a2:3
        }
        {
          nop
          or        $a4, $a4, $a5
        }
        {
          atom      %[bits], $a4
          fnop
        }
        {
          or        %[word], %[word], %[bits]
          fnop
        }
      )"
      : [bits] "=&r"(bits), [word] "+r"(word), [before] "+r"(before), [after] "+r"(after),
        [beta] "+r"(beta), [threshold] "+r"(threshold), [grad_threshold] "+r"(grad_threshold)
      : [masks] "r"(masks), [gain] "r"(gain), [pairs] "r"(pairs)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

// d = through the reset + through the spike, di = gain * d, with SuperSpike's derivative, which is
// spilled to di.
POPSNN_INLINED inline void lif_grad(
    const float* state,           // [2 * pairs]
    const float* beta,            // [2 * pairs]
    const float* threshold,       // [2 * pairs]
    const float* grad_threshold,  // [2 * pairs]
    const float* ds,              // [2 * pairs]
    float* d,                     // [2 * pairs]
    float* di,                    // [2 * pairs]
    const unsigned* masks,        // [5, 2] what a spike takes: the membrane, the
                                  // threshold; zeroed; sign bits, ones as floats
    const float* scalars,         // [2, 2] slope, gain, each twice
    unsigned pairs) {             // at most what `rpt` takes
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[pairs], 25
        fnop
      }
        {
          ld64      $a0:1, $mzero, %[state], 0
          fnop
        }
        {
          ld64      $a2:3, $mzero, %[threshold], 0
          fnop
        }
        {
          ld64      $a6:7, $mzero, %[masks], 3
          f32v2sub  $a4:5, $a0:1, $a2:3
        }
        {
          ld64      $a6:7, $mzero, %[scalars], 0
          andc64    $a4:5, $a4:5, $a6:7
        }
        {
          ld64      $a6:7, $mzero, %[masks], 4
          f32v2mul  $a4:5, $a6:7, $a4:5
        }
        {
          ld64step  $a6:7, $mzero, %[grad_threshold]+=, 1
          f32v2add  $a4:5, $a4:5, $a6:7
        }
        {
          nop
          f32v2mul  $a4:5, $a4:5, $a4:5
        }
        {
          nop
          f32oox    $a4, $a4
        }
        {
          nop
          f32oox    $a5, $a5
        }
        {
          st64      $a4:5, $mzero, %[di], 0
          f32v2cmplt $a6:7, $a0:1, $a6:7
        }
        {
          nop
          f32v2cmplt $a4:5, $a0:1, $a2:3
        }
        {
          ld64      $a4:5, $mzero, %[masks], 1
          and64     $a6:7, $a6:7, $a4:5
        }
        {
          ld64      $a2:3, $mzero, %[masks], 0
          and64     $a4:5, $a4:5, $a2:3
        }
        {
          ld64step  $a2:3, $mzero, %[beta]+=, 1
          and64     $a0:1, $a0:1, $a2:3
        }
        {
          ld64      $a0:1, $mzero, %[d], 0
          or64      $a4:5, $a4:5, $a0:1
        }
        {
          ld64step  $a0:1, $mzero, %[ds]+=, 1
          f32v2mul  $a2:3, $a2:3, $a0:1
        }
        {
          nop
          f32v2mul  $a4:5, $a2:3, $a4:5
        }
        {
          ld64      $a4:5, $mzero, %[di], 0
          f32v2sub  $a0:1, $a0:1, $a4:5
        }
        {
          ld64step  $a4:5, $mzero, %[state]+=, 1
          f32v2mul  $a0:1, $a4:5, $a0:1
        }
        {
          ld64step  $a6:7, $mzero, %[threshold]+=, 1
          andc64    $a0:1, $a0:1, $a6:7
        }
        {
          ld64      $a6:7, $mzero, %[masks], 2
          f32v2cmple $a4:5, $a6:7, $a4:5
        }
        {
          ld64      $a6:7, $mzero, %[scalars], 1
          and64     $a4:5, $a4:5, $a6:7
        }
        {
          nop
          andc64    $a2:3, $a2:3, $a4:5
        }
        {
          nop
          f32v2add  $a0:1, $a2:3, $a0:1
        }
        {
          st64step  $a0:1, $mzero, %[d]+=, 1
          f32v2mul  $a6:7, $a6:7, $a0:1
        }
        {
          st64step  $a6:7, $mzero, %[di]+=, 1
          fnop
        }
      )"
      : [state] "+r"(state), [beta] "+r"(beta), [threshold] "+r"(threshold),
        [grad_threshold] "+r"(grad_threshold), [ds] "+r"(ds), [d] "+r"(d), [di] "+r"(di)
      : [masks] "r"(masks), [scalars] "r"(scalars), [pairs] "r"(pairs)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

template <>
struct Pairs<Lif> {
  static constexpr bool kStep = true;
  static constexpr bool grads(Surrogate kind) { return kind == Surrogate::SuperSpike; }

  POPSNN_INLINED static ChunkBits step(
      Reset reset,
      const float* parameters,  // [kParameters, neurons], at the first of them
      unsigned neurons,
      const float* before,  // [2 * pairs]
      float* after,         // [2 * pairs]
      unsigned pairs,
      const float* gain) {  // [1]
    const float* const beta = parameters + Lif::kBeta * neurons;
    const float* const threshold = parameters + Lif::kThreshold * neurons;
    const float* const grad_threshold = parameters + Lif::kGradThreshold * neurons;
    constexpr unsigned kMost = kChunk / 4;  // pairs of a half
    unsigned first = pairs < kMost ? pairs : kMost, second = pairs - first;
    if (reset == Reset::Zero) {
#define POPSNN_PAIR(p)                                                             \
  {                                                                                \
    {1u << 2 * (p), 2u << 2 * (p)}, { 1u << (2 * (p) + 16), 2u << (2 * (p) + 16) } \
  }
      alignas(8) static constexpr unsigned kBits[kMost][2][2] = {
          POPSNN_PAIR(0), POPSNN_PAIR(1), POPSNN_PAIR(2), POPSNN_PAIR(3),
          POPSNN_PAIR(4), POPSNN_PAIR(5), POPSNN_PAIR(6), POPSNN_PAIR(7)};
#undef POPSNN_PAIR
      lif_step_zero(before, after, beta, threshold, grad_threshold, kBits[0][0], gain, first,
                    second);
      return {first, second};
    }
    alignas(8) static constexpr unsigned kMasks[3][4][2] = {
        {{~0u, ~0u}, {0, 0}, {1u << 14, 1u << 15}, {1u << 30, 1u << 31}},
        {{0, 0}, {~0u, ~0u}, {1u << 14, 1u << 15}, {1u << 30, 1u << 31}},
        {{0, 0}, {0, 0}, {1u << 14, 1u << 15}, {1u << 30, 1u << 31}}};  // by Reset
    const auto half = [=](unsigned begin, unsigned size) POPSNN_INLINED {
      unsigned word = 0;
      lif_step(before + begin, after + begin, beta + begin, threshold + begin,
               grad_threshold + begin, kMasks[unsigned(reset)][0], gain, size, word);
      const unsigned shift = 2 * (kMost - size);  // the last neuron's bit is a half's highest
      return (word & 0xFFFF) >> shift | word >> shift >> 16 << 16;
    };
    return {half(0, first), second > 0 ? half(2 * first, second) : 0u};
  }

  POPSNN_INLINED static void grad(
      Reset reset, bool attached,
      const float* parameters,  // [kParameters, neurons]
      unsigned neurons,
      const float* state,  // [2 * pairs]
      const float* ds,     // [2 * pairs]
      float* d,            // [2 * pairs]
      float* di,           // [2 * pairs]
      unsigned pairs,
      const float* scalars) {  // [3, 2] the surrogate's parameter, gain, one, each twice
    const float* const beta = parameters + Lif::kBeta * neurons;
    const float* const threshold = parameters + Lif::kThreshold * neurons;
    const float* const grad_threshold = parameters + Lif::kGradThreshold * neurons;
    if (reset == Reset::Zero && !attached)
      return lif_grad_zero(state, beta, threshold, grad_threshold, ds, d, di, scalars, pairs - 1);
    constexpr unsigned kSign = 1u << 31, kOne = 0x3F800000;
    alignas(8) static constexpr unsigned kMasks[2][3][5][2] = {
        // by `attached` and Reset
        {{{0, 0}, {0, 0}, {~0u, ~0u}, {kSign, kSign}, {kOne, kOne}},
         {{0, 0}, {0, 0}, {0, 0}, {kSign, kSign}, {kOne, kOne}},
         {{0, 0}, {0, 0}, {0, 0}, {kSign, kSign}, {kOne, kOne}}},
        {{{~0u, ~0u}, {0, 0}, {~0u, ~0u}, {kSign, kSign}, {kOne, kOne}},
         {{0, 0}, {~0u, ~0u}, {0, 0}, {kSign, kSign}, {kOne, kOne}},
         {{0, 0}, {0, 0}, {0, 0}, {kSign, kSign}, {kOne, kOne}}}};
    lif_grad(state, beta, threshold, grad_threshold, ds, d, di,
             kMasks[attached][unsigned(reset)][0], scalars, pairs);
  }
};

}  // namespace ipu
}  // namespace popsnn
