// Sums of vectors in the IPU's assembly; rows_ipu.hpp tells how to read this text.
#pragma once

namespace popsnn {
namespace ipu {

// sum[0:2] += other for one pair and `more` after it, at most what `rpt` takes.
inline void add_pairs(const float* other,  // [2 + 2 * more]
                      unsigned more,
                      float* sum) {  // [2 + 2 * more]
  asm volatile(
      R"(
      ld64          $a0:1, $mzero, %[sum], 0
      ld64step      $a2:3, $mzero, %[other]+=, 1
      .align 8
      {
        rpt         %[more], 2
        fnop
      }
        {
          ld64      $a4:5, $mzero, %[sum], 1
          f32v2add  $a0:1, $a0:1, $a2:3
        }
        {
          ld64step  $a2:3, $mzero, %[other]+=, 1
          fnop
        }
        {
          st64step  $a0:1, $mzero, %[sum]+=, 1
          mov       $a0:1, $a4:5
        }
      f32v2add      $a0:1, $a0:1, $a2:3
      st64          $a0:1, $mzero, %[sum], 0
      )"
      : [other] "+r"(other), [sum] "+r"(sum)
      : [more] "r"(more)
      : "$a0:1", "$a2:3", "$a4:5", "memory");
}

}  // namespace ipu
}  // namespace popsnn
