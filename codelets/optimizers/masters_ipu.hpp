// Weights of two halves to floats and back in the IPU's assembly; masters.hpp defines the halves
// and common/rows_ipu.hpp tells how to read this text. At most as many pairs as `rpt` can count.
#pragma once
#include <poplar/HalfFloat.hpp>

namespace popsnn {
namespace ipu {

// whole = value + scale * rest
inline void widen_pairs(const half* value,   // [2 * pairs]
                        const half* rest,    // [2 * pairs]
                        const float* scale,  // [2] twice the same
                        unsigned pairs,
                        float* whole) {  // [2 * pairs]
  asm volatile(
      R"(
      ld64          $a6:7, $mzero, %[scale], 0
      .align 8
      {
        rpt         %[pairs], 5
        fnop
      }
        {
          ld32step  $a0, $mzero, %[rest]+=, 1
          fnop
        }
        {
          ld32step  $a2, $mzero, %[value]+=, 1
          f16v2tof32 $a0:1, $a0
        }
        {
          nop
          f16v2tof32 $a2:3, $a2
        }
        {
          nop
          f32v2mul  $a0:1, $a6:7, $a0:1
        }
        {
          nop
          f32v2add  $a0:1, $a0:1, $a2:3
        }
        {
          st64step  $a0:1, $mzero, %[whole]+=, 1
          fnop
        }
      )"
      : [value] "+r"(value), [rest] "+r"(rest), [whole] "+r"(whole)
      : [scale] "r"(scale), [pairs] "r"(pairs)
      : "$a0:1", "$a2:3", "$a6:7", "memory");
}

// value = whole, rounded; rest = scale * (whole - value), rounded
inline void narrow_pairs(const float* whole,  // [2 * pairs]
                         const float* scale,  // [2] twice the same
                         unsigned pairs,
                         half* value,   // [2 * pairs]
                         half* rest) {  // [2 * pairs]
  asm volatile(
      R"(
      ld64          $a6:7, $mzero, %[scale], 0
      .align 8
      {
        rpt         %[pairs], 6
        fnop
      }
        {
          ld64step  $a0:1, $mzero, %[whole]+=, 1
          fnop
        }
        {
          nop
          f32v2tof16 $a4, $a0:1
        }
        {
          st32step  $a4, $mzero, %[value]+=, 1
          f16v2tof32 $a2:3, $a4
        }
        {
          nop
          f32v2sub  $a0:1, $a0:1, $a2:3
        }
        {
          nop
          f32v2mul  $a0:1, $a6:7, $a0:1
        }
        {
          nop
          f32v2tof16 $a5, $a0:1
        }
        {
          st32step  $a5, $mzero, %[rest]+=, 1
          fnop
        }
      )"
      : [value] "+r"(value), [rest] "+r"(rest), [whole] "+r"(whole)
      : [scale] "r"(scale), [pairs] "r"(pairs)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

}  // namespace ipu
}  // namespace popsnn
