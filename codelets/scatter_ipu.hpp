// rows[ids[k]] += vector in the IPU's assembly, by width of the rows or of a block of their
// columns.
//
// A register offset counts elements of the access's size, so that for rows of 8 bytes an id is
// the offset of its row; wider rows take a product by their length. rows_ipu.hpp tells how to read
// this text.
#pragma once

namespace popsnn {
namespace ipu {

// rows[ids[k]] += vector for `pairs` times two ids, then for one more where `odd`; ids differ.
inline void scatter2(float* rows,                // [inputs, 2]
                     const unsigned short* ids,  // [2 * pairs + odd]
                     unsigned pairs, unsigned odd,
                     const float* vector) {  // [2]
  unsigned first, second;
  asm volatile(
      R"(
      ld64          $a0:1, $mzero, %[vector], 0
      .align 8
      {
        rpt         %[pairs], 5
        fnop
      }
        {
          ldz16step %[first], $mzero, %[ids]+=, 1
          fnop
        }
        {
          ldz16step %[second], $mzero, %[ids]+=, 1
          fnop
        }
        {
          ld64      $a2:3, $mzero, %[rows], %[first]
          fnop
        }
        {
          ld64      $a4:5, $mzero, %[rows], %[second]
          f32v2add  $a2:3, $a2:3, $a0:1
        }
        {
          st64      $a2:3, $mzero, %[rows], %[first]
          f32v2add  $a4:5, $a4:5, $a0:1
        }
        {
          st64      $a4:5, $mzero, %[rows], %[second]
          fnop
        }
      brz           %[odd], 1f
      ldz16step     %[first], $mzero, %[ids]+=, 1
      ld64          $a2:3, $mzero, %[rows], %[first]
      f32v2add      $a2:3, $a2:3, $a0:1
      st64          $a2:3, $mzero, %[rows], %[first]
      1:
      )"
      : [first] "=&r"(first), [second] "=&r"(second), [ids] "+r"(ids)
      : [rows] "r"(rows), [pairs] "r"(pairs), [odd] "r"(odd), [vector] "r"(vector)
      : "$a0:1", "$a2:3", "$a4:5", "memory");
}

// rows[ids[k]] += vector for two columns of wider rows, for `pairs` times two ids, then for one
// more where `odd`; ids differ.
inline void scatter_pair(float* rows,                // [inputs, stride / 4], at the first column
                         unsigned stride,            // bytes from row to row
                         const unsigned short* ids,  // [2 * pairs + odd]
                         unsigned pairs, unsigned odd,
                         const float* vector) {  // [2]
  unsigned first, second;
  asm volatile(
      R"(
      ld64          $a0:1, $mzero, %[vector], 0
      .align 8
      {
        rpt         %[pairs], 7
        fnop
      }
        {
          ldz16step %[first], $mzero, %[ids]+=, 1
          fnop
        }
        {
          ldz16step %[second], $mzero, %[ids]+=, 1
          fnop
        }
        {
          mul       %[first], %[first], %[stride]
          fnop
        }
        {
          mul       %[second], %[second], %[stride]
          fnop
        }
        {
          ld64      $a2:3, %[first], %[rows], 0
          fnop
        }
        {
          ld64      $a4:5, %[second], %[rows], 0
          f32v2add  $a2:3, $a2:3, $a0:1
        }
        {
          st64      $a2:3, %[first], %[rows], 0
          f32v2add  $a4:5, $a4:5, $a0:1
        }
        {
          st64      $a4:5, %[second], %[rows], 0
          fnop
        }
      brz           %[odd], 1f
      ldz16step     %[first], $mzero, %[ids]+=, 1
      mul           %[first], %[first], %[stride]
      ld64          $a2:3, %[first], %[rows], 0
      f32v2add      $a2:3, $a2:3, $a0:1
      st64          $a2:3, %[first], %[rows], 0
      1:
      )"
      : [first] "=&r"(first), [second] "=&r"(second), [ids] "+r"(ids)
      : [rows] "r"(rows), [stride] "r"(stride), [pairs] "r"(pairs), [odd] "r"(odd),
        [vector] "r"(vector)
      : "$a0:1", "$a2:3", "$a4:5", "memory");
}

// rows[ids[k]] += vector; ids differ; count at most what `rpt` takes.
inline void scatter4(float* rows,                // [inputs, stride / 4], at the first column
                     unsigned stride,            // bytes from row to row
                     const unsigned short* ids,  // [count]
                     unsigned count,
                     const float* vector) {  // [4]
  unsigned at;
  asm volatile(
      R"(
      ld64          $a0:1, $mzero, %[vector], 0
      ld64          $a2:3, $mzero, %[vector], 1
      .align 8
      {
        rpt         %[count], 5
        fnop
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          fnop
        }
        {
          mul       %[at], %[at], %[stride]
          fnop
        }
        {
          ld64      $a4:5, %[at], %[rows], 0
          fnop
        }
        {
          ld64      $a6:7, %[at], %[rows], 1
          f32v2add  $a4:5, $a4:5, $a0:1
        }
        {
          st64      $a4:5, %[at], %[rows], 0
          f32v2add  $a6:7, $a6:7, $a2:3
        }
        {
          st64      $a6:7, %[at], %[rows], 1
          fnop
        }
      )"
      : [at] "=&r"(at), [ids] "+r"(ids)
      : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [vector] "r"(vector)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

}  // namespace ipu
}  // namespace popsnn
