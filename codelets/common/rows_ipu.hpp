// The inner loops of rows.hpp in the IPU's assembly, for lists of 16-bit ids and rows of an even
// number of columns, so that every row begins on 8 bytes, or of halves on 4.
//
// A bundle is {main | aux}: loads, stores and integers | floats. `rpt` repeats the bundles after it
// at no cost, and skips them for a count of 0. Loads never go past the end of a list.
// cycles.hpp counts the bundles, and tests/codelets/common/test_rows_ipu.py runs the text
// bundle by bundle. Eight registers hold floats, and four columns more are summed by accumulators:
// sums of wider rows are taken in blocks of columns.
#pragma once

#include "constant.hpp"
#include "dot_half_ipu.hpp"
#include "dot_ipu.hpp"
#include "gather_half_ipu.hpp"
#include "gather_ipu.hpp"
#include "gather_words_ipu.hpp"
#include "repeats_ipu.hpp"
#include "scatter_ipu.hpp"
#include "spike_records.hpp"

namespace popsnn {
namespace ipu {

// Rows of so many pairs of columns have their own walk.
constexpr unsigned kFewestRowPairs = 4, kMostRowPairs = 24;

// The longest list of two columns whose entries of a range go one a turn.
constexpr unsigned kMostShortList = 72;

// Calls walk with the pairs as a Constant.
template <class Walk>
POPSNN_INLINED inline void for_row_pairs(unsigned pairs, Walk walk) {
#define POPSNN_ROW_PAIRS(n) \
  case n:                   \
    return walk(Constant<n>())
  switch (pairs) {
    POPSNN_ROW_PAIRS(4);
    POPSNN_ROW_PAIRS(5);
    POPSNN_ROW_PAIRS(6);
    POPSNN_ROW_PAIRS(7);
    POPSNN_ROW_PAIRS(8);
    POPSNN_ROW_PAIRS(9);
    POPSNN_ROW_PAIRS(10);
    POPSNN_ROW_PAIRS(11);
    POPSNN_ROW_PAIRS(12);
    POPSNN_ROW_PAIRS(13);
    POPSNN_ROW_PAIRS(14);
    POPSNN_ROW_PAIRS(15);
    POPSNN_ROW_PAIRS(16);
    POPSNN_ROW_PAIRS(17);
    POPSNN_ROW_PAIRS(18);
    POPSNN_ROW_PAIRS(19);
    POPSNN_ROW_PAIRS(20);
    POPSNN_ROW_PAIRS(21);
    POPSNN_ROW_PAIRS(22);
    POPSNN_ROW_PAIRS(23);
    POPSNN_ROW_PAIRS(24);
  }
#undef POPSNN_ROW_PAIRS
}

// Columns over which ld2x64pace can step back: its stride is a signed number of 10 bits.
constexpr unsigned kMostDotColumns = 1024;

// Pairs of halves between the first and the last that one `rpt` takes.
constexpr unsigned kMostHalfDotColumns = 2 * kMostRepeats + 4;

POPSNN_INLINED inline bool copy(const float* from, unsigned columns, float* to) {  // [columns] each
  if (from == to) return true;
  for (unsigned j = 0; j < columns; ++j) to[j] = from[j];
  return true;
}

// Here and below: true where a loop in assembly did the work.
POPSNN_INLINED inline bool gather(const float* rows,  // [inputs, columns]
                                  unsigned columns,
                                  const unsigned short* ids,  // [count]
                                  unsigned count,
                                  const float* from,  // [columns]
                                  float* sum) {       // [columns]
  if (columns % 2 != 0) return false;
  if (count == 0) return copy(from, columns, sum);
  const unsigned stride = columns * unsigned(sizeof(float));
  for_repeats(count, [=](unsigned first, unsigned entries) POPSNN_INLINED {
    const unsigned short* const list = ids + first;
    const float* const start = first == 0 ? from : sum;
    if (columns == 2) return gather2(rows, list, entries, start, sum);
    unsigned j = 0;
    if (columns % 4 == 0) {
      for (; columns - j >= 16; j += 16)
        gather16_quads(rows + j, stride, list, entries, start + j, sum + j);
      if (columns - j >= 8) {
        gather8_quads(rows + j, stride, list, entries, start + j, sum + j);
        j += 8;
      }
      if (j < columns) gather4_quad(rows + j, stride, list, entries, start + j, sum + j);
      return;
    }
    // Blocks of 8, the last one of 10 or 6: two columns alone would cost as much as four.
    for (; columns - j >= 8 && columns - j != 10; j += 8)
      gather8(rows + j, stride, list, entries, start + j, sum + j);
    if (columns - j == 10) gather10(rows + j, stride, list, entries, start + j, sum + j);
    if (columns - j == 6) gather6(rows + j, stride, list, entries, start + j, sum + j);
  });
  return true;
}

POPSNN_INLINED inline bool scatter(float* rows,  // [inputs, columns]
                                   unsigned columns,
                                   const unsigned short* ids,  // [count]
                                   unsigned count,
                                   const float* vector) {  // [columns]
  if (columns % 2 != 0) return false;
  const unsigned stride = columns * unsigned(sizeof(float)), pairs = columns / 2;
  for_repeats(count, [=](unsigned first, unsigned entries) POPSNN_INLINED {
    const unsigned short* const list = ids + first;
    if (pairs == 1) return scatter2(rows, list, entries / 2, entries % 2, vector);
    if (pairs >= kFewestRowPairs && pairs <= kMostRowPairs)
      return for_row_pairs(pairs, [=](auto constant) POPSNN_INLINED {
        scatter_row<constant()>(rows, stride, list, entries, vector);
      });
    unsigned j = 0;
    for (; columns - j >= 4; j += 4) scatter4(rows + j, stride, list, entries, vector + j);
    if (j < columns) scatter_pair(rows + j, stride, list, entries / 2, entries % 2, vector + j);
  });
  return true;
}

POPSNN_INLINED inline bool dots(const float* rows,  // [inputs, columns]
                                unsigned columns,
                                const unsigned short* ids,  // [count]
                                unsigned count,
                                const float* vector,  // [columns]
                                float* out) {         // [count]
  if (columns % 2 != 0 || columns > kMostDotColumns) return false;
  const unsigned stride = columns * unsigned(sizeof(float)), pairs = columns / 2;
  for_repeats(count, [=](unsigned first, unsigned entries) POPSNN_INLINED {
    const unsigned short* const list = ids + first;
    if (columns == 2) return dot2(rows, list, entries - 1, vector, out + first);
    if (columns == 4) return dot4(rows, list, entries - 1, vector, out + first);
    if (pairs >= kFewestRowPairs && pairs <= kMostRowPairs)
      return for_row_pairs(pairs, [=](auto constant) POPSNN_INLINED {
        dot_row<constant()>(rows, stride, list, entries - 1, vector, out + first);
      });
    dot_pairs(rows, stride, list, entries - 1, vector, pairs - 2, out + first);
  });
  return true;
}

// Wider rows go in blocks of 8 columns, as words of 32 or 64 bits; smaller blocks take the rest.
POPSNN_INLINED inline bool gather(const half* rows,  // [inputs, columns]
                                  unsigned columns,
                                  const unsigned short* ids,  // [count]
                                  unsigned count,
                                  const float* from,  // [columns]
                                  float* sum) {       // [columns]
  if (columns % 2 != 0) return false;
  if (count == 0) return copy(from, columns, sum);
  const unsigned stride = columns * unsigned(sizeof(half));
  for_repeats(count, [=](unsigned first, unsigned entries) POPSNN_INLINED {
    const unsigned short* const list = ids + first;
    const float* const start = first == 0 ? from : sum;
    if (columns == 2) return gather_half2(rows, list, entries, start, sum);
    if (columns == 4) return gather_half4(rows, list, entries, start, sum);
    const bool words = columns % 4 != 0;
    unsigned j = 0;
    for (; columns - j >= 8; j += 8)
      words ? gather_words8(rows + j, stride, list, entries, start + j, sum + j)
            : gather_half8(rows + j, stride, list, entries, start + j, sum + j);
    if (columns - j == 6) gather_words6(rows + j, stride, list, entries, start + j, sum + j);
    if (columns - j == 4) gather_half_quad(rows + j, stride, list, entries, start + j, sum + j);
    if (columns - j == 2) gather_words2(rows + j, stride, list, entries, start + j, sum + j);
  });
  return true;
}

POPSNN_INLINED inline bool dots(const half* rows,  // [inputs, columns]
                                unsigned columns,
                                const unsigned short* ids,  // [count]
                                unsigned count,
                                const float* vector,  // [columns]
                                float* out) {         // [count]
  if (columns % 2 != 0 || columns > kMostHalfDotColumns) return false;
  const unsigned stride = columns * unsigned(sizeof(half));
  for_repeats(count, [=](unsigned first, unsigned entries) POPSNN_INLINED {
    const unsigned short* const list = ids + first;
    if (columns == 2) return dot_half2(rows, list, entries - 1, vector, out + first);
    if (columns == 4) return dot_half4(rows, list, entries - 1, vector, out + first);
    dot_half_pairs(rows, stride, list, entries - 1, vector, columns / 2 - 2, out + first);
  });
  return true;
}

// `scatter` for a range of several lists, at least one, with a vector each: rows that have their
// own walk, which is chosen once. Of rows of two columns one id a turn is for short lists.
POPSNN_INLINED inline bool scatter_lists(float* rows,  // [inputs, columns]
                                         unsigned columns,
                                         const unsigned short* ids,  // [lists, padded_capacity]
                                         unsigned padded_capacity,
                                         const unsigned* bounds,  // [lists, kWorkerRanges + 1]
                                         const float* vectors,    // [lists, columns]
                                         unsigned lists) {
  const unsigned pairs = columns / 2, more = lists - 1;
  if (columns % 2 != 0 || pairs > kMostRowPairs || lists == 0 ||
      padded_capacity > (pairs == 1 ? kMostShortList : kMostRepeats))
    return false;
  const unsigned padded = padded_capacity * unsigned(sizeof(unsigned short));
  if (pairs == 1)
    scatter_lists2(rows, ids, padded, bounds, vectors, more);
  else if (pairs == 2)
    scatter_lists4(rows, ids, padded, bounds, vectors, more);
  else if (pairs == 3)
    scatter_lists_row<3>(rows, ids, padded, bounds, vectors, more);
  else
    for_row_pairs(pairs, [=](auto constant) POPSNN_INLINED {
      scatter_lists_row<constant()>(rows, ids, padded, bounds, vectors, more);
    });
  return true;
}

// Lists of 32-bit ids have the portable loops alone.
template <class Weight>
inline bool gather(const Weight*, unsigned, const unsigned*, unsigned, const float*, float*) {
  return false;
}
template <class Weight, class Id>
POPSNN_INLINED inline bool gather(const Weight* rows, unsigned columns, const Id* ids,
                                  unsigned count, float* sum) {
  return gather(rows, columns, ids, count, sum, sum);
}
inline bool scatter(float*, unsigned, const unsigned*, unsigned, const float*) { return false; }
inline bool scatter_lists(float*, unsigned, const unsigned*, unsigned, const unsigned*,
                          const float*, unsigned) {
  return false;
}
template <class Weight>
inline bool dots(const Weight*, unsigned, const unsigned*, unsigned, const float*, float*) {
  return false;
}

}  // namespace ipu
}  // namespace popsnn
