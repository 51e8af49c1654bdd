// The loops of ahead.hpp in the IPU's assembly, for lists of 16-bit ids and rows of an even number
// of columns, 8 to 48; rows_ipu.hpp tells how to read this text.
#pragma once
#include <poplar/TileConstants.hpp>

#include "assembly_ipu.hpp"
#include "inlined.hpp"
#include "pair_order.hpp"
#include "repeats_ipu.hpp"
#include "rows_ipu.hpp"

namespace popsnn {
namespace ipu {

// Part of a loop's body: finds the rows of the next id and of its time step.
#define POPSNN_TWO_ROWS                              \
  "\n        {"                                      \
  "\n          ldz16step $m0, $mzero, %[ids]+=, 1"   \
  "\n          fnop"                                 \
  "\n        }"                                      \
  "\n        {"                                      \
  "\n          ld32      $m1, $mzero, %[steps], $m0" \
  "\n          fnop"                                 \
  "\n        }"                                      \
  "\n        {"                                      \
  "\n          mul       $m0, $m0, %[length]"        \
  "\n          fnop"                                 \
  "\n        }"                                      \
  "\n        {"                                      \
  "\n          mul       $m1, $m1, %[stride]"        \
  "\n          fnop"                                 \
  "\n        }"                                      \
  "\n        {"                                      \
  "\n          add       $m0, $m0, %[rows]"          \
  "\n          fnop"                                 \
  "\n        }"                                      \
  "\n        {"                                      \
  "\n          add       $m1, $m1, %[step_rows]"     \
  "\n          fnop"                                 \
  "\n        }"

// Part of a loop's body: adds the second row of the packed pointers to the first, which is the
// third too, in the order of PairOrder.
#define POPSNN_ADD_IN_ORDER                                               \
  "\n        {"                                                           \
  "\n          ld2x64pace $a0:1, $a2:3, $m0:1+=, %[strides], %[first]"    \
  "\n          fnop"                                                      \
  "\n        }"                                                           \
  "\n        {"                                                           \
  "\n          ld2x64pace $a0:1, $a2:3, $m0:1+=, %[strides], %[second]"   \
  "\n          f32v2add  $a4:5, $a0:1, $a2:3"                             \
  "\n        }"                                                           \
  "\n        .rept %[turns]"                                              \
  "\n        {"                                                           \
  "\n          ld2xst64pace $a0:3, $a4:5, $m0:1+=, %[strides], %[third]"  \
  "\n          f32v2add  $a4:5, $a0:1, $a2:3"                             \
  "\n        }"                                                           \
  "\n        {"                                                           \
  "\n          ld2xst64pace $a0:3, $a4:5, $m0:1+=, %[strides], %[fourth]" \
  "\n          f32v2add  $a4:5, $a0:1, $a2:3"                             \
  "\n        }"                                                           \
  "\n        {"                                                           \
  "\n          ld2xst64pace $a0:3, $a4:5, $m0:1+=, %[strides], %[fifth]"  \
  "\n          f32v2add  $a4:5, $a0:1, $a2:3"                             \
  "\n        }"                                                           \
  "\n        {"                                                           \
  "\n          ld2xst64pace $a0:3, $a4:5, $m0:1+=, %[strides], %[sixth]"  \
  "\n          f32v2add  $a4:5, $a0:1, $a2:3"                             \
  "\n        }"                                                           \
  "\n        .endr"                                                       \
  "\n        .rept %[left1]"                                              \
  "\n        {"                                                           \
  "\n          ld2xst64pace $a0:3, $a4:5, $m0:1+=, %[strides], %[third]"  \
  "\n          f32v2add  $a4:5, $a0:1, $a2:3"                             \
  "\n        }"                                                           \
  "\n        .endr"                                                       \
  "\n        .rept %[left2]"                                              \
  "\n        {"                                                           \
  "\n          ld2xst64pace $a0:3, $a4:5, $m0:1+=, %[strides], %[fourth]" \
  "\n          f32v2add  $a4:5, $a0:1, $a2:3"                             \
  "\n        }"                                                           \
  "\n        .endr"                                                       \
  "\n        .rept %[left3]"                                              \
  "\n        {"                                                           \
  "\n          ld2xst64pace $a0:3, $a4:5, $m0:1+=, %[strides], %[fifth]"  \
  "\n          f32v2add  $a4:5, $a0:1, $a2:3"                             \
  "\n        }"                                                           \
  "\n        .endr"                                                       \
  "\n        {"                                                           \
  "\n          st64pace  $a4:5, $m0:1+=, %[strides], %[final]"            \
  "\n          f32v2add  $a4:5, $a0:1, $a2:3"                             \
  "\n        }"                                                           \
  "\n        {"                                                           \
  "\n          st64pace  $a4:5, $m0:1+=, $mzero, 0b00"                    \
  "\n          fnop"                                                      \
  "\n        }"

// The constants of POPSNN_ADD_IN_ORDER.
#define POPSNN_ORDER(Pairs)                                                               \
  [strides] "r"(PairOrder<Pairs>::kStrides), [first] "i"(PairOrder<Pairs>::loads(0)),     \
      [second] "i"(PairOrder<Pairs>::loads(1)), [third] "i"(PairOrder<Pairs>::all(2)),    \
      [fourth] "i"(PairOrder<Pairs>::all(3)), [fifth] "i"(PairOrder<Pairs>::all(4)),      \
      [sixth] "i"(PairOrder<Pairs>::all(5)), [turns] "i"(PairOrder<Pairs>::kTurns),       \
      [left1] "i"(PairOrder<Pairs>::kLeft > 0), [left2] "i"(PairOrder<Pairs>::kLeft > 1), \
      [left3] "i"(PairOrder<Pairs>::kLeft > 2), [final] "i"(PairOrder<Pairs>::move(Pairs - 2))

// sums[steps[ids[k]]] += rows[ids[k]]; count at most what `rpt` takes. For rows of 2 * Pairs
// floats, the sums in interleaved memory and the rows in another element.
template <unsigned Pairs>
POPSNN_INLINED inline void add_row_ahead(const float* rows,          // [inputs, 2 * Pairs]
                                         const unsigned short* ids,  // [count]
                                         unsigned count,
                                         const unsigned* steps,  // [inputs]
                                         float* step_rows,   // [1 + longest, stride / 4] the sums
                                         unsigned stride) {  // bytes from step to step
  static_assert(Pairs + 8 <= kMostBody, "rpt counts the bundles of its body in 8 bits");
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[count], %[last]
        fnop
      }
        )" POPSNN_TWO_ROWS R"(
        {
          tapack    $m0:1, $m1, $m0, $m1
          fnop
        }
        )" POPSNN_ADD_IN_ORDER
      : [ids] "+r"(ids)
      : [rows] "r"(rows), [count] "r"(count), [steps] "r"(steps), [step_rows] "r"(step_rows),
        [stride] "r"(stride), [length] "i"(8 * Pairs), [last] "i"(Pairs + 8), POPSNN_ORDER(Pairs)
      : "$m0", "$m1", "$a0:1", "$a2:3", "$a4:5", "memory");
}

// rows[ids[k]] += vectors[steps[ids[k]]]; ids differ; count at most what `rpt` takes. For rows of
// 2 * Pairs floats in interleaved memory, and the vectors in another element.
template <unsigned Pairs>
POPSNN_INLINED inline void scatter_row_ahead(float* rows,                // [inputs, 2 * Pairs]
                                             const unsigned short* ids,  // [count]
                                             unsigned count,
                                             const unsigned* steps,   // [inputs]
                                             const float* step_rows,  // [1 + longest, stride / 4]
                                             unsigned stride) {       // bytes from step to step
  static_assert(Pairs + 8 <= kMostBody, "rpt counts the bundles of its body in 8 bits");
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[count], %[last]
        fnop
      }
        )" POPSNN_TWO_ROWS R"(
        {
          tapack    $m0:1, $m0, $m1, $m0
          fnop
        }
        )" POPSNN_ADD_IN_ORDER
      : [ids] "+r"(ids)
      : [rows] "r"(rows), [count] "r"(count), [steps] "r"(steps), [step_rows] "r"(step_rows),
        [stride] "r"(stride), [length] "i"(8 * Pairs), [last] "i"(Pairs + 8), POPSNN_ORDER(Pairs)
      : "$m0", "$m1", "$a0:1", "$a2:3", "$a4:5", "memory");
}

#undef POPSNN_TWO_ROWS
#undef POPSNN_ADD_IN_ORDER
#undef POPSNN_ORDER

// dots[k] = dot(rows[ids[k]], vectors[steps[ids[k]]]) for one id and `more` after it, at most what
// `rpt` takes, for rows of 2 * Pairs floats. One bundle loads from both rows, which the vertex
// holds apart in memory.
template <unsigned Pairs>
POPSNN_INLINED inline void dot_row_ahead(const float* rows,          // [inputs, 2 * Pairs]
                                         const unsigned short* ids,  // [1 + more]
                                         unsigned more,
                                         const unsigned* steps,   // [inputs]
                                         const float* step_rows,  // [1 + longest, stride / 4]
                                         unsigned stride,         // bytes from step to step
                                         float* dots) {           // [1 + more]
  static_assert(Pairs + 6 <= kMostBody, "rpt counts the bundles of its body in 8 bits");
  asm volatile(
      R"(
      {
        ldz16step   $m0, $mzero, %[ids]+=, 1
        setzi       $a4, %[clear]
      }
      {
        ld32        $m1, $mzero, %[steps], $m0
        uput        $FP_CLR, $a4
      }
      mul           $m0, $m0, %[length]
      mul           $m1, $m1, %[stride]
      add           $m0, $m0, %[rows]
      add           $m1, $m1, %[step_rows]
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
          ldz16step $m0, $mzero, %[ids]+=, 1
          f32v2mac  $a0:1, $a2:3
        }
        {
          ld32      $m1, $mzero, %[steps], $m0
          f32v2gina $a4:5, $azeros, 0
        }
        {
          mul       $m0, $m0, %[length]
          f32add    $a4, $a4, $a5
        }
        {
          mul       $m1, $m1, %[stride]
          fnop
        }
        {
          add       $m0, $m0, %[rows]
          fnop
        }
        {
          add       $m1, $m1, %[step_rows]
          fnop
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
      f32v2mac      $a0:1, $a2:3)" POPSNN_STORE_DOT
      : [ids] "+r"(ids), [dots] "+r"(dots)
      : [rows] "r"(rows), [more] "r"(more), [steps] "r"(steps), [step_rows] "r"(step_rows),
        [stride] "r"(stride), [length] "i"(8 * Pairs), [clear] "i"(1 << CSR_W_FP_CLR__ZAACC__SHIFT),
        [middle] "i"(Pairs - 1), [last] "i"(Pairs + 6)
      : "$m0", "$m1", "$a0:1", "$a2:3", "$a4:5", "memory");
}

constexpr bool has_row_walk(unsigned columns) {
  return columns % 2 == 0 && columns / 2 >= kFewestRowPairs && columns / 2 <= kMostRowPairs;
}

// Here and below: true where a loop in assembly did the work; `stride` counts floats.
POPSNN_INLINED inline bool add_ahead(const float* rows,  // [inputs, columns]
                                     unsigned columns,
                                     const unsigned short* ids,  // [count]
                                     unsigned count,
                                     const unsigned* steps,  // [inputs]
                                     float* sums,            // [1 + longest, stride]
                                     unsigned stride) {
  if (!has_row_walk(columns)) return false;
  const unsigned bytes = stride * unsigned(sizeof(float));
  for_repeats(count, [=](unsigned first, unsigned entries) POPSNN_INLINED {
    for_row_pairs(columns / 2, [=](auto constant) POPSNN_INLINED {
      add_row_ahead<constant()>(rows, ids + first, entries, steps, sums, bytes);
    });
  });
  return true;
}

POPSNN_INLINED inline bool scatter_ahead(float* rows,  // [inputs, columns]
                                         unsigned columns,
                                         const unsigned short* ids,  // [count]
                                         unsigned count,
                                         const unsigned* steps,  // [inputs]
                                         const float* vectors,   // [1 + longest, stride]
                                         unsigned stride) {
  if (!has_row_walk(columns)) return false;
  const unsigned bytes = stride * unsigned(sizeof(float));
  for_repeats(count, [=](unsigned first, unsigned entries) POPSNN_INLINED {
    for_row_pairs(columns / 2, [=](auto constant) POPSNN_INLINED {
      scatter_row_ahead<constant()>(rows, ids + first, entries, steps, vectors, bytes);
    });
  });
  return true;
}

// `scatter_ahead` for a range of several lists, whose vectors are a row apart; the walk is chosen
// once.
POPSNN_INLINED inline bool scatter_lists_ahead(
    float* rows,  // [inputs, columns]
    unsigned columns,
    const unsigned short* ids,  // [lists, padded_capacity]
    unsigned padded_capacity,
    const unsigned* bounds,  // [lists, kWorkerRanges + 1]
    const unsigned* steps,   // [inputs]
    const float* vectors,    // [1 + longest, stride] [lists, columns] of each
    unsigned stride, unsigned lists) {
  if (!has_row_walk(columns) || padded_capacity > kMostRepeats) return false;
  const unsigned bytes = stride * unsigned(sizeof(float));
  for_row_pairs(columns / 2, [=](auto constant) POPSNN_INLINED {
    const unsigned* bound = bounds;
    const unsigned short* list = ids;
    const float* of_list = vectors;
    for (unsigned left = lists; left > 0; --left) {
      scatter_row_ahead<constant()>(rows, list + bound[0], bound[1] - bound[0], steps, of_list,
                                    bytes);
      bound += kWorkerRanges + 1;
      list += padded_capacity;
      of_list += 2 * constant();
    }
  });
  return true;
}

POPSNN_INLINED inline bool dots_ahead(const float* rows,  // [inputs, columns]
                                      unsigned columns,
                                      const unsigned short* ids,  // [count]
                                      unsigned count,
                                      const unsigned* steps,  // [inputs]
                                      const float* vectors,   // [1 + longest, stride]
                                      unsigned stride,
                                      float* dots) {  // [count]
  if (!has_row_walk(columns)) return false;
  const unsigned bytes = stride * unsigned(sizeof(float));
  for_repeats(count, [=](unsigned first, unsigned entries) POPSNN_INLINED {
    for_row_pairs(columns / 2, [=](auto constant) POPSNN_INLINED {
      dot_row_ahead<constant()>(rows, ids + first, entries - 1, steps, vectors, bytes,
                                dots + first);
    });
  });
  return true;
}

// Lists of 32-bit ids have the portable loops alone.
inline bool add_ahead(const float*, unsigned, const unsigned*, unsigned, const unsigned*, float*,
                      unsigned) {
  return false;
}
inline bool scatter_ahead(float*, unsigned, const unsigned*, unsigned, const unsigned*,
                          const float*, unsigned) {
  return false;
}
inline bool scatter_lists_ahead(float*, unsigned, const unsigned*, unsigned, const unsigned*,
                                const unsigned*, const float*, unsigned, unsigned) {
  return false;
}
inline bool dots_ahead(const float*, unsigned, const unsigned*, unsigned, const unsigned*,
                       const float*, unsigned, float*) {
  return false;
}

}  // namespace ipu
}  // namespace popsnn
