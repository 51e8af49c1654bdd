// Adam's update of pairs of parameters in the IPU's assembly; adam_update.cpp says what it computes
// and rows_ipu.hpp how to read this text.
#pragma once

namespace popsnn {
namespace ipu {

// pairs at most what `rpt` takes. Settings: decay, 1 - beta1, beta1, 1 - beta2, beta2, step size,
// root correction, epsilon, shrink, each twice.
inline void adam_pairs(const float* settings,  // [9, 2]
                       const float* gradient,  // [2 * pairs]
                       unsigned pairs,
                       float* first,        // [2 * pairs] moment
                       float* second,       // [2 * pairs] moment
                       float* parameter) {  // [2 * pairs]
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[pairs], 22
        fnop
      }
        {
          ld64      $a4:5, $mzero, %[parameter], 0
          fnop
        }
        {
          ld64      $a6:7, $mzero, %[settings], 0
          fnop
        }
        {
          ld64step  $a0:1, $mzero, %[gradient]+=, 1
          f32v2mul  $a2:3, $a6:7, $a4:5
        }
        {
          ld64      $a6:7, $mzero, %[settings], 1
          f32v2add  $a0:1, $a0:1, $a2:3
        }
        {
          ld64      $a2:3, $mzero, %[first], 0
          f32v2mul  $a6:7, $a6:7, $a0:1
        }
        {
          ld64      $a4:5, $mzero, %[settings], 2
          fnop
        }
        {
          ld64      $a4:5, $mzero, %[settings], 3
          f32v2mul  $a2:3, $a4:5, $a2:3
        }
        {
          nop
          f32v2add  $a2:3, $a2:3, $a6:7
        }
        {
          st64step  $a2:3, $mzero, %[first]+=, 1
          f32v2mul  $a6:7, $a4:5, $a0:1
        }
        {
          ld64      $a4:5, $mzero, %[second], 0
          f32v2mul  $a6:7, $a6:7, $a0:1
        }
        {
          ld64      $a0:1, $mzero, %[settings], 4
          fnop
        }
        {
          ld64      $a0:1, $mzero, %[settings], 5
          f32v2mul  $a4:5, $a0:1, $a4:5
        }
        {
          nop
          f32v2add  $a4:5, $a4:5, $a6:7
        }
        {
          st64step  $a4:5, $mzero, %[second]+=, 1
          f32v2mul  $a2:3, $a0:1, $a2:3
        }
        {
          ld64      $a6:7, $mzero, %[settings], 6
          f32sqrt   $a4, $a4
        }
        {
          nop
          f32sqrt   $a5, $a5
        }
        {
          ld64      $a6:7, $mzero, %[settings], 7
          f32v2mul  $a4:5, $a4:5, $a6:7
        }
        {
          ld64      $a0:1, $mzero, %[parameter], 0
          f32v2add  $a4:5, $a4:5, $a6:7
        }
        {
          ld64      $a6:7, $mzero, %[settings], 8
          f32div    $a2, $a2, $a4
        }
        {
          nop
          f32div    $a3, $a3, $a5
        }
        {
          nop
          f32v2mul  $a0:1, $a6:7, $a0:1
        }
        {
          nop
          f32v2sub  $a0:1, $a0:1, $a2:3
        }
        {
          st64step  $a0:1, $mzero, %[parameter]+=, 1
          fnop
        }
      )"
      : [gradient] "+r"(gradient), [first] "+r"(first), [second] "+r"(second),
        [parameter] "+r"(parameter)
      : [settings] "r"(settings), [pairs] "r"(pairs)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

}  // namespace ipu
}  // namespace popsnn
