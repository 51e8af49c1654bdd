// dots[k] = dot(rows[ids[k]], vector) of 16-bit rows in the IPU's assembly, by width of the rows.
//
// Halves become floats first: products and sums have 32 bits, as `vector` has. That takes a bundle
// for every pair of columns, in addition to the product's. rows_ipu.hpp tells how to read this
// text.
#pragma once
#include <poplar/HalfFloat.hpp>
#include <poplar/TileConstants.hpp>

#include "assembly_ipu.hpp"
#include "inlined.hpp"

namespace popsnn {
namespace ipu {

// dots[k] = dot(rows[ids[k]], vector) for one id and `more` after it, at most what `rpt` takes.
POPSNN_INLINED inline void dot_half2(const half* rows,           // [inputs, 2]
                                     const unsigned short* ids,  // [1 + more]
                                     unsigned more,
                                     const float* vector,  // [2]
                                     float* dots) {        // [1 + more]
  unsigned id;
  asm volatile(
      R"(
      ld64          $a0:1, $mzero, %[vector], 0
      ldz16step     %[id], $mzero, %[ids]+=, 1
      ld32          $a2, $mzero, %[rows], %[id]
      .align 8
      {
        rpt         %[more], 2
        f16v2tof32  $a4:5, $a2
      }
        {
          ldz16step %[id], $mzero, %[ids]+=, 1
          f32v2mul  $a4:5, $a0:1, $a4:5
        }
        {
          ld32      $a2, $mzero, %[rows], %[id]
          f32add    $a6, $a4, $a5
        }
        {
          st32step  $a6, $mzero, %[dots]+=, 1
          f16v2tof32 $a4:5, $a2
        }
      f32v2mul      $a4:5, $a0:1, $a4:5
      f32add        $a6, $a4, $a5
      st32step      $a6, $mzero, %[dots]+=, 1
      )"
      : [id] "=&r"(id), [ids] "+r"(ids), [dots] "+r"(dots)
      : [rows] "r"(rows), [more] "r"(more), [vector] "r"(vector)
      : "$a0:1", "$a2", "$a4:5", "$a6", "memory");
}

// dots[k] = dot(rows[ids[k]], vector) for one id and `more` after it, at most what `rpt` takes.
POPSNN_INLINED inline void dot_half4(const half* rows,           // [inputs, 4]
                                     const unsigned short* ids,  // [1 + more]
                                     unsigned more,
                                     const float* vector,  // [4]
                                     float* dots) {        // [1 + more]
  unsigned id;
  asm volatile(
      R"(
      ld64          $a0:1, $mzero, %[vector], 0
      ld64          $a2:3, $mzero, %[vector], 1
      ldz16step     %[id], $mzero, %[ids]+=, 1
      ld64          $a4:5, $mzero, %[rows], %[id]
      f16v2tof32    $a6:7, $a4
      f32v2mul      $a6:7, $a0:1, $a6:7
      f16v2tof32    $a4:5, $a5
      .align 8
      {
        rpt         %[more], 5
        f32v2mul    $a4:5, $a2:3, $a4:5
      }
        {
          ldz16step %[id], $mzero, %[ids]+=, 1
          f32v2add  $a6:7, $a4:5, $a6:7
        }
        {
          ld64      $a4:5, $mzero, %[rows], %[id]
          f32add    $a6, $a6, $a7
        }
        {
          st32step  $a6, $mzero, %[dots]+=, 1
          f16v2tof32 $a6:7, $a4
        }
        {
          nop
          f32v2mul  $a6:7, $a0:1, $a6:7
        }
        {
          nop
          f16v2tof32 $a4:5, $a5
        }
        {
          nop
          f32v2mul  $a4:5, $a2:3, $a4:5
        }
      f32v2add      $a6:7, $a4:5, $a6:7
      f32add        $a6, $a6, $a7
      st32step      $a6, $mzero, %[dots]+=, 1
      )"
      : [id] "=&r"(id), [ids] "+r"(ids), [dots] "+r"(dots)
      : [rows] "r"(rows), [more] "r"(more), [vector] "r"(vector)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

// dots[k] = dot(rows[ids[k]], vector) for one id and `more` after it, for rows of 6 halves and
// more, an even number; `pairs` of columns between the first two and the last two, at most what
// `rpt` takes. The last load of the vector takes its pointer back.
POPSNN_INLINED inline void dot_half_pairs(const half* rows,           // [inputs, stride / 2]
                                          unsigned stride,            // bytes from row to row
                                          const unsigned short* ids,  // [1 + more]
                                          unsigned more,
                                          const float* vector,  // [4 + 2 * pairs]
                                          unsigned pairs,
                                          float* dots) {  // [1 + more]
  const int back = -int(pairs) - 1;
  asm volatile(POPSNN_BEGIN_DOTS
               R"(
      .align 8
      {
        bri         2f
        fnop
      }
      1:
      {
        ldz16step   $m0, $mzero, %[ids]+=, 1
        f32v2gina   $a4:5, $azeros, 0
      }
      {
        mul         $m0, $m0, %[stride]
        f32add      $a4, $a4, $a5
      }
      {
        st32step    $a4, $mzero, %[dots]+=, 1
        fnop
      }
      2:
      {
        add         $m0, $m0, %[rows]
        fnop
      }
      {
        ld32step    $a0, $mzero, $m0+=, 1
        fnop
      }
      {
        ld64step    $a2:3, $mzero, $m1+=, 1
        f16v2tof32  $a6:7, $a0
      }
      {
        rpt         %[pairs], 1
        fnop
      }
        {
          ld32step  $a0, $mzero, $m0+=, 1
          f32v2mac  $a2:3, $a6:7
        }
        {
          ld64step  $a2:3, $mzero, $m1+=, 1
          f16v2tof32 $a6:7, $a0
        }
      {
        ld32step    $a0, $mzero, $m0+=, 1
        f32v2mac    $a2:3, $a6:7
      }
      {
        ld64step    $a2:3, $mzero, $m1+=, %[back]
        f16v2tof32  $a6:7, $a0
      }
      {
        brnzdec     %[more], 1b
        f32v2mac    $a2:3, $a6:7
      })" POPSNN_STORE_DOT
               : [ids] "+r"(ids), [dots] "+r"(dots), [more] "+r"(more)
               : [rows] "r"(rows), [stride] "r"(stride), [vector] "r"(vector), [pairs] "r"(pairs),
                 [back] "r"(back), [clear] "i"(1 << CSR_W_FP_CLR__ZAACC__SHIFT)
               : "$m0", "$m1", "$a0", "$a2:3", "$a4:5", "$a6:7", "memory");
}

}  // namespace ipu
}  // namespace popsnn
