// sum += rows[ids[k]] of 16-bit rows in the IPU's assembly, for rows of an odd number of 32-bit
// words, which begin on 4 bytes: they are loaded word by word, in blocks of columns.
//
// gather_half_ipu.hpp says what the accumulators do and rows_ipu.hpp how to read this text.
#pragma once
#include <poplar/HalfFloat.hpp>
#include <poplar/TileConstants.hpp>

#include "assembly_ipu.hpp"
#include "inlined.hpp"

namespace popsnn {
namespace ipu {

// sum[0:2] = from[0:2] + sum over k of rows[ids[k]]; count at most what `rpt` takes.
POPSNN_INLINED inline void gather_words2(
    const half* rows,           // [inputs, stride / 2], at the first column
    unsigned stride,            // bytes from row to row
    const unsigned short* ids,  // [count]
    unsigned count,
    const float* from,  // [2]
    float* sum) {       // [2]
  unsigned at;
  asm volatile(
      POPSNN_LOAD_SUMS2
      R"(
      .align 8
      {
        rpt         %[count], 2
        fnop
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          f32v2add  $a0:1, $a0:1, $a2:3
        }
        {
          mul       %[at], %[at], %[stride]
          fnop
        }
        {
          ld32      $a4, %[at], %[rows], 0
          f16v2tof32 $a2:3, $a4
        })" POPSNN_STORE_HALF_SUMS2
      : [at] "=&r"(at), [ids] "+r"(ids)
      : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [from] "r"(from), [sum] "r"(sum)
      : "$a0:1", "$a2:3", "$a4", "memory");
}

// sum[0:6] = from[0:6] + sum over k of rows[ids[k]]; count at most what `rpt` takes. The fourth
// word stays zero.
POPSNN_INLINED inline void gather_words6(
    const half* rows,           // [inputs, stride / 2], at the first column
    unsigned stride,            // bytes from row to row
    const unsigned short* ids,  // [count]
    unsigned count,
    const float* from,  // [6]
    float* sum) {       // [6]
  unsigned at;
  asm volatile(
      POPSNN_LOAD_SUMS6
      R"(
      {
        nop
        f32v2gina   $azeros, $a4:5, 0
      }
      {
        nop
        f32v2gina   $azeros, $azeros, 0
      }
      {
        nop
        mov         $a0:1, $azeros
      }
      .align 8
      {
        rpt         %[count], 4
        mov         $a2:3, $azeros
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          f16v8acc  $a0:3
        }
        {
          mul       %[at], %[at], %[stride]
          fnop
        }
        {
          ld32      $a0, %[at], %[rows], 0
          fnop
        }
        {
          ld32      $a1, %[at], %[rows], 1
          fnop
        }
        {
          ld32      $a2, %[at], %[rows], 2
          fnop
        })" POPSNN_STORE_HALF_SUMS6
      R"(
      st64          $a0:1, $mzero, %[sum], 2
      )"
      : [at] "=&r"(at), [ids] "+r"(ids)
      : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [from] "r"(from), [sum] "r"(sum)
      : "$a0:1", "$a2:3", "$a4:5", "memory");
}

// sum[0:8] = from[0:8] + sum over k of rows[ids[k]]; count at most what `rpt` takes.
POPSNN_INLINED inline void gather_words8(
    const half* rows,           // [inputs, stride / 2], at the first column
    unsigned stride,            // bytes from row to row
    const unsigned short* ids,  // [count]
    unsigned count,
    const float* from,  // [8]
    float* sum) {       // [8]
  unsigned at;
  asm volatile(
      POPSNN_LOAD_SUMS6 POPSNN_LOAD_SUMS8
      R"(
      .align 8
      {
        rpt         %[count], 5
        mov         $a2:3, $azeros
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          f16v8acc  $a0:3
        }
        {
          mul       %[at], %[at], %[stride]
          fnop
        }
        {
          ld32      $a0, %[at], %[rows], 0
          fnop
        }
        {
          ld32      $a1, %[at], %[rows], 1
          fnop
        }
        {
          ld32      $a2, %[at], %[rows], 2
          fnop
        }
        {
          ld32      $a3, %[at], %[rows], 3
          fnop
        })" POPSNN_STORE_HALF_SUMS6 POPSNN_STORE_HALF_SUMS8
      : [at] "=&r"(at), [ids] "+r"(ids)
      : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [from] "r"(from), [sum] "r"(sum)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

}  // namespace ipu
}  // namespace popsnn
