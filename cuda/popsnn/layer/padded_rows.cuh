// Weights in the type of the products, rows padded with zeros so that the tensor cores' loads are
// aligned. A thread has 4 neighbouring elements of the result.
#pragma once

#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kPadThreads = 256;

struct PaddedRowsArguments {
  const float* from;  // [rows, columns]
  void* to;           // [padded_rows, padded_columns], the latter a multiple of 4
  int rows;
  int columns;
  int padded_rows;
  int padded_columns;
};

template <class T>
POPSNN_DEVICE void pad_rows(const PaddedRowsArguments& a) {
  const long long index = block_index() * kPadThreads + thread_index();
  const int quads = a.padded_columns / 4;
  const int row = static_cast<int>(index / quads);
  if (row >= a.padded_rows) return;
  const int column = 4 * static_cast<int>(index - static_cast<long long>(row) * quads);
  const float* from = a.from + static_cast<long long>(row) * a.columns + column;
  float values[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    values[j] = row < a.rows && column + j < a.columns ? from[j] : 0.0f;
  }
  store<T, 4, true>(static_cast<T*>(a.to) + 4 * index, values, 4);
}

}  // namespace popsnn
