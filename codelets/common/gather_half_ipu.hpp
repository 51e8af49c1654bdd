// sum += rows[ids[k]] of 16-bit rows in the IPU's assembly, by width of the rows or of a block of
// their columns; sums are of 32 bits.
//
// f16v8acc adds eight halves to the eight accumulators, f16v4acc four to the first four; f32v2gina
// pushes two in at their end and takes two out at their front (poplibs' element-wise sparse
// product, SparseDenseMatMulElementWise_half_float.S, loads, adds and reads them so).
// gather_words_ipu.hpp has the rows that do not begin on 8 bytes; rows_ipu.hpp tells how to read
// this text.
#pragma once
#include <poplar/HalfFloat.hpp>
#include <poplar/TileConstants.hpp>

#include "assembly_ipu.hpp"
#include "inlined.hpp"

namespace popsnn {
namespace ipu {

// sum[0:2] = from[0:2] + sum over k of rows[ids[k]]; count at most what `rpt` takes. A row is added
// two turns after its load.
POPSNN_INLINED inline void gather_half2(const half* rows,           // [inputs, 2]
                                        const unsigned short* ids,  // [count]
                                        unsigned count,
                                        const float* from,  // [2]
                                        float* sum) {       // [2]
  unsigned id;
  asm volatile(POPSNN_LOAD_SUMS2
               R"(
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
          ld32      $a4, $mzero, %[rows], %[id]
          f16v2tof32 $a2:3, $a4
        })" POPSNN_STORE_HALF_SUMS2
               : [id] "=&r"(id), [ids] "+r"(ids)
               : [rows] "r"(rows), [count] "r"(count), [from] "r"(from), [sum] "r"(sum)
               : "$a0:1", "$a2:3", "$a4", "memory");
}

// sum[0:4] = from[0:4] + sum over k of rows[ids[k]]; count at most what `rpt` takes.
POPSNN_INLINED inline void gather_half4(const half* rows,           // [inputs, 4]
                                        const unsigned short* ids,  // [count]
                                        unsigned count,
                                        const float* from,  // [4]
                                        float* sum) {       // [4]
  unsigned id;
  asm volatile(POPSNN_LOAD_SUMS4
               R"(
      f32v4acc      $a0:3
      .align 8
      {
        rpt         %[count], 1
        mov         $a0:1, $azeros
      }
        {
          ldz16step %[id], $mzero, %[ids]+=, 1
          f16v4acc  $a0:1
        }
        {
          ld64      $a0:1, $mzero, %[rows], %[id]
          fnop
        }
      f16v4acc      $a0:1
      f32v2gina     $a0:1, $azeros, 0)" POPSNN_STORE_SUMS4
               : [id] "=&r"(id), [ids] "+r"(ids)
               : [rows] "r"(rows), [count] "r"(count), [from] "r"(from), [sum] "r"(sum),
                 [clear] "i"(1 << CSR_W_FP_CLR__ZAACC__SHIFT)
               : "$a0:1", "$a2:3", "$a4", "memory");
}

// sum[0:4] = from[0:4] + sum over k of rows[ids[k]]; count at most what `rpt` takes.
POPSNN_INLINED inline void gather_half_quad(
    const half* rows,           // [inputs, stride / 2], at the first column
    unsigned stride,            // bytes from row to row
    const unsigned short* ids,  // [count]
    unsigned count,
    const float* from,  // [4]
    float* sum) {       // [4]
  unsigned at;
  asm volatile(POPSNN_LOAD_SUMS4
               R"(
      f32v4acc      $a0:3
      .align 8
      {
        rpt         %[count], 2
        mov         $a0:1, $azeros
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          f16v4acc  $a0:1
        }
        {
          mul       %[at], %[at], %[stride]
          fnop
        }
        {
          ld64      $a0:1, %[at], %[rows], 0
          fnop
        }
      f16v4acc      $a0:1
      f32v2gina     $a0:1, $azeros, 0)" POPSNN_STORE_SUMS4
               : [at] "=&r"(at), [ids] "+r"(ids)
               : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [from] "r"(from),
                 [sum] "r"(sum), [clear] "i"(1 << CSR_W_FP_CLR__ZAACC__SHIFT)
               : "$a0:1", "$a2:3", "$a4", "memory");
}

// sum[0:8] = from[0:8] + sum over k of rows[ids[k]]; count at most what `rpt` takes.
POPSNN_INLINED inline void gather_half8(
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
        rpt         %[count], 3
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
          ld64      $a0:1, %[at], %[rows], 0
          fnop
        }
        {
          ld64      $a2:3, %[at], %[rows], 1
          fnop
        })" POPSNN_STORE_HALF_SUMS6 POPSNN_STORE_HALF_SUMS8
      : [at] "=&r"(at), [ids] "+r"(ids)
      : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [from] "r"(from), [sum] "r"(sum)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

}  // namespace ipu
}  // namespace popsnn
