// dots[k] = dot(rows[ids[k]], vector) in the IPU's assembly, by width of the rows.
//
// A register offset counts elements of the access's size, so that for rows of 8 bytes an id is
// the offset of its row; wider rows take a product by their length. rows_ipu.hpp tells how to read
// this text.
#pragma once
#include <poplar/TileConstants.hpp>

#include "assembly_ipu.hpp"
#include "inlined.hpp"
#include "repeats_ipu.hpp"

namespace popsnn {
namespace ipu {

// dots[k] = dot(rows[ids[k]], vector) for one id and `more` after it, at most what `rpt` takes.
POPSNN_INLINED inline void dot2(const float* rows,          // [inputs, 2]
                                const unsigned short* ids,  // [1 + more]
                                unsigned more,
                                const float* vector,  // [2]
                                float* dots) {        // [1 + more]
  unsigned id;
  asm volatile(
      R"(
      ld64          $a0:1, $mzero, %[vector], 0
      ldz16step     %[id], $mzero, %[ids]+=, 1
      ld64          $a2:3, $mzero, %[rows], %[id]
      .align 8
      {
        rpt         %[more], 2
        f32v2mul    $a4:5, $a0:1, $a2:3
      }
        {
          ldz16step %[id], $mzero, %[ids]+=, 1
          f32add    $a6, $a4, $a5
        }
        {
          ld64      $a2:3, $mzero, %[rows], %[id]
          fnop
        }
        {
          st32step  $a6, $mzero, %[dots]+=, 1
          f32v2mul  $a4:5, $a0:1, $a2:3
        }
      f32add        $a6, $a4, $a5
      st32step      $a6, $mzero, %[dots]+=, 1
      )"
      : [id] "=&r"(id), [ids] "+r"(ids), [dots] "+r"(dots)
      : [rows] "r"(rows), [more] "r"(more), [vector] "r"(vector)
      : "$a0:1", "$a2:3", "$a4:5", "$a6", "memory");
}

// dots[k] = dot(rows[ids[k]], vector) for one id and `more` after it, at most what `rpt` takes.
POPSNN_INLINED inline void dot4(const float* rows,          // [inputs, 4]
                                const unsigned short* ids,  // [1 + more]
                                unsigned more,
                                const float* vector,  // [4]
                                float* dots) {        // [1 + more]
  unsigned at;
  asm volatile(
      R"(
      ld64          $a0:1, $mzero, %[vector], 0
      ld64          $a2:3, $mzero, %[vector], 1
      ldz16step     %[at], $mzero, %[ids]+=, 1
      shl           %[at], %[at], 4
      ld64          $a4:5, %[at], %[rows], 0
      ld64          $a6:7, %[at], %[rows], 1
      .align 8
      {
        rpt         %[more], 4
        f32v2mul    $a4:5, $a0:1, $a4:5
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          f32v2mul  $a6:7, $a2:3, $a6:7
        }
        {
          shl       %[at], %[at], 4
          f32v2add  $a6:7, $a4:5, $a6:7
        }
        {
          ld64      $a4:5, %[at], %[rows], 0
          f32add    $a6, $a6, $a7
        }
        {
          st32step  $a6, $mzero, %[dots]+=, 1
          f32v2mul  $a4:5, $a0:1, $a4:5
        }
        {
          ld64      $a6:7, %[at], %[rows], 1
          fnop
        }
      f32v2mul      $a6:7, $a2:3, $a6:7
      f32v2add      $a6:7, $a4:5, $a6:7
      f32add        $a6, $a6, $a7
      st32step      $a6, $mzero, %[dots]+=, 1
      )"
      : [at] "=&r"(at), [ids] "+r"(ids), [dots] "+r"(dots)
      : [rows] "r"(rows), [more] "r"(more), [vector] "r"(vector)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

// dots[k] = dot(rows[ids[k]], vector) for one id and `more` after it, at most what `rpt` takes, for
// rows of 2 * Pairs floats. One bundle loads from the row and from the vector, which the vertex
// holds apart in memory; the last load of a row takes the vector's pointer back.
template <unsigned Pairs>
POPSNN_INLINED inline void dot_row(const float* rows,          // [inputs, 2 * Pairs]
                                   unsigned stride,            // bytes from row to row
                                   const unsigned short* ids,  // [1 + more]
                                   unsigned more,
                                   const float* vector,  // [2 * Pairs]
                                   float* dots) {        // [1 + more]
  static_assert(Pairs >= 2, "a first and a last load");
  static_assert(Pairs + 3 <= kMostBody, "rpt counts the bundles of its body in 8 bits");
  const int back = 1 - int(Pairs);
  asm volatile(POPSNN_BEGIN_DOTS
               R"(
      add           $m0, $m0, %[rows]
      .align 8
      {
        rpt         %[more], %[last]
        fnop
      }
        {
          ld2x64pace $a0:1, $a2:3, $m0:1+=, $mzero, 0b0000
          fnop
        }
        .rept %[middle]
        {
          ld2x64pace $a0:1, $a2:3, $m0:1+=, $mzero, 0b0000
          f32v2mac  $a0:1, $a2:3
        }
        .endr
        {
          ld2x64pace $a0:1, $a2:3, $m0:1+=, %[back], 0b0100
          f32v2mac  $a0:1, $a2:3
        }
        {
          ldz16step $m0, $mzero, %[ids]+=, 1
          f32v2mac  $a0:1, $a2:3
        }
        {
          mul       $m0, $m0, %[stride]
          f32v2gina $a4:5, $azeros, 0
        }
        {
          add       $m0, $m0, %[rows]
          f32add    $a4, $a4, $a5
        }
        {
          st32step  $a4, $mzero, %[dots]+=, 1
          fnop
        }
      ld2x64pace    $a0:1, $a2:3, $m0:1+=, $mzero, 0b0000
      .rept %[middle]
      {
        ld2x64pace  $a0:1, $a2:3, $m0:1+=, $mzero, 0b0000
        f32v2mac    $a0:1, $a2:3
      }
      .endr
      {
        ld2x64pace  $a0:1, $a2:3, $m0:1+=, $mzero, 0b0000
        f32v2mac    $a0:1, $a2:3
      }
      f32v2mac      $a0:1, $a2:3)" POPSNN_STORE_DOT
               : [ids] "+r"(ids), [dots] "+r"(dots)
               : [rows] "r"(rows), [stride] "r"(stride), [more] "r"(more), [vector] "r"(vector),
                 [back] "r"(back), [clear] "i"(1 << CSR_W_FP_CLR__ZAACC__SHIFT),
                 [middle] "i"(Pairs - 2), [last] "i"(Pairs + 3)
               : "$m0", "$m1", "$a0:1", "$a2:3", "$a4:5", "memory");
}

// dots[k] = dot(rows[ids[k]], vector) for one id and `more` after it, for wider rows of an
// even number of floats; `pairs` of columns between the first two and the last two, at most what a
// stride's 10 bits take back.
POPSNN_INLINED inline void dot_pairs(const float* rows,          // [inputs, stride / 4]
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
        ld2x64pace  $a0:1, $a2:3, $m0:1+=, $mzero, 0b0000
        fnop
      }
      {
        rpt         %[pairs], 0
        fnop
      }
        {
          ld2x64pace $a0:1, $a2:3, $m0:1+=, $mzero, 0b0000
          f32v2mac  $a0:1, $a2:3
        }
      {
        ld2x64pace  $a0:1, $a2:3, $m0:1+=, %[back], 0b0100
        f32v2mac    $a0:1, $a2:3
      }
      {
        brnzdec     %[more], 1b
        f32v2mac    $a0:1, $a2:3
      })" POPSNN_STORE_DOT
               : [ids] "+r"(ids), [dots] "+r"(dots), [more] "+r"(more)
               : [rows] "r"(rows), [stride] "r"(stride), [vector] "r"(vector), [pairs] "r"(pairs),
                 [back] "r"(back), [clear] "i"(1 << CSR_W_FP_CLR__ZAACC__SHIFT)
               : "$m0", "$m1", "$a0:1", "$a2:3", "$a4:5", "memory");
}

}  // namespace ipu
}  // namespace popsnn
