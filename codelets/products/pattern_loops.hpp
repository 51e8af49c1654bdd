// The inner loops of dense weight gradients: sums over patterns of samples, and their rows added to
// the gradient's. The IPU has loops in assembly for even numbers of columns
// (cycles.hpp says what each costs).
#pragma once

#include "common/rows.hpp"
#include "patterns.hpp"

#ifdef __IPU__
#include "pattern_loops_ipu.hpp"
#endif

namespace popsnn {

// sums[1:4] = sums[0] + first, sums[0] + second, sums[0] + second + first.
inline void sum_block(const float* __restrict__ first,   // [columns]
                      const float* __restrict__ second,  // [columns]
                      unsigned columns,
                      float* __restrict__ sums) {  // [4, columns] row-major
#ifdef __IPU__
  if (ipu::sum_block(first, second, columns, sums)) return;
#endif
  for (unsigned j = 0; j < columns; ++j) {
    const float base = sums[j], with_second = base + second[j];
    sums[columns + j] = base + first[j];
    sums[2 * columns + j] = with_second;
    sums[3 * columns + j] = with_second + first[j];
  }
}

// rows[k] += sums[patterns[k]].
inline void add_sums(float* rows,  // [count, columns] row-major
                     unsigned columns,
                     const unsigned char* patterns,  // [count]
                     unsigned count,
                     const float* sums) {  // [pattern_rows, columns] row-major
#ifdef __IPU__
  if (ipu::add_sums(rows, columns, patterns, count, sums)) return;
#else
  const auto few = [=](auto width) {
    for (unsigned k = 0; k < count; ++k)
      for (unsigned j = 0; j < width(); ++j)
        rows[k * width() + j] += sums[patterns[k] * width() + j];
  };
  if (host::few_columns(columns, few)) return;
#endif
  for (unsigned k = 0; k < count; ++k) {
    float* __restrict__ const row = rows + k * columns;
    const float* __restrict__ const sum = sums + patterns[k] * columns;
    for (unsigned j = 0; j < columns; ++j) row[j] += sum[j];
  }
}

}  // namespace popsnn
