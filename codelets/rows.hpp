// Loops over the weight rows of active inputs, the inner loops of the sparse products.
//
// Columns are taken in blocks of compile-time width so that a block's accumulators stay in
// registers while the list is walked: one load and one add per row and vector.
#pragma once

namespace popsnn {

// sum[j] += sum over k of rows[ids[k]][j], for Width columns.
template <unsigned Width, class Id>
inline void gather_block(const float* rows,  // [inputs, stride] row-major, at the first column
                         unsigned stride,    // floats from row to row
                         const Id* ids,      // [count]
                         unsigned count,
                         float* sum) {  // [Width]
  float block[Width];
  for (unsigned j = 0; j < Width; ++j) block[j] = sum[j];
  for (unsigned k = 0; k < count; ++k) {
    const float* row = rows + ids[k] * stride;
    for (unsigned j = 0; j < Width; ++j) block[j] += row[j];
  }
  for (unsigned j = 0; j < Width; ++j) sum[j] = block[j];
}

// sum[j] += sum over k of rows[ids[k]][j].
template <class Id>
inline void gather_rows(const float* rows,  // [inputs, columns] row-major
                        unsigned columns,
                        const Id* ids,  // [count]
                        unsigned count,
                        float* sum) {  // [columns]
  unsigned j = 0;
  for (; j + 64 <= columns; j += 64) gather_block<64>(rows + j, columns, ids, count, sum + j);
  for (; j + 16 <= columns; j += 16) gather_block<16>(rows + j, columns, ids, count, sum + j);
  for (; j + 4 <= columns; j += 4) gather_block<4>(rows + j, columns, ids, count, sum + j);
  for (; j < columns; ++j) gather_block<1>(rows + j, columns, ids, count, sum + j);
}

// dots[k] = dot(rows[ids[k]], vector).
template <class Id>
inline void dot_rows(const float* rows,  // [inputs, columns] row-major
                     unsigned columns,
                     const Id* ids,  // [count]
                     unsigned count,
                     const float* vector,  // [columns]
                     float* dots) {        // [count]
  constexpr unsigned kLanes = 16;
  for (unsigned k = 0; k < count; ++k) {
    const float* row = rows + ids[k] * columns;
    float lanes[kLanes] = {};
    unsigned j = 0;
    for (; j + kLanes <= columns; j += kLanes)
      for (unsigned i = 0; i < kLanes; ++i) lanes[i] += row[j + i] * vector[j + i];
    float tail = 0.0f;
    for (; j < columns; ++j) tail += row[j] * vector[j];
    for (unsigned width = kLanes / 2; width > 0; width /= 2)
      for (unsigned i = 0; i < width; ++i) lanes[i] += lanes[i + width];
    dots[k] = lanes[0] + tail;
  }
}

// rows[ids[k]] += vector.
template <class Id>
inline void scatter_rows(float* rows,  // [inputs, columns] row-major
                         unsigned columns,
                         const Id* ids,  // [count]
                         unsigned count,
                         const float* vector) {  // [columns]
  for (unsigned k = 0; k < count; ++k) {
    float* row = rows + ids[k] * columns;
    for (unsigned j = 0; j < columns; ++j) row[j] += vector[j];
  }
}

}  // namespace popsnn
