#include <poplar/Vertex.hpp>

namespace popsparse {

using poplar::InOut;
using poplar::Input;
using poplar::Output;
using poplar::Vector;

// A bucket is (1 + 2 * capacity,): how many blocks it has, their rows, and their columns, counted
// in blocks. Its values are row-major within a block.

// Adds to rows [first, first + rows) of the result what the blocks of a bucket contribute; the
// operand has all of its rows, and columns as the result.
template <typename T>
class SparseDense : public poplar::Vertex {
 public:
  Input<Vector<unsigned short>> bucket;
  Input<Vector<T>> values;
  Input<Vector<T>> operand;
  InOut<Vector<float>> out;
  const unsigned block_rows, block_columns, columns;
  const unsigned first;
  const bool transposed;  // the sparse matrix

  void compute() {
    const unsigned capacity = (bucket.size() - 1) / 2, rows = out.size() / columns;
    for (unsigned i = 0; i < bucket[0]; ++i) {
      const unsigned top = bucket[1 + i] * block_rows,
                     left = bucket[1 + capacity + i] * block_columns;
      for (unsigned r = 0; r < block_rows; ++r) {
        for (unsigned c = 0; c < block_columns; ++c) {
          const unsigned to = transposed ? left + c : top + r,
                         from = transposed ? top + r : left + c;
          if (to < first || to >= first + rows) continue;
          const float value = static_cast<float>(values[(i * block_rows + r) * block_columns + c]);
          float* const sums = &out[(to - first) * columns];
          const T* const row = &operand[from * columns];
          for (unsigned n = 0; n < columns; ++n) sums[n] += value * static_cast<float>(row[n]);
        }
      }
    }
  }
};

template class SparseDense<float>;
template class SparseDense<half>;

// For each value of a bucket the product of a row of `left` and a row of `right`, which has the
// columns of the sparse matrix as rows.
template <typename T>
class SparseGradient : public poplar::Vertex {
 public:
  Input<Vector<unsigned short>> bucket;
  Input<Vector<T>> left;
  Input<Vector<T>> right;
  Output<Vector<float>> out;
  const unsigned block_rows, block_columns, columns;

  void compute() {
    const unsigned capacity = (bucket.size() - 1) / 2, area = block_rows * block_columns;
    for (unsigned i = 0; i < capacity; ++i) {
      for (unsigned at = 0; at < area; ++at) {
        float sum = 0;
        if (i < bucket[0]) {
          const unsigned r = bucket[1 + i] * block_rows + at / block_columns,
                         c = bucket[1 + capacity + i] * block_columns + at % block_columns;
          for (unsigned n = 0; n < columns; ++n) {
            sum += static_cast<float>(left[r * columns + n]) *
                   static_cast<float>(right[c * columns + n]);
          }
        }
        out[i * area + at] = sum;
      }
    }
  }
};

template class SparseGradient<float>;
template class SparseGradient<half>;

}  // namespace popsparse
