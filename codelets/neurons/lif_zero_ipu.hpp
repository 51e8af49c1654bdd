// The loops of Lif over pairs of neurons in the IPU's assembly where a spike zeroes the membrane,
// and no gradient passes the reset: the usual options, which need fewer masks than lif_ipu.hpp.
//
// Loads for the next turn fill the last bundles of a turn: a loop loads, and does not use, the pair
// after its last one. cycles.hpp counts the bundles, and tests/codelets/neurons/test_lif_ipu.py
// runs this text bundle by bundle.
#pragma once

#include "lif.hpp"
#include "pairs_ipu.hpp"

// The loop of lif_step_zero, which has it twice.
#define POPSNN_STEP_ZERO_LOOP                                   \
  "\n        {"                                                 \
  "\n          ld64      $a6:7, $mzero, %[after], 0"            \
  "\n          f32v2cmple $a2:3, $a2:3, $a0:1"                  \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld32      $a2, $mzero, %[gain], 0"               \
  "\n          andc64    $a0:1, $a0:1, $a2:3"                   \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld64step  $a2:3, $mzero, %[beta]+=, 1"           \
  "\n          f32v2mul  $a6:7, $a2:B, $a6:7"                   \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld64step  $a2:3, $mzero, %[threshold]+=, 1"      \
  "\n          f32v2mul  $a0:1, $a2:3, $a0:1"                   \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld64step  $a6:7, $mzero, %[grad_threshold]+=, 1" \
  "\n          f32v2add  $a0:1, $a0:1, $a6:7"                   \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          st64step  $a0:1, $mzero, %[after]+=, 1"          \
  "\n          f32v2cmple $a2:3, $a2:3, $a0:1"                  \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld64step  $a0:1, $mzero, %[bits]+=, 1"           \
  "\n          f32v2cmplt $a6:7, $a0:1, $a6:7"                  \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld64step  $a0:1, $mzero, %[bits]+=, 1"           \
  "\n          and64     $a2:3, $a2:3, $a0:1"                   \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld64step  $a0:1, $mzero, %[before]+=, 1"         \
  "\n          andc64    $a6:7, $a0:1, $a6:7"                   \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld64      $a2:3, $mzero, %[threshold], 0"        \
  "\n          or64      $a4:5, $a4:5, $a2:3"                   \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          nop"                                             \
  "\n          or64      $a4:5, $a4:5, $a6:7"                   \
  "\n        }"

// The bundles of a turn of lif_grad_zero up to the sum of the gradients.
#define POPSNN_GRAD_ZERO_PAIR                                   \
  "\n        {"                                                 \
  "\n          ld64      $a6:7, $mzero, %[scalars], 0"          \
  "\n          f32v2sub  $a0:1, $a2:3, $a4:5"                   \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld64      $a6:7, $mzero, %[scalars], 2"          \
  "\n          f32v2mul  $a0:1, $a6:7, $a0:1"                   \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld64step  $a6:7, $mzero, %[grad_threshold]+=, 1" \
  "\n          f32v2absadd $a0:1, $a0:1, $a6:7"                 \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          nop"                                             \
  "\n          f32v2mul  $a0:1, $a0:1, $a0:1"                   \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          nop"                                             \
  "\n          f32oox    $a0, $a0"                              \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          nop"                                             \
  "\n          f32oox    $a1, $a1"                              \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          nop"                                             \
  "\n          f32v2cmplt $a4:5, $a2:3, $a4:5"                  \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld64step  $a2:3, $mzero, %[ds]+=, 1"             \
  "\n          f32v2cmplt $a6:7, $a2:3, $a6:7"                  \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          nop"                                             \
  "\n          and64     $a6:7, $a6:7, $a4:5"                   \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld64      $a2:3, $mzero, %[d], 0"                \
  "\n          f32v2mul  $a0:1, $a0:1, $a2:3"                   \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld64step  $a6:7, $mzero, %[beta]+=, 1"           \
  "\n          andc64    $a0:1, $a0:1, $a6:7"                   \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld64      $a6:7, $mzero, %[scalars], 1"          \
  "\n          f32v2mul  $a2:3, $a6:7, $a2:3"                   \
  "\n        }"                                                 \
  "\n        {"                                                 \
  "\n          ld64step  $a4:5, $mzero, %[threshold]+=, 1"      \
  "\n          and64     $a2:3, $a2:3, $a4:5"                   \
  "\n        }"

namespace popsnn {
namespace ipu {

// v = beta * reset(v) + gain * sum and the bits of both masks: of the first 8 pairs to `pairs`, of
// 8 more to `more`, each the fired neurons in the low half and those above the gradient threshold
// in the high half.
POPSNN_INLINED inline void lif_step_zero(const float* before,  // [2 * (pairs + more + 1)]
                                         float* after,         // [2 * (pairs + more)] the synaptic
                                                               // sums on entry
                                         const float* beta,    // [2 * (pairs + more)]
                                         const float* threshold,       // [2 * (pairs + more + 1)]
                                         const float* grad_threshold,  // [2 * (pairs + more)]
                                         const unsigned* bits,  // [8, 2, 2] of a pair: fired, above
                                                                // the gradient threshold
                                         const float* gain,     // [1]
                                         unsigned& pairs,       // 8 where `more` is not 0
                                         unsigned& more) {
  asm volatile(
      R"(
      {
        ld64step    $a0:1, $mzero, %[before]+=, 1
        mov         $a4:5, $azeros
      }
      ld64          $a2:3, $mzero, %[threshold], 0
      .align 8
      {
        rpt         %[pairs], 10
        fnop
      }
      )" POPSNN_STEP_ZERO_LOOP R"(
      or            $a4, $a4, $a5
      {
        atom        %[pairs], $a4
        mov         $a4:5, $azeros
      }
      brz           %[more], 1f
      add           %[bits], %[bits], -128
      .align 8
      {
        rpt         %[more], 10
        fnop
      }
      )" POPSNN_STEP_ZERO_LOOP R"(
      or            $a4, $a4, $a5
      atom          %[more], $a4
      1:
      )"
      : [pairs] "+r"(pairs), [more] "+r"(more), [before] "+r"(before), [after] "+r"(after),
        [beta] "+r"(beta), [threshold] "+r"(threshold), [grad_threshold] "+r"(grad_threshold),
        [bits] "+r"(bits)
      : [gain] "r"(gain)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

// d = through the reset + through the spike, di = gain * d, with SuperSpike's derivative.
POPSNN_INLINED inline void lif_grad_zero(
    const float* state,           // [2 * (1 + more)]
    const float* beta,            // [2 * (1 + more)]
    const float* threshold,       // [2 * (2 + more)]
    const float* grad_threshold,  // [2 * (1 + more)]
    const float* ds,              // [2 * (1 + more)]
    float* d,                     // [2 * (1 + more)]
    float* di,                    // [2 * (1 + more)]
    const float* scalars,         // [3, 2] slope, gain, one, each
                                  // twice; the slope is not negative
    unsigned more) {              // pairs after the first, at most what `rpt` takes
  asm volatile(
      R"(
      ld64step      $a4:5, $mzero, %[threshold]+=, 1
      ld64step      $a2:3, $mzero, %[state]+=, 1
      .align 8
      {
        rpt         %[more], 15
        fnop
      }
      )" POPSNN_GRAD_ZERO_PAIR R"(
        {
          ld64step  $a0:1, $mzero, %[state]+=, 1
          f32v2add  $a2:3, $a2:3, $a0:1
        }
        {
          st64step  $a2:3, $mzero, %[d]+=, 1
          f32v2mul  $a6:7, $a6:7, $a2:3
        }
        {
          st64step  $a6:7, $mzero, %[di]+=, 1
          mov       $a2:3, $a0:1
        }
      )" POPSNN_GRAD_ZERO_PAIR R"(
      f32v2add      $a2:3, $a2:3, $a0:1
      {
        st64step    $a2:3, $mzero, %[d]+=, 1
        f32v2mul    $a6:7, $a6:7, $a2:3
      }
      st64step      $a6:7, $mzero, %[di]+=, 1
      )"
      : [state] "+r"(state), [beta] "+r"(beta), [threshold] "+r"(threshold),
        [grad_threshold] "+r"(grad_threshold), [ds] "+r"(ds), [d] "+r"(d), [di] "+r"(di)
      : [scalars] "r"(scalars), [more] "r"(more)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

}  // namespace ipu
}  // namespace popsnn
