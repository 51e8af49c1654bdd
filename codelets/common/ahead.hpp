// Loops over the weight rows of inputs whose spikes arrive some time steps ahead: input id's belong
// to the row of the time step delays[id] after the present one.
//
// Rows of time steps are `stride` floats apart and begin with the present step's. The IPU has loops
// in assembly for 16-bit ids and even numbers of columns up to 48.
#pragma once
#include "inlined.hpp"

#ifdef __IPU__
#include "ahead_ipu.hpp"
#endif

namespace popsnn {

// to += from.
POPSNN_INLINED inline void add_row(const float* __restrict__ from,  // [columns]
                                   unsigned columns,
                                   float* __restrict__ to) {  // [columns]
  for (unsigned j = 0; j < columns; ++j) to[j] += from[j];
}

// sums[delays[ids[k]]] += rows[ids[k]].
template <class Id>
POPSNN_INLINED inline void add_rows_ahead(
    const float* rows,  // [inputs, columns]
    unsigned columns,
    const Id* ids,  // [count]
    unsigned count,
    const unsigned* delays,  // [inputs]
    float* sums,             // [1 + longest_delay, stride] [columns] of each
    unsigned stride) {
#ifdef __IPU__
  if (ipu::add_ahead(rows, columns, ids, count, delays, sums, stride)) return;
#endif
  for (unsigned k = 0; k < count; ++k)
    add_row(rows + ids[k] * columns, columns, sums + delays[ids[k]] * stride);
}

// rows[ids[k]] += vectors[delays[ids[k]]].
template <class Id>
POPSNN_INLINED inline void scatter_rows_ahead(
    float* rows,  // [inputs, columns]
    unsigned columns,
    const Id* ids,  // [count]
    unsigned count,
    const unsigned* delays,  // [inputs]
    const float* vectors,    // [1 + longest_delay, stride] [columns] of each
    unsigned stride) {
  for (unsigned k = 0; k < count; ++k)
    add_row(vectors + delays[ids[k]] * stride, columns, rows + ids[k] * columns);
}

// dots[k] = dot(rows[ids[k]], vectors[delays[ids[k]]]).
template <class Id>
POPSNN_INLINED inline void dot_rows_ahead(
    const float* rows,  // [inputs, columns]
    unsigned columns,
    const Id* ids,  // [count]
    unsigned count,
    const unsigned* delays,  // [inputs]
    const float* vectors,    // [1 + longest_delay, stride], as above
    unsigned stride,
    float* dots) {  // [count]
#ifdef __IPU__
  if (ipu::dots_ahead(rows, columns, ids, count, delays, vectors, stride, dots)) return;
#endif
  for (unsigned k = 0; k < count; ++k) {
    const float* const row = rows + ids[k] * columns;
    const float* const vector = vectors + delays[ids[k]] * stride;
    float dot = 0.0f;
    for (unsigned j = 0; j < columns; ++j) dot += row[j] * vector[j];
    dots[k] = dot;
  }
}

}  // namespace popsnn
