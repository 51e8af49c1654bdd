// Sums of rows in the IPU's assembly; rows_ipu.hpp tells how to read this text.
#pragma once

#include "common/stretches_ipu.hpp"

namespace popsnn {
namespace ipu {

// sum[0:2] = sum of one row and `more` after it, at most what `rpt` takes.
inline void sum_pair(const float* rows,  // [1 + more, 2 * stride], at the first column
                     unsigned stride,    // pairs from row to row
                     unsigned more,
                     float* sum) {  // [2]
  asm volatile(
      R"(
      {
        ld64step    $a0:1, $mzero, %[rows]+=, %[stride]
        mov         $a2:3, $azeros
      }
      .align 8
      {
        rpt         %[more], 0
        fnop
      }
        {
          ld64step  $a0:1, $mzero, %[rows]+=, %[stride]
          f32v2add  $a2:3, $a2:3, $a0:1
        }
      f32v2add      $a2:3, $a2:3, $a0:1
      st64          $a2:3, $mzero, %[sum], 0
      )"
      : [rows] "+r"(rows)
      : [stride] "r"(stride), [more] "r"(more), [sum] "r"(sum)
      : "$a0:1", "$a2:3", "memory");
}

}  // namespace ipu
}  // namespace popsnn
