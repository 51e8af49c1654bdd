#include <cmath>
#include <poplar/Vertex.hpp>

namespace popops {

using poplar::Input;
using poplar::Output;
using poplar::Vector;

// The piece `k` of the B-spline function of a degree at v in [0, 1).
static float spline(unsigned degree, unsigned k, float v) {
  const float u = 1 - v;
  if (degree == 1) return k == 0 ? u : v;
  if (degree == 2) return k == 0 ? 0.5f * u * u : k == 1 ? 0.5f + v * u : 0.5f * v * v;
  switch (k) {
    case 0:
      return u * u * u / 6;
    case 1:
      return (3 * v * v * v - 6 * v * v + 4) / 6;
    case 2:
      return (3 * u * u * u - 6 * u * u + 4) / 6;
    default:
      return v * v * v / 6;
  }
}

// Ranges r of the functions of edges: those from begins[r] on.
template <typename T>
class SplineBasis : public poplar::Vertex {
 public:
  Vector<Input<Vector<T>>> pseudo;  // [range]: of its edge, (dims,)
  Input<Vector<int>> kernelSize;
  Input<Vector<unsigned char>> isOpenSpline;
  Vector<Output<Vector<T>>> basis;
  Vector<Output<Vector<int>>> weightIndex;
  const Vector<unsigned> begins;
  const unsigned degree;

  void compute() {
    for (unsigned r = 0; r < basis.size(); ++r) {
      for (unsigned i = 0; i < basis[r].size(); ++i) function(r, i);
    }
  }

 private:
  void function(unsigned r, unsigned i) {
    unsigned rest = begins[r] + i, index = 0, stride = 1;
    float product = 1;
    for (unsigned d = 0; d < kernelSize.size(); ++d) {
      const unsigned k = rest % (degree + 1), size = kernelSize[d];
      rest /= degree + 1;
      // In float: it decides between two pieces, and poplibs' test compares with float.
      const float at = float(pseudo[r][d]) * (float(size) - float(degree * isOpenSpline[d]));
      const float whole = std::floor(at);
      index += (unsigned(whole) + k) % size * stride;
      stride *= size;
      product *= spline(degree, k, at - whole);
    }
    basis[r][i] = T(product);
    weightIndex[r][i] = int(index);
  }
};

template class SplineBasis<float>;
template class SplineBasis<half>;

// Ranges r of the outputs of edges.
template <typename T>
class SplineWeighting : public poplar::Vertex {
 public:
  Vector<Input<Vector<T>>> input;          // [range]: of its edge, (inputs,)
  Vector<Input<Vector<T>>> basis;          // [range]: of its edge, (splines,)
  Vector<Input<Vector<int>>> weightIndex;  // likewise
  Input<Vector<T>> weight;                 // (weights * inputs * outputs,)
  Vector<Output<Vector<T>>> output;
  const Vector<unsigned> begins;
  const unsigned outputs;

  void compute() {
    for (unsigned r = 0; r < output.size(); ++r) {
      for (unsigned i = 0; i < output[r].size(); ++i) output[r][i] = T(sum(r, begins[r] + i));
    }
  }

 private:
  float sum(unsigned r, unsigned o) {
    float out = 0;
    const unsigned inputs = input[r].size();
    for (unsigned s = 0; s < basis[r].size(); ++s) {
      const unsigned first = unsigned(weightIndex[r][s]) * inputs;
      for (unsigned c = 0; c < inputs; ++c) {
        out += float(basis[r][s]) * float(input[r][c]) * float(weight[(first + c) * outputs + o]);
      }
    }
    return out;
  }
};

template class SplineWeighting<float>;
template class SplineWeighting<half>;

}  // namespace popops
