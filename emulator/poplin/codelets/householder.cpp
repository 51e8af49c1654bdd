// Vertices of the QR factorisation.
#include <cmath>
#include <poplar/Vertex.hpp>

namespace poplin {

using poplar::InOut;
using poplar::Input;
using poplar::Output;
using poplar::Vector;

// The vector v of the reflection 1 - v v^T that maps the elements from `step` on to a multiple of
// the first unit vector: v is scaled to v^T v = 2, and zero before `step`.
class Householder : public poplar::Vertex {
 public:
  Input<Vector<float>> column;  // [m]
  Input<unsigned> step;
  Output<Vector<float>> v;  // [m]

  void compute() {
    const unsigned m = column.size(), at = *step;
    float tail = 0;
    for (unsigned i = 0; i < at; ++i) v[i] = 0;
    for (unsigned i = at + 1; i < m; ++i) tail += column[i] * column[i];
    const float first = column[at], norm = std::sqrt(first * first + tail);
    // With the sign of the first element nothing cancels.
    const float head = first < 0 ? first - norm : first + norm;
    const float square = head * head + tail;
    const float scale = square > 0 ? std::sqrt(2 / square) : 0;
    v[at] = head * scale;
    for (unsigned i = at + 1; i < m; ++i) v[i] = column[i] * scale;
  }
};

// Reflects rows. Of row `step` of those from `first` on, where they are of the transposed matrix,
// the elements after the diagonal become zero exactly. Workers take turns of rows.
template <bool clear>
class Reflect : public poplar::MultiVertex {
 public:
  Input<Vector<float>> v;  // [m]
  Input<unsigned> step;
  InOut<Vector<float>> rows;  // [rows, m]
  const unsigned first;

  void compute(unsigned workerId) {
    const unsigned m = v.size(), n = rows.size() / m, at = *step;
    for (unsigned r = workerId; r < n; r += numWorkers()) {
      float* const row = &rows[r * m];
      float dot = 0;
      for (unsigned i = at; i < m; ++i) dot += row[i] * v[i];
      for (unsigned i = at; i < m; ++i) row[i] -= dot * v[i];
      if (clear && first + r == at) {
        for (unsigned i = at + 1; i < m; ++i) row[i] = 0;
      }
    }
  }
};

template class Reflect<false>;
template class Reflect<true>;

}  // namespace poplin
