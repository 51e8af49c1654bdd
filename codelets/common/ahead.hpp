// Loops over the weight rows of inputs whose spikes arrive some time steps ahead: input id's belong
// to the row of the time step steps[id] after the present one.
//
// Rows of time steps are `stride` floats apart and begin with the present step's. The IPU has loops
// in assembly for 16-bit ids and even numbers of columns up to 48.
#pragma once
#include "inlined.hpp"

#ifdef __IPU__
#include "ahead_ipu.hpp"
#include "copy_ipu.hpp"
#include "repeats_ipu.hpp"
#endif

namespace popsnn {

// to = from.
POPSNN_INLINED inline void copy_row(const float* from,  // [columns]
                                    unsigned columns,
                                    float* to) {  // [columns]
#ifdef __IPU__
  if (columns % 2 == 0 && columns / 2 <= ipu::kMostRepeats)
    return ipu::copy_pairs(from, columns / 2, to);
#endif
  for (unsigned j = 0; j < columns; ++j) to[j] = from[j];
}

// to += from.
POPSNN_INLINED inline void add_row(const float* __restrict__ from,  // [columns]
                                   unsigned columns,
                                   float* __restrict__ to) {  // [columns]
  for (unsigned j = 0; j < columns; ++j) to[j] += from[j];
}

// sums[steps[ids[k]]] += rows[ids[k]].
template <class Id>
POPSNN_INLINED inline void add_rows_ahead(const float* rows,  // [inputs, columns]
                                          unsigned columns,
                                          const Id* ids,  // [count]
                                          unsigned count,
                                          const unsigned* steps,  // [inputs]
                                          float* sums,  // [1 + longest, stride] [columns] of each
                                          unsigned stride) {
#ifdef __IPU__
  if (ipu::add_ahead(rows, columns, ids, count, steps, sums, stride)) return;
#endif
  for (unsigned k = 0; k < count; ++k)
    add_row(rows + ids[k] * columns, columns, sums + steps[ids[k]] * stride);
}

// rows[ids[k]] += vectors[steps[ids[k]]].
template <class Id>
POPSNN_INLINED inline void scatter_rows_ahead(
    float* rows,  // [inputs, columns]
    unsigned columns,
    const Id* ids,  // [count]
    unsigned count,
    const unsigned* steps,  // [inputs]
    const float* vectors,   // [1 + longest, stride] [columns] of each
    unsigned stride) {
#ifdef __IPU__
  if (ipu::scatter_ahead(rows, columns, ids, count, steps, vectors, stride)) return;
#endif
  for (unsigned k = 0; k < count; ++k)
    add_row(vectors + steps[ids[k]] * stride, columns, rows + ids[k] * columns);
}

// dots[k] = dot(rows[ids[k]], vectors[steps[ids[k]]]).
template <class Id>
POPSNN_INLINED inline void dot_rows_ahead(const float* rows,  // [inputs, columns]
                                          unsigned columns,
                                          const Id* ids,  // [count]
                                          unsigned count,
                                          const unsigned* steps,  // [inputs]
                                          const float* vectors,   // [1 + longest, stride], as above
                                          unsigned stride,
                                          float* dots) {  // [count]
#ifdef __IPU__
  if (ipu::dots_ahead(rows, columns, ids, count, steps, vectors, stride, dots)) return;
#endif
  for (unsigned k = 0; k < count; ++k) {
    const float* const row = rows + ids[k] * columns;
    const float* const vector = vectors + steps[ids[k]] * stride;
    float dot = 0.0f;
    for (unsigned j = 0; j < columns; ++j) dot += row[j] * vector[j];
    dots[k] = dot;
  }
}

}  // namespace popsnn
