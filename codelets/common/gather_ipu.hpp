// sum += rows[ids[k]] in the IPU's assembly, by width of the rows or of a block of their columns.
//
// A register offset counts elements of the access's size, so that for rows of 8 bytes an id is
// the offset of its row; wider rows take a product by their length. rows_ipu.hpp tells how to read
// this text.
#pragma once
#include <poplar/TileConstants.hpp>

#include "assembly_ipu.hpp"
#include "inlined.hpp"

namespace popsnn {
namespace ipu {

// sum[0:2] = from[0:2] + sum over k of rows[ids[k]]; count at most what `rpt` takes.
POPSNN_INLINED inline void gather2(const float* rows,          // [inputs, 2]
                                   const unsigned short* ids,  // [count]
                                   unsigned count,
                                   const float* from,  // [2]
                                   float* sum) {       // [2]
  unsigned id;
  asm volatile(
      R"(
      {
        ld64        $a0:1, $mzero, %[from], 0
        mov         $a2:3, $azeros
      }
      .align 8
      {
        rpt         %[count], 1
        fnop
      }
        {
          ldz16step %[id], $mzero, %[ids]+=, 1
          f32v2add  $a0:1, $a0:1, $a2:3
        }
        {
          ld64      $a2:3, $mzero, %[rows], %[id]
          fnop
        }
      f32v2add      $a0:1, $a0:1, $a2:3
      st64          $a0:1, $mzero, %[sum], 0
      )"
      : [id] "=&r"(id), [ids] "+r"(ids)
      : [rows] "r"(rows), [count] "r"(count), [from] "r"(from), [sum] "r"(sum)
      : "$a0:1", "$a2:3", "memory");
}

// sum[0:6] = from[0:6] + sum over k of rows[ids[k]]; count at most what `rpt` takes.
POPSNN_INLINED inline void gather6(const float* rows,  // [inputs, stride / 4], at the first column
                                   unsigned stride,    // bytes from row to row
                                   const unsigned short* ids,  // [count]
                                   unsigned count,
                                   const float* from,  // [6]
                                   float* sum) {       // [6]
  unsigned at;
  asm volatile(
      R"(
      {
        ld64        $a2:3, $mzero, %[from], 0
        mov         $a0:1, $azeros
      }
      ld64          $a4:5, $mzero, %[from], 1
      ld64          $a6:7, $mzero, %[from], 2
      .align 8
      {
        rpt         %[count], 4
        fnop
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          f32v2add  $a6:7, $a6:7, $a0:1
        }
        {
          mul       %[at], %[at], %[stride]
          fnop
        }
        {
          ld64      $a0:1, %[at], %[rows], 0
          fnop
        }
        {
          ld64      $a0:1, %[at], %[rows], 1
          f32v2add  $a2:3, $a2:3, $a0:1
        }
        {
          ld64      $a0:1, %[at], %[rows], 2
          f32v2add  $a4:5, $a4:5, $a0:1
        }
      {
        st64        $a2:3, $mzero, %[sum], 0
        f32v2add    $a6:7, $a6:7, $a0:1
      }
      st64          $a4:5, $mzero, %[sum], 1
      st64          $a6:7, $mzero, %[sum], 2
      )"
      : [at] "=&r"(at), [ids] "+r"(ids)
      : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [from] "r"(from), [sum] "r"(sum)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

// sum[0:10] = from[0:10] + sum over k of rows[ids[k]], in two walks of the list; count at most what
// `rpt` takes.
POPSNN_INLINED inline void gather10(const float* rows,  // [inputs, stride / 4], at the first column
                                    unsigned stride,    // bytes from row to row
                                    const unsigned short* ids,  // [count]
                                    unsigned count,
                                    const float* from,  // [10]
                                    float* sum) {       // [10]
  const unsigned short* again = ids;
  unsigned at;
  asm volatile(
      R"(
      {
        ld64        $a2:3, $mzero, %[from], 0
        mov         $a0:1, $azeros
      }
      ld64          $a4:5, $mzero, %[from], 1
      ld64          $a6:7, $mzero, %[from], 2
      .align 8
      {
        rpt         %[count], 4
        fnop
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          f32v2add  $a6:7, $a6:7, $a0:1
        }
        {
          mul       %[at], %[at], %[stride]
          fnop
        }
        {
          ld64      $a0:1, %[at], %[rows], 0
          fnop
        }
        {
          ld64      $a0:1, %[at], %[rows], 1
          f32v2add  $a2:3, $a2:3, $a0:1
        }
        {
          ld64      $a0:1, %[at], %[rows], 2
          f32v2add  $a4:5, $a4:5, $a0:1
        }
      {
        st64        $a2:3, $mzero, %[sum], 0
        f32v2add    $a6:7, $a6:7, $a0:1
      }
      st64          $a4:5, $mzero, %[sum], 1
      st64          $a6:7, $mzero, %[sum], 2
      {
        ld64        $a2:3, $mzero, %[from], 3
        mov         $a0:1, $azeros
      }
      ld64          $a4:5, $mzero, %[from], 4
      .align 8
      {
        rpt         %[count], 3
        fnop
      }
        {
          ldz16step %[at], $mzero, %[again]+=, 1
          f32v2add  $a4:5, $a4:5, $a0:1
        }
        {
          mul       %[at], %[at], %[stride]
          fnop
        }
        {
          ld64      $a0:1, %[at], %[rows], 3
          fnop
        }
        {
          ld64      $a0:1, %[at], %[rows], 4
          f32v2add  $a2:3, $a2:3, $a0:1
        }
      {
        st64        $a2:3, $mzero, %[sum], 3
        f32v2add    $a4:5, $a4:5, $a0:1
      }
      st64          $a4:5, $mzero, %[sum], 4
      )"
      : [at] "=&r"(at), [ids] "+r"(ids), [again] "+r"(again)
      : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [from] "r"(from), [sum] "r"(sum)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

// sum[0:8] = from[0:8] + sum over k of rows[ids[k]]; count at most what `rpt` takes. The first four
// columns are summed by the accumulators of f32v4acc.
POPSNN_INLINED inline void gather8(const float* rows,  // [inputs, stride / 4], at the first column
                                   unsigned stride,    // bytes from row to row
                                   const unsigned short* ids,  // [count]
                                   unsigned count,
                                   const float* from,  // [8]
                                   float* sum) {       // [8]
  unsigned at;
  asm volatile(POPSNN_LOAD_SUMS4
               R"(
      ld64          $a4:5, $mzero, %[from], 2
      ld64          $a6:7, $mzero, %[from], 3
      .align 8
      {
        rpt         %[count], 5
        fnop
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          f32v4acc  $a0:3
        }
        {
          mul       %[at], %[at], %[stride]
          fnop
        }
        {
          ld64      $a0:1, %[at], %[rows], 2
          fnop
        }
        {
          ld64      $a2:3, %[at], %[rows], 3
          f32v2add  $a4:5, $a4:5, $a0:1
        }
        {
          ld64      $a0:1, %[at], %[rows], 0
          f32v2add  $a6:7, $a6:7, $a2:3
        }
        {
          ld64      $a2:3, %[at], %[rows], 1
          fnop
        }
      {
        st64        $a4:5, $mzero, %[sum], 2
        f32v4acc    $a0:3
      }
      {
        st64        $a6:7, $mzero, %[sum], 3
        f32v2gina   $a0:1, $azeros, 0
      })" POPSNN_STORE_SUMS4
               : [at] "=&r"(at), [ids] "+r"(ids)
               : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [from] "r"(from),
                 [sum] "r"(sum), [clear] "i"(1 << CSR_W_FP_CLR__ZAACC__SHIFT)
               : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

// sum[0:4] = from[0:4] + sum over k of rows[ids[k]] for rows of whole 128 bits in interleaved
// memory: an accumulator has each sum.
POPSNN_INLINED inline void gather4_quad(
    const float* rows,          // [inputs, stride / 4], at the first column
    unsigned stride,            // bytes from row to row
    const unsigned short* ids,  // [count]
    unsigned count,
    const float* from,  // [4]
    float* sum) {       // [4]
  unsigned at;
  asm volatile(POPSNN_LOAD_SUMS4
               R"(
      .align 8
      {
        rpt         %[count], 2
        fnop
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          f32v4acc  $a0:3
        }
        {
          mul       %[at], %[at], %[stride]
          fnop
        }
        {
          ld128     $a0:3, %[at], %[rows], 0
          fnop
        }
      f32v4acc      $a0:3
      f32v2gina     $a0:1, $azeros, 0)" POPSNN_STORE_SUMS4
               : [at] "=&r"(at), [ids] "+r"(ids)
               : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [from] "r"(from),
                 [sum] "r"(sum), [clear] "i"(1 << CSR_W_FP_CLR__ZAACC__SHIFT)
               : "$a0:1", "$a2:3", "$a4", "memory");
}

// gather8 for rows of whole 128 bits in interleaved memory.
POPSNN_INLINED inline void gather8_quads(
    const float* rows,          // [inputs, stride / 4], at the first column
    unsigned stride,            // bytes from row to row
    const unsigned short* ids,  // [count]
    unsigned count,
    const float* from,  // [8]
    float* sum) {       // [8]
  unsigned at;
  asm volatile(POPSNN_LOAD_SUMS4
               R"(
      {
        ld64        $a4:5, $mzero, %[from], 2
        f32v4acc    $a0:3
      }
      {
        ld64        $a6:7, $mzero, %[from], 3
        mov         $a0:1, $azeros
      }
      .align 8
      {
        rpt         %[count], 3
        mov         $a2:3, $azeros
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          f32v2add  $a4:5, $a4:5, $a0:1
        }
        {
          mul       %[at], %[at], %[stride]
          f32v2add  $a6:7, $a6:7, $a2:3
        }
        {
          ld128     $a0:3, %[at], %[rows], 0
          fnop
        }
        {
          ld128     $a0:3, %[at], %[rows], 1
          f32v4acc  $a0:3
        }
      f32v2add      $a4:5, $a4:5, $a0:1
      {
        st64        $a4:5, $mzero, %[sum], 2
        f32v2add    $a6:7, $a6:7, $a2:3
      }
      {
        st64        $a6:7, $mzero, %[sum], 3
        f32v2gina   $a0:1, $azeros, 0
      })" POPSNN_STORE_SUMS4
               : [at] "=&r"(at), [ids] "+r"(ids)
               : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [from] "r"(from),
                 [sum] "r"(sum), [clear] "i"(1 << CSR_W_FP_CLR__ZAACC__SHIFT)
               : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

// gather8_quads for 16 columns, in two walks of the list.
POPSNN_INLINED inline void gather16_quads(
    const float* rows,          // [inputs, stride / 4], at the first column
    unsigned stride,            // bytes from row to row
    const unsigned short* ids,  // [count]
    unsigned count,
    const float* from,  // [16]
    float* sum) {       // [16]
  const unsigned short* again = ids;
  unsigned at;
  asm volatile(POPSNN_LOAD_SUMS4
               R"(
      {
        ld64        $a4:5, $mzero, %[from], 2
        f32v4acc    $a0:3
      }
      {
        ld64        $a6:7, $mzero, %[from], 3
        mov         $a0:1, $azeros
      }
      .align 8
      {
        rpt         %[count], 3
        mov         $a2:3, $azeros
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          f32v2add  $a4:5, $a4:5, $a0:1
        }
        {
          mul       %[at], %[at], %[stride]
          f32v2add  $a6:7, $a6:7, $a2:3
        }
        {
          ld128     $a0:3, %[at], %[rows], 0
          fnop
        }
        {
          ld128     $a0:3, %[at], %[rows], 1
          f32v4acc  $a0:3
        }
      f32v2add      $a4:5, $a4:5, $a0:1
      {
        st64        $a4:5, $mzero, %[sum], 2
        f32v2add    $a6:7, $a6:7, $a2:3
      }
      {
        st64        $a6:7, $mzero, %[sum], 3
        f32v2gina   $a0:1, $azeros, 0
      }
      {
        st64        $a0:1, $mzero, %[sum], 0
        f32v2gina   $a2:3, $azeros, 0
      }
      st64          $a2:3, $mzero, %[sum], 1
      {
        ld64        $a0:1, $mzero, %[from], 4
        setzi       $a4, %[clear]
      }
      {
        ld64        $a2:3, $mzero, %[from], 5
        uput        $FP_CLR, $a4
      }
      {
        ld64        $a4:5, $mzero, %[from], 6
        f32v4acc    $a0:3
      }
      {
        ld64        $a6:7, $mzero, %[from], 7
        mov         $a0:1, $azeros
      }
      .align 8
      {
        rpt         %[count], 3
        mov         $a2:3, $azeros
      }
        {
          ldz16step %[at], $mzero, %[again]+=, 1
          f32v2add  $a4:5, $a4:5, $a0:1
        }
        {
          mul       %[at], %[at], %[stride]
          f32v2add  $a6:7, $a6:7, $a2:3
        }
        {
          ld128     $a0:3, %[at], %[rows], 2
          fnop
        }
        {
          ld128     $a0:3, %[at], %[rows], 3
          f32v4acc  $a0:3
        }
      f32v2add      $a4:5, $a4:5, $a0:1
      {
        st64        $a4:5, $mzero, %[sum], 6
        f32v2add    $a6:7, $a6:7, $a2:3
      }
      {
        st64        $a6:7, $mzero, %[sum], 7
        f32v2gina   $a0:1, $azeros, 0
      }
      {
        st64        $a0:1, $mzero, %[sum], 4
        f32v2gina   $a2:3, $azeros, 0
      }
      st64          $a2:3, $mzero, %[sum], 5
      )"
               : [at] "=&r"(at), [ids] "+r"(ids), [again] "+r"(again)
               : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [from] "r"(from),
                 [sum] "r"(sum), [clear] "i"(1 << CSR_W_FP_CLR__ZAACC__SHIFT)
               : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

}  // namespace ipu
}  // namespace popsnn
