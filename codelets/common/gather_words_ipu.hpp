// sum += rows[ids[k]] of 16-bit rows in the IPU's assembly, for rows of an odd number of 32-bit
// words, which begin on 4 bytes: they are loaded word by word, in blocks of columns.
//
// gather_half_ipu.hpp says what the accumulators do and rows_ipu.hpp how to read this text.
#pragma once
#include <poplar/HalfFloat.hpp>
#include <poplar/TileConstants.hpp>

namespace popsnn {
namespace ipu {

// sum[0:2] += sum over k of rows[ids[k]]; count at most what `rpt` takes.
inline void gather_words2(const half* rows,           // [inputs, stride / 2], at the first column
                          unsigned stride,            // bytes from row to row
                          const unsigned short* ids,  // [count]
                          unsigned count,
                          float* sum) {  // [2]
  unsigned at;
  asm volatile(
      R"(
      {
        ld64        $a0:1, $mzero, %[sum], 0
        mov         $a2:3, $azeros
      }
      mov           $a4, $azero
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
        }
      f32v2add      $a0:1, $a0:1, $a2:3
      f16v2tof32    $a2:3, $a4
      f32v2add      $a0:1, $a0:1, $a2:3
      st64          $a0:1, $mzero, %[sum], 0
      )"
      : [at] "=&r"(at), [ids] "+r"(ids)
      : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [sum] "r"(sum)
      : "$a0:1", "$a2:3", "$a4", "memory");
}

// sum[0:6] += sum over k of rows[ids[k]]; count at most what `rpt` takes. The fourth word
// stays zero.
inline void gather_words6(const half* rows,           // [inputs, stride / 2], at the first column
                          unsigned stride,            // bytes from row to row
                          const unsigned short* ids,  // [count]
                          unsigned count,
                          float* sum) {  // [6]
  unsigned at;
  asm volatile(
      R"(
      {
        ld64        $a0:1, $mzero, %[sum], 0
        fnop
      }
      {
        ld64        $a2:3, $mzero, %[sum], 1
        f32v2gina   $azeros, $a0:1, 0
      }
      {
        ld64        $a4:5, $mzero, %[sum], 2
        f32v2gina   $azeros, $a2:3, 0
      }
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
        }
      f16v8acc      $a0:3
      f32v2gina     $a0:1, $azeros, 0
      {
        st64        $a0:1, $mzero, %[sum], 0
        f32v2gina   $a2:3, $azeros, 0
      }
      {
        st64        $a2:3, $mzero, %[sum], 1
        f32v2gina   $a0:1, $azeros, 0
      }
      st64          $a0:1, $mzero, %[sum], 2
      )"
      : [at] "=&r"(at), [ids] "+r"(ids)
      : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [sum] "r"(sum)
      : "$a0:1", "$a2:3", "$a4:5", "memory");
}

// sum[0:8] += sum over k of rows[ids[k]]; count at most what `rpt` takes.
inline void gather_words8(const half* rows,           // [inputs, stride / 2], at the first column
                          unsigned stride,            // bytes from row to row
                          const unsigned short* ids,  // [count]
                          unsigned count,
                          float* sum) {  // [8]
  unsigned at;
  asm volatile(
      R"(
      {
        ld64        $a0:1, $mzero, %[sum], 0
        fnop
      }
      {
        ld64        $a2:3, $mzero, %[sum], 1
        f32v2gina   $azeros, $a0:1, 0
      }
      {
        ld64        $a4:5, $mzero, %[sum], 2
        f32v2gina   $azeros, $a2:3, 0
      }
      {
        ld64        $a6:7, $mzero, %[sum], 3
        f32v2gina   $azeros, $a4:5, 0
      }
      {
        nop
        f32v2gina   $azeros, $a6:7, 0
      }
      {
        nop
        mov         $a0:1, $azeros
      }
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
        }
      f16v8acc      $a0:3
      f32v2gina     $a0:1, $azeros, 0
      {
        st64        $a0:1, $mzero, %[sum], 0
        f32v2gina   $a2:3, $azeros, 0
      }
      {
        st64        $a2:3, $mzero, %[sum], 1
        f32v2gina   $a0:1, $azeros, 0
      }
      {
        st64        $a0:1, $mzero, %[sum], 2
        f32v2gina   $a2:3, $azeros, 0
      }
      st64          $a2:3, $mzero, %[sum], 3
      )"
      : [at] "=&r"(at), [ids] "+r"(ids)
      : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [sum] "r"(sum)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

}  // namespace ipu
}  // namespace popsnn
