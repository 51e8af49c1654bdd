// The loops of ahead.hpp in the IPU's assembly, for lists of 16-bit ids and rows of an even number
// of columns, 48 at most; rows_ipu.hpp tells how to read this text.
//
// Sums of rows of 2 and 4 columns have loops of their own, without packed pointers; of 2 columns an
// id is itself the offset of its row of 8 bytes.
#pragma once
#include <poplar/TileConstants.hpp>

#include "assembly_ipu.hpp"
#include "constant.hpp"
#include "inlined.hpp"
#include "repeats_ipu.hpp"
#include "rows_ipu.hpp"

namespace popsnn {
namespace ipu {

// 1 where sums go to the rows of time steps, as those of ids are const; else 0.
template <class Row>
constexpr unsigned kToStep = 0;
template <class Row>
constexpr unsigned kToStep<const Row> = 1;

// step_rows[delays[ids[k]]] += rows[ids[k]], or where the rows of time steps are const
// rows[ids[k]] += step_rows[delays[ids[k]]]; count at most what `rpt` takes. For rows of 2 columns.
template <class Row, class StepRow>
POPSNN_INLINED inline void sum2_ahead(Row* rows,                  // [inputs, 2]
                                      const unsigned short* ids,  // [count]
                                      unsigned count,
                                      const unsigned* delays,  // [inputs]
                                      StepRow* step_rows,      // [1 + longest_delay, stride / 4]
                                      unsigned stride) {       // bytes from step to step
  unsigned step;
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[id], 6
        fnop
      }
        {
          ldz16step %[id], $mzero, %[ids]+=, 1
          fnop
        }
        {
          ld32      %[step], $mzero, %[delays], %[id]
          fnop
        }
        {
          mul       %[step], %[step], %[stride]
          fnop
        }
        {
          ld64      $a0:1, $mzero, %[rows], %[id]
          fnop
        }
        {
          ld64      $a2:3, %[step], %[step_rows], 0
          fnop
        }
        {
          nop
          f32v2add  $a2:3, $a2:3, $a0:1
        }
        .if %[to_step]
        {
          st64      $a2:3, %[step], %[step_rows], 0
          fnop
        }
        .else
        {
          st64      $a2:3, $mzero, %[rows], %[id]
          fnop
        }
        .endif
      )"
      : [id] "+&r"(count), [step] "=&r"(step), [ids] "+r"(ids)
      : [rows] "r"(rows), [delays] "r"(delays), [step_rows] "r"(step_rows), [stride] "r"(stride),
        [to_step] "i"(kToStep<Row>)
      : "$a0:1", "$a2:3", "memory");
}

// The same for rows of 4 columns.
template <class Row, class StepRow>
POPSNN_INLINED inline void sum4_ahead(Row* rows,                  // [inputs, 4]
                                      const unsigned short* ids,  // [count]
                                      unsigned count,
                                      const unsigned* delays,  // [inputs]
                                      StepRow* step_rows,      // [1 + longest_delay, stride / 4]
                                      unsigned stride) {       // bytes from step to step
  unsigned step;
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[id], 9
        fnop
      }
        {
          ldz16step %[id], $mzero, %[ids]+=, 1
          fnop
        }
        {
          ld32      %[step], $mzero, %[delays], %[id]
          fnop
        }
        {
          shl       %[id], %[id], 4
          fnop
        }
        {
          mul       %[step], %[step], %[stride]
          fnop
        }
        {
          ld64      $a0:1, %[id], %[rows], 0
          fnop
        }
        {
          ld64      $a2:3, %[step], %[step_rows], 0
          fnop
        }
        {
          ld64      $a4:5, %[id], %[rows], 1
          f32v2add  $a2:3, $a2:3, $a0:1
        }
        {
          ld64      $a6:7, %[step], %[step_rows], 1
          fnop
        }
        .if %[to_step]
        {
          st64      $a2:3, %[step], %[step_rows], 0
          f32v2add  $a6:7, $a6:7, $a4:5
        }
        {
          st64      $a6:7, %[step], %[step_rows], 1
          fnop
        }
        .else
        {
          st64      $a2:3, %[id], %[rows], 0
          f32v2add  $a6:7, $a6:7, $a4:5
        }
        {
          st64      $a6:7, %[id], %[rows], 1
          fnop
        }
        .endif
      )"
      : [id] "+&r"(count), [step] "=&r"(step), [ids] "+r"(ids)
      : [rows] "r"(rows), [delays] "r"(delays), [step_rows] "r"(step_rows), [stride] "r"(stride),
        [to_step] "i"(kToStep<Row>)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

// The same for rows of 2 * Pairs columns; those that are stored to in interleaved memory, and the
// others in another element.
template <unsigned Pairs, class Row, class StepRow>
POPSNN_INLINED inline void sum_pairs_ahead(Row* rows,                  // [inputs, 2 * Pairs]
                                           const unsigned short* ids,  // [count]
                                           unsigned count,
                                           const unsigned* delays,  // [inputs]
                                           StepRow* step_rows,  // [1 + longest_delay, stride / 4]
                                           unsigned stride) {   // bytes from step to step
  static_assert(Pairs >= 3, "sums are stored three pairs behind");
  static_assert(Pairs + 9 <= kMostBody, "rpt counts the bundles of its body in 8 bits");
  unsigned step;
  asm volatile(
      R"(
      or            $a4, $azero, 0x3F800000
      .align 8
      {
        rpt         %[id], %[last]
        uput        $TAS, $a4
      }
        {
          ldz16step %[id], $mzero, %[ids]+=, 1
          fnop
        }
        {
          ld32      %[step], $mzero, %[delays], %[id]
          fnop
        }
        {
          mul       %[id], %[id], %[length]
          fnop
        }
        {
          mul       %[step], %[step], %[stride]
          fnop
        }
        {
          add       %[id], %[id], %[rows]
          fnop
        }
        {
          add       %[step], %[step], %[step_rows]
          fnop
        }
        .if %[to_step]
        {
          tapack    $m0:1, %[step], %[id], %[step]
          fnop
        }
        .else
        {
          tapack    $m0:1, %[id], %[step], %[id]
          fnop
        }
        .endif
        )" POPSNN_ADD_PAIRS
      : [id] "+&r"(count), [step] "=&r"(step), [ids] "+r"(ids)
      : [rows] "r"(rows), [delays] "r"(delays), [step_rows] "r"(step_rows), [stride] "r"(stride),
        [to_step] "i"(kToStep<Row>), [length] "i"(8 * Pairs), [middle] "i"(Pairs - 3),
        [last] "i"(Pairs + 9)
      : "$m0", "$m1", "$a0:1", "$a2:3", "$a4:5", "memory");
}

template <unsigned Pairs, class Row, class StepRow>
POPSNN_INLINED inline void sum_row_ahead(Row* rows, const unsigned short* ids, unsigned count,
                                         const unsigned* delays, StepRow* step_rows,
                                         unsigned stride) {
  if constexpr (Pairs == 1)
    sum2_ahead(rows, ids, count, delays, step_rows, stride);
  else if constexpr (Pairs == 2)
    sum4_ahead(rows, ids, count, delays, step_rows, stride);
  else
    sum_pairs_ahead<Pairs>(rows, ids, count, delays, step_rows, stride);
}

// dots[k] = dot(rows[ids[k]], vectors[delays[ids[k]]]) for one id and `more` after it, at most what
// `rpt` takes, for rows of 2 * Pairs floats. One bundle loads from both rows, which the vertex
// holds apart in memory.
template <unsigned Pairs>
POPSNN_INLINED inline void dot_row_ahead(const float* rows,          // [inputs, 2 * Pairs]
                                         const unsigned short* ids,  // [1 + more]
                                         unsigned more,
                                         const unsigned* delays,  // [inputs]
                                         const float* step_rows,  // [1 + longest_delay, stride / 4]
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
        ld32        $m1, $mzero, %[delays], $m0
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
          ld32      $m1, $mzero, %[delays], $m0
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
      : [rows] "r"(rows), [more] "r"(more), [delays] "r"(delays), [step_rows] "r"(step_rows),
        [stride] "r"(stride), [length] "i"(8 * Pairs), [clear] "i"(1 << CSR_W_FP_CLR__ZAACC__SHIFT),
        [middle] "i"(Pairs - 1), [last] "i"(Pairs + 6)
      : "$m0", "$m1", "$a0:1", "$a2:3", "$a4:5", "memory");
}

constexpr bool has_ahead_walk(unsigned columns) {
  return columns % 2 == 0 && columns > 0 && columns / 2 <= kMostRowPairs;
}

// Calls walk with the pairs, kMostRowPairs at most, as a Constant.
template <class Walk>
POPSNN_INLINED inline void for_pairs(unsigned pairs, Walk walk) {
  static_assert(kFewestRowPairs == 4, "three more cases than for_row_pairs has");
  if (pairs == 1) return walk(Constant<1>());
  if (pairs == 2) return walk(Constant<2>());
  if (pairs == 3) return walk(Constant<3>());
  for_row_pairs(pairs, walk);
}

// Here and below: true where a loop in assembly did the work; `stride` counts floats.
POPSNN_INLINED inline bool add_ahead(const float* rows,  // [inputs, columns]
                                     unsigned columns,
                                     const unsigned short* ids,  // [count]
                                     unsigned count,
                                     const unsigned* delays,  // [inputs]
                                     float* sums,             // [1 + longest_delay, stride]
                                     unsigned stride) {
  if (!has_ahead_walk(columns)) return false;
  const unsigned bytes = stride * unsigned(sizeof(float));
  for_repeats(count, [=](unsigned first, unsigned entries) POPSNN_INLINED {
    for_pairs(columns / 2, [=](auto constant) POPSNN_INLINED {
      sum_row_ahead<constant()>(rows, ids + first, entries, delays, sums, bytes);
    });
  });
  return true;
}

// rows[ids[k]] += vectors[delays[ids[k]]] for a range of several lists that `rpt` takes whole,
// whose vectors are a row apart; the walk is chosen once.
POPSNN_INLINED inline bool scatter_lists_ahead(
    float* rows,  // [inputs, columns]
    unsigned columns,
    const unsigned short* ids,  // [lists, padded_capacity]
    unsigned padded_capacity,
    const unsigned* bounds,  // [lists, kWorkerRanges + 1]
    const unsigned* delays,  // [inputs]
    const float* vectors,    // [1 + longest_delay, stride] [lists, columns] of each
    unsigned stride, unsigned lists) {
  if (!has_ahead_walk(columns) || padded_capacity > kMostRepeats) return false;
  const unsigned bytes = stride * unsigned(sizeof(float));
  for_pairs(columns / 2, [=](auto constant) POPSNN_INLINED {
    const unsigned* bound = bounds;
    const unsigned short* list = ids;
    const float* of_list = vectors;
    for (unsigned left = lists; left > 0; --left) {
      sum_row_ahead<constant()>(rows, list + bound[0], bound[1] - bound[0], delays, of_list, bytes);
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
                                      const unsigned* delays,  // [inputs]
                                      const float* vectors,    // [1 + longest_delay, stride]
                                      unsigned stride,
                                      float* dots) {  // [count]
  if (!has_ahead_walk(columns)) return false;
  const unsigned bytes = stride * unsigned(sizeof(float));
  for_repeats(count, [=](unsigned first, unsigned entries) POPSNN_INLINED {
    for_pairs(columns / 2, [=](auto constant) POPSNN_INLINED {
      dot_row_ahead<constant()>(rows, ids + first, entries - 1, delays, vectors, bytes,
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
