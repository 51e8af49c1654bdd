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
  // Products are added up sixteen at a time, as the units of an IPU take them, then the sums. The
  // rounding of long sums is smaller than that of one product after another.
  static constexpr unsigned kTogether = 16;
  void row(unsigned r, unsigned begin, unsigned end) {
    const T* const left = &a[static_cast<unsigned long>(r) * depth];
    float* const to = &out[static_cast<unsigned long>(r) * columns];
    // Of so many columns, whose sums stay in registers.
    for (; begin + 32 <= end; begin += 32) sums<32>(left, &b[0] + begin, to + begin);
    for (; begin + 8 <= end; begin += 8) sums<8>(left, &b[0] + begin, to + begin);
    for (; begin < end; ++begin) sums<1>(left, &b[0] + begin, to + begin);
  }

  // to[c] is the sum over k of left[k] * right[k * columns + c]
  template <unsigned N>
  void sums(const T* left, const T* right, float* to) const {
    float total[N] = {};
    for (unsigned first = 0; first < depth; first += kTogether) {
      const unsigned last = first + kTogether < depth ? first + kTogether : depth;
      float part[N] = {};
      for (unsigned k = first; k < last; ++k) {
        const float x = left[k];
        const T* const from = right + static_cast<unsigned long>(k) * columns;
        for (unsigned c = 0; c < N; ++c) part[c] += x * static_cast<float>(from[c]);
      }
      for (unsigned c = 0; c < N; ++c) total[c] += part[c];
    }
    for (unsigned c = 0; c < N; ++c) to[c] = total[c];
  }
};

template class MatMulBlock<float>;
template class MatMulBlock<half>;

}  // namespace poplin
