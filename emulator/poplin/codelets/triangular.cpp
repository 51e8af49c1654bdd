// Vertices of solvers: small dense blocks, in float.
#include <cmath>
#include <poplar/Vertex.hpp>

namespace poplin {

using poplar::InOut;
using poplar::Input;
using poplar::Vector;

// Solves A x = b for each row x of `x`, in place. Workers take turns of rows.
template <bool lower, bool unitDiagonal>
class TriangularSolve : public poplar::MultiVertex {
 public:
  Input<Vector<float>> a;  // [n, n], of which one triangle is read
  InOut<Vector<float>> x;  // [rows, n]
  const unsigned n;

  void compute(unsigned workerId) {
    const unsigned rows = x.size() / n;
    for (unsigned r = workerId; r < rows; r += numWorkers()) {
      float* const row = &x[r * n];
      for (unsigned i = 0; i < n; ++i) {
        const unsigned at = lower ? i : n - 1 - i;
        const unsigned begin = lower ? 0 : at + 1, end = lower ? at : n;
        float sum = row[at];
        for (unsigned j = begin; j < end; ++j) sum -= a[at * n + j] * row[j];
        row[at] = unitDiagonal ? sum : sum / a[at * n + at];
      }
    }
  }
};

template class TriangularSolve<true, true>;
template class TriangularSolve<true, false>;
template class TriangularSolve<false, true>;
template class TriangularSolve<false, false>;

// The lower factor of a positive definite block, in place; zeros in the other triangle.
class CholeskyBlock : public poplar::Vertex {
 public:
  InOut<Vector<float>> a;  // [n, n], of which the lower triangle is read
  const unsigned n;

  void compute() {
    for (unsigned j = 0; j < n; ++j) {
      for (unsigned i = 0; i < j; ++i) a[i * n + j] = 0;
      float diagonal = a[j * n + j];
      for (unsigned k = 0; k < j; ++k) diagonal -= a[j * n + k] * a[j * n + k];
      diagonal = std::sqrt(diagonal);
      a[j * n + j] = diagonal;
      for (unsigned i = j + 1; i < n; ++i) {
        float sum = a[i * n + j];
        for (unsigned k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
        a[i * n + j] = sum / diagonal;
      }
    }
  }
};

// Both factors of a block without exchange of rows, in place: U, and below it L without its
// diagonal of ones.
class LuBlock : public poplar::Vertex {
 public:
  InOut<Vector<float>> a;  // [n, n]
  const unsigned n;

  void compute() {
    for (unsigned k = 0; k < n; ++k) {
      for (unsigned i = k + 1; i < n; ++i) {
        const float factor = a[i * n + k] / a[k * n + k];
        a[i * n + k] = factor;
        for (unsigned j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      }
    }
  }
};

}  // namespace poplin
