// Loops over the weight rows of active inputs, the inner loops of the sparse products.
//
// Columns are taken in blocks of compile-time width so that a block's accumulators stay in
// registers while the list is walked: one load and one add per row and vector. The IPU also has
// loops in assembly, for 16-bit ids and even numbers of columns (cycles.hpp says what each
// costs), and a host has others for many columns. Rows of weights have 32 or 16 bits; sums, the
// other factor of products and gradients have 32.
#pragma once
#include <poplar/HalfFloat.hpp>

#include "constant.hpp"
#include "inlined.hpp"

#ifdef __IPU__
#include "rows_ipu.hpp"
#else
#include "rows_host.hpp"
#endif

namespace popsnn {

#ifdef __IPU__
namespace machine = ipu;
#else
namespace machine = host;
#endif

// Calls visit(width as a Constant, first column) for blocks that cover the columns.
template <class Visit>
POPSNN_INLINED inline void for_blocks(unsigned columns, Visit visit) {
  unsigned j = 0;
  for (; j + 64 <= columns; j += 64) visit(Constant<64>(), j);
  for (; j + 16 <= columns; j += 16) visit(Constant<16>(), j);
  for (; j + 4 <= columns; j += 4) visit(Constant<4>(), j);
  for (; j + 2 <= columns; j += 2) visit(Constant<2>(), j);
  for (; j < columns; ++j) visit(Constant<1>(), j);
}

// sum[j] += sum over k of rows[ids[k]][j], for Width columns.
template <unsigned Width, class Weight, class Id>
POPSNN_INLINED inline void gather_block(
    const Weight* rows,  // [inputs, stride] row-major, at the first column
    unsigned stride,     // elements from row to row
    const Id* ids,       // [count]
    unsigned count,
    float* sum) {  // [Width]
  float block[Width];
  for (unsigned j = 0; j < Width; ++j) block[j] = sum[j];
  for (unsigned k = 0; k < count; ++k) {
    const Weight* row = rows + ids[k] * stride;
    for (unsigned j = 0; j < Width; ++j) block[j] += float(row[j]);
  }
  for (unsigned j = 0; j < Width; ++j) sum[j] = block[j];
}

// sum[j] += sum over k of rows[ids[k]][j].
template <class Weight, class Id>
POPSNN_INLINED inline void gather_rows(const Weight* rows,  // [inputs, columns] row-major
                                       unsigned columns,
                                       const Id* ids,  // [count]
                                       unsigned count,
                                       float* sum) {  // [columns]
  if (machine::gather(rows, columns, ids, count, sum)) return;
  for_blocks(columns, [&](auto width, unsigned j) POPSNN_INLINED {
    gather_block<width()>(rows + j, columns, ids, count, sum + j);
  });
}

// sum[j] = from[j] + sum over k of rows[ids[k]][j].
template <class Weight, class Id>
POPSNN_INLINED inline void gather_rows(const Weight* rows,  // [inputs, columns] row-major
                                       unsigned columns,
                                       const Id* ids,  // [count]
                                       unsigned count,
                                       const float* from,  // [columns]
                                       float* sum) {       // [columns]
#ifdef __IPU__
  if (ipu::gather(rows, columns, ids, count, from, sum)) return;
#endif
  for (unsigned j = 0; j < columns; ++j) sum[j] = from[j];
  gather_rows(rows, columns, ids, count, sum);
}

// dots[k] = dot(rows[ids[k]], vector).
template <class Weight, class Id>
POPSNN_INLINED inline void dot_rows(const Weight* rows,  // [inputs, columns] row-major
                                    unsigned columns,
                                    const Id* ids,  // [count]
                                    unsigned count,
                                    const float* vector,  // [columns]
                                    float* dots) {        // [count]
  if (machine::dots(rows, columns, ids, count, vector, dots)) return;
  for (unsigned k = 0; k < count; ++k) {
    const Weight* const row = rows + ids[k] * columns;
    float dot = 0.0f;
    for (unsigned j = 0; j < columns; ++j) dot += float(row[j]) * vector[j];
    dots[k] = dot;
  }
}

// rows[ids[k]][j] += vector[j], for Width columns.
template <unsigned Width, class Id>
POPSNN_INLINED inline void scatter_block(
    float* rows,      // [inputs, stride] row-major, at the first column
    unsigned stride,  // floats from row to row
    const Id* ids,    // [count]
    unsigned count,
    const float* vector) {  // [Width]
  float block[Width];
  for (unsigned j = 0; j < Width; ++j) block[j] = vector[j];
  for (unsigned k = 0; k < count; ++k) {
    float* row = rows + ids[k] * stride;
    for (unsigned j = 0; j < Width; ++j) row[j] += block[j];
  }
}

// rows[ids[k]] += vector.
template <class Id>
POPSNN_INLINED inline void scatter_rows(float* rows,  // [inputs, columns] row-major
                                        unsigned columns,
                                        const Id* ids,  // [count]
                                        unsigned count,
                                        const float* vector) {  // [columns]
  if (machine::scatter(rows, columns, ids, count, vector)) return;
  for_blocks(columns, [&](auto width, unsigned j) POPSNN_INLINED {
    scatter_block<width()>(rows + j, columns, ids, count, vector + j);
  });
}

}  // namespace popsnn
