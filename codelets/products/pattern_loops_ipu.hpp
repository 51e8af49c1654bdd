// The inner loops of pattern_loops.hpp in the IPU's assembly, for rows of an even number of
// columns; rows_ipu.hpp tells how to read this text.
//
// cycles.hpp counts the bundles, and tests/codelets/products/test_patterns_ipu.py
// runs the text bundle by bundle.
#pragma once

#include "common/repeats_ipu.hpp"
#include "common/rows_ipu.hpp"

namespace popsnn {
namespace ipu {

// The three other sums of a block; pairs at most what `rpt` takes.
POPSNN_INLINED inline void sum_pairs(const float* first,   // [2 * pairs]
                                     const float* second,  // [2 * pairs]
                                     unsigned pairs,
                                     const float* base,   // [2 * pairs]
                                     float* with_first,   // [2 * pairs]
                                     float* with_second,  // [2 * pairs]
                                     float* with_both) {  // [2 * pairs]
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[pairs], 5
        fnop
      }
        {
          ld64step  $a0:1, $mzero, %[first]+=, 1
          fnop
        }
        {
          ld64step  $a2:3, $mzero, %[base]+=, 1
          fnop
        }
        {
          ld64step  $a4:5, $mzero, %[second]+=, 1
          f32v2add  $a6:7, $a2:3, $a0:1
        }
        {
          st64step  $a6:7, $mzero, %[with_first]+=, 1
          f32v2add  $a2:3, $a2:3, $a4:5
        }
        {
          st64step  $a2:3, $mzero, %[with_second]+=, 1
          f32v2add  $a2:3, $a2:3, $a0:1
        }
        {
          st64step  $a2:3, $mzero, %[with_both]+=, 1
          fnop
        }
      )"
      : [first] "+r"(first), [second] "+r"(second), [base] "+r"(base),
        [with_first] "+r"(with_first), [with_second] "+r"(with_second), [with_both] "+r"(with_both)
      : [pairs] "r"(pairs)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

POPSNN_INLINED inline bool sum_block(const float* first, const float* second,  // [columns]
                                     unsigned columns,
                                     float* sums) {  // [4, columns]
  if (columns % 2 != 0) return false;
  for_repeats(columns / 2, [=](unsigned at, unsigned pairs) POPSNN_INLINED {
    float* const base = sums + 2 * at;
    sum_pairs(first + 2 * at, second + 2 * at, pairs, base, base + columns, base + 2 * columns,
              base + 3 * columns);
  });
  return true;
}

// Two columns: rows[k] += sums[patterns[k]] for one input and `more` after it, at most what `rpt`
// takes.
POPSNN_INLINED inline void add_sums2(
    float* rows,                    // [1 + more, stride / 4], at the first column
    unsigned stride,                // bytes from row to row
    const unsigned char* patterns,  // [1 + more]
    unsigned more,
    const float* sums) {  // [pattern_rows, stride / 4], at the first column
  const unsigned step = stride / 8;
  unsigned at;
  asm volatile(
      R"(
      ldz8step      %[at], $mzero, %[patterns]+=, 1
      mul           %[at], %[at], %[stride]
      .align 8
      {
        rpt         %[more], 4
        fnop
      }
        {
          ld64      $a0:1, %[at], %[sums], 0
          fnop
        }
        {
          ld64      $a2:3, $mzero, %[rows], 0
          fnop
        }
        {
          ldz8step  %[at], $mzero, %[patterns]+=, 1
          f32v2add  $a2:3, $a2:3, $a0:1
        }
        {
          mul       %[at], %[at], %[stride]
          fnop
        }
        {
          st64step  $a2:3, $mzero, %[rows]+=, %[step]
          fnop
        }
      ld64          $a0:1, %[at], %[sums], 0
      ld64          $a2:3, $mzero, %[rows], 0
      f32v2add      $a2:3, $a2:3, $a0:1
      st64step      $a2:3, $mzero, %[rows]+=, %[step]
      )"
      : [at] "=&r"(at), [patterns] "+r"(patterns), [rows] "+r"(rows)
      : [sums] "r"(sums), [stride] "r"(stride), [step] "r"(step), [more] "r"(more)
      : "$a0:1", "$a2:3", "memory");
}

// Four columns, as add_sums2.
POPSNN_INLINED inline void add_sums4(
    float* rows,                    // [1 + more, stride / 4], at the first column
    unsigned stride,                // bytes from row to row
    const unsigned char* patterns,  // [1 + more]
    unsigned more,
    const float* sums) {  // [pattern_rows, stride / 4], at the first column
  const unsigned step = stride / 8;
  unsigned at;
  asm volatile(
      R"(
      ldz8step      %[at], $mzero, %[patterns]+=, 1
      mul           %[at], %[at], %[stride]
      .align 8
      {
        rpt         %[more], 7
        fnop
      }
        {
          ld64      $a0:1, %[at], %[sums], 0
          fnop
        }
        {
          ld64      $a4:5, $mzero, %[rows], 0
          fnop
        }
        {
          ld64      $a2:3, %[at], %[sums], 1
          f32v2add  $a4:5, $a4:5, $a0:1
        }
        {
          ld64      $a6:7, $mzero, %[rows], 1
          fnop
        }
        {
          ldz8step  %[at], $mzero, %[patterns]+=, 1
          f32v2add  $a6:7, $a6:7, $a2:3
        }
        {
          mul       %[at], %[at], %[stride]
          fnop
        }
        {
          st64      $a6:7, $mzero, %[rows], 1
          fnop
        }
        {
          st64step  $a4:5, $mzero, %[rows]+=, %[step]
          fnop
        }
      ld64          $a0:1, %[at], %[sums], 0
      ld64          $a4:5, $mzero, %[rows], 0
      {
        ld64        $a2:3, %[at], %[sums], 1
        f32v2add    $a4:5, $a4:5, $a0:1
      }
      ld64          $a6:7, $mzero, %[rows], 1
      f32v2add      $a6:7, $a6:7, $a2:3
      st64          $a6:7, $mzero, %[rows], 1
      st64step      $a4:5, $mzero, %[rows]+=, %[step]
      )"
      : [at] "=&r"(at), [patterns] "+r"(patterns), [rows] "+r"(rows)
      : [sums] "r"(sums), [stride] "r"(stride), [step] "r"(step), [more] "r"(more)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

// Whole rows of 2 * Pairs floats in interleaved memory, and sums in another element; count at most
// what `rpt` takes. The loop of scatter_row, whose row is the next one and whose vector the
// pattern's.
template <unsigned Pairs>
POPSNN_INLINED inline void add_sums_row(float* rows,                    // [count, 2 * Pairs]
                                        unsigned stride,                // bytes from row to row
                                        const unsigned char* patterns,  // [count]
                                        unsigned count,
                                        const float* sums) {  // [pattern_rows, 2 * Pairs]
  static_assert(Pairs >= 3, "sums are stored three pairs behind");
  static_assert(Pairs + 7 <= kMostBody, "rpt counts the bundles of its body in 8 bits");
  asm volatile(
      R"(
      or            $a4, $azero, 0x3F800000
      .align 8
      {
        rpt         %[count], %[last]
        uput        $TAS, $a4
      }
        {
          ldz8step  $m2, $mzero, %[patterns]+=, 1
          fnop
        }
        {
          mul       $m2, $m2, %[stride]
          fnop
        }
        {
          add       $m2, $m2, %[sums]
          fnop
        }
        {
          tapack    $m0:1, %[rows], $m2, %[rows]
          fnop
        }
        {
          add       %[rows], %[rows], %[stride]
          fnop
        }
        )" POPSNN_ADD_PAIRS
      : [patterns] "+r"(patterns), [rows] "+r"(rows)
      : [sums] "r"(sums), [stride] "r"(stride), [count] "r"(count), [middle] "i"(Pairs - 3),
        [last] "i"(Pairs + 7)
      : "$m0", "$m1", "$m2", "$a0:1", "$a2:3", "$a4:5", "memory");
}

POPSNN_INLINED inline bool add_sums(float* rows,  // [count, columns]
                                    unsigned columns,
                                    const unsigned char* patterns,  // [count]
                                    unsigned count,
                                    const float* sums) {  // [pattern_rows, columns]
  if (columns % 2 != 0) return false;
  const unsigned stride = columns * unsigned(sizeof(float)), pairs = columns / 2;
  for_repeats(count, [=](unsigned first, unsigned inputs) POPSNN_INLINED {
    float* const to = rows + first * columns;
    const unsigned char* const of = patterns + first;
    if (pairs >= kFewestRowPairs && pairs <= kMostRowPairs)
      return for_row_pairs(pairs, [=](auto constant) POPSNN_INLINED {
        add_sums_row<constant()>(to, stride, of, inputs, sums);
      });
    unsigned j = 0;
    for (; columns - j >= 4; j += 4) add_sums4(to + j, stride, of, inputs - 1, sums + j);
    if (j < columns) add_sums2(to + j, stride, of, inputs - 1, sums + j);
  });
  return true;
}

}  // namespace ipu
}  // namespace popsnn
