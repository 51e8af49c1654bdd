#include <poplar/Vertex.hpp>

namespace poplin {

using poplar::Input;
using poplar::Output;
using poplar::Vector;

// out = a * b, of a block. Workers take turns of rows, or ranges of the row where there is one.
template <typename T>
class MatMulBlock : public poplar::MultiVertex {
 public:
  Input<Vector<T>> a;         // [rows, depth] row-major
  Input<Vector<T>> b;         // [depth, columns] row-major
  Output<Vector<float>> out;  // [rows, columns] row-major
  const unsigned depth;
  const unsigned columns;

  void compute(unsigned workerId) {
    const unsigned rows = out.size() / columns;
    if (rows > 1 || columns == 1) {
      for (unsigned r = workerId; r < rows; r += numWorkers()) row(r, 0, columns);
    } else {
      const unsigned each = (columns + numWorkers() - 1) / numWorkers();
      const unsigned begin = workerId * each < columns ? workerId * each : columns;
      row(0, begin, begin + each < columns ? begin + each : columns);
    }
  }

 private:
  void row(unsigned r, unsigned begin, unsigned end) {
    const T* const left = &a[static_cast<unsigned long>(r) * depth];
    float* const to = &out[static_cast<unsigned long>(r) * columns];
    if (columns == 1) {
      float sum = 0;
      for (unsigned k = 0; k < depth; ++k)
        sum += static_cast<float>(left[k]) * static_cast<float>(b[k]);
      *to = sum;
      return;
    }
    for (unsigned c = begin; c < end; ++c) to[c] = 0;
    for (unsigned k = 0; k < depth; ++k) {
      const float x = left[k];
      const T* const right = &b[static_cast<unsigned long>(k) * columns];
      for (unsigned c = begin; c < end; ++c) to[c] += x * static_cast<float>(right[c]);
    }
  }
};

template class MatMulBlock<float>;
template class MatMulBlock<half>;

}  // namespace poplin
