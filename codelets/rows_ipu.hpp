// The inner loops of rows.hpp in the IPU's assembly, for lists of 16-bit ids and rows of an even
// number of floats, so that every row begins on 8 bytes.
//
// A bundle is {main | aux}: loads, stores and integers | floats. `rpt` repeats the bundles after it
// without a cost of its own and takes none for a count of 0. Loads never go past the end of a list.
// rows.cycles.hpp counts the bundles, and tests/codelets/test_rows_ipu.py runs the text bundle by
// bundle. Eight registers hold floats, and four columns more are summed by accumulators: wider rows
// are walked in blocks of columns.
#pragma once

#include "dot_ipu.hpp"
#include "gather_ipu.hpp"
#include "scatter_ipu.hpp"
#include "stretches_ipu.hpp"

namespace popsnn {
namespace ipu {

// rows[ids[k]] += vector for some columns of rows; ids differ.
inline void scatter_columns(float* rows,  // [inputs, wide], at the first column
                            unsigned wide,
                            unsigned columns,           // even
                            const unsigned short* ids,  // [count]
                            unsigned count,
                            const float* vector) {  // [columns]
  const unsigned stride = wide * unsigned(sizeof(float));
  for_stretches(count, [=](unsigned first, unsigned entries) {
    const unsigned short* const list = ids + first;
    unsigned j = 0;
    for (; columns - j >= 4; j += 4) scatter4(rows + j, stride, list, entries, vector + j);
    if (j < columns) scatter_pair(rows + j, stride, list, entries / 2, entries % 2, vector + j);
  });
}
inline void scatter_columns(float*, unsigned, unsigned, const unsigned*, unsigned, const float*) {}

// What a stride of ld2x64pace, a signed number of 10 bits, takes back.
constexpr unsigned kMostDotColumns = 1024;

// True where the loop in assembly did the work, as for the two functions after it.
inline bool gather(const float* rows,  // [inputs, columns]
                   unsigned columns,
                   const unsigned short* ids,  // [count]
                   unsigned count,
                   float* sum) {  // [columns]
  if (columns % 2 != 0) return false;
  const unsigned stride = columns * unsigned(sizeof(float));
  for_stretches(count, [=](unsigned first, unsigned entries) {
    const unsigned short* const list = ids + first;
    if (columns == 2) return gather2(rows, list, entries, sum);
    // Blocks of 8, the last ones of 6 and 4: two columns alone would cost as much as four.
    unsigned j = 0;
    for (; columns - j >= 8 && columns - j != 10; j += 8)
      gather8(rows + j, stride, list, entries, sum + j);
    if (columns - j == 10 || columns - j == 6) {
      gather6(rows + j, stride, list, entries, sum + j);
      j += 6;
    }
    if (columns - j == 4) gather4(rows + j, stride, list, entries, sum + j);
  });
  return true;
}

inline bool scatter(float* rows,  // [inputs, columns]
                    unsigned columns,
                    const unsigned short* ids,  // [count]
                    unsigned count,
                    const float* vector) {  // [columns]
  if (columns % 2 != 0) return false;
  if (columns > 2) {
    scatter_columns(rows, columns, columns, ids, count, vector);
    return true;
  }
  for_stretches(count, [=](unsigned first, unsigned entries) {
    scatter2(rows, ids + first, entries / 2, entries % 2, vector);
  });
  return true;
}

inline bool dots(const float* rows,  // [inputs, columns]
                 unsigned columns,
                 const unsigned short* ids,  // [count]
                 unsigned count,
                 const float* vector,  // [columns]
                 float* out) {         // [count]
  if (columns % 2 != 0 || columns > kMostDotColumns) return false;
  const unsigned stride = columns * unsigned(sizeof(float));
  for_stretches(count, [=](unsigned first, unsigned entries) {
    const unsigned short* const list = ids + first;
    if (columns == 2) return dot2(rows, list, entries - 1, vector, out + first);
    if (columns == 4) return dot4(rows, list, entries - 1, vector, out + first);
    dot_pairs(rows, stride, list, entries - 1, vector, columns / 2 - 2, out + first);
  });
  return true;
}

// Lists of 32-bit ids have the portable loops alone.
inline bool gather(const float*, unsigned, const unsigned*, unsigned, float*) { return false; }
inline bool scatter(float*, unsigned, const unsigned*, unsigned, const float*) { return false; }
inline bool dots(const float*, unsigned, const unsigned*, unsigned, const float*, float*) {
  return false;
}

}  // namespace ipu
}  // namespace popsnn
