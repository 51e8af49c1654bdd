#include <poplar/Vertex.hpp>

namespace popnn {

using poplar::Input;
using poplar::Output;
using poplar::Vector;

// Each row of `out` is the maximum, or a weighted sum, of `counts` rows of `in` in turn.
template <typename T, bool max>
class Pool : public poplar::Vertex {
 public:
  Vector<Input<Vector<T>>> in;
  Vector<unsigned> counts;
  Vector<float> weights;  // of the rows of `in`; of a sum
  Vector<Output<Vector<T>>> out;

  void compute() {
    unsigned first = 0;
    for (unsigned r = 0; r < out.size(); first += counts[r++]) {
      for (unsigned c = 0; c < out[r].size(); ++c) {
        float value = 0;
        for (unsigned i = first; i < first + counts[r]; ++i) {
          const float x = static_cast<float>(in[i][c]);
          if (!max) {
            value += weights[i] * x;
          } else if (i == first || value < x) {
            value = x;
          }
        }
        out[r][c] = static_cast<T>(value);
      }
    }
  }
};

template class Pool<float, true>;
template class Pool<float, false>;
template class Pool<half, true>;
template class Pool<half, false>;

// The gradients of windows, each divided by how many of its elements are its maximum.
template <typename T>
class MaxPoolScale : public poplar::Vertex {
 public:
  Vector<Input<Vector<T>>> in;
  Vector<unsigned> counts;
  Vector<Input<Vector<T>>> pooled;
  Vector<Input<Vector<T>>> gradients;
  Vector<Output<Vector<T>>> out;

  void compute() {
    unsigned first = 0;
    for (unsigned r = 0; r < out.size(); first += counts[r++]) {
      for (unsigned c = 0; c < out[r].size(); ++c) {
        unsigned equal = 0;
        for (unsigned i = first; i < first + counts[r]; ++i) {
          equal += static_cast<float>(in[i][c]) == static_cast<float>(pooled[r][c]) ? 1 : 0;
        }
        const float gradient = static_cast<float>(gradients[r][c]);
        out[r][c] = static_cast<T>(equal == 0 ? 0 : gradient / static_cast<float>(equal));
      }
    }
  }
};

template class MaxPoolScale<float>;
template class MaxPoolScale<half>;

// Each row of `out` is the sum of the gradients of `counts` windows in turn where its row of `in`
// has their maximum.
template <typename T>
class MaxPoolGradient : public poplar::Vertex {
 public:
  Vector<Input<Vector<T>>> in;
  Vector<unsigned> counts;
  Vector<Input<Vector<T>>> pooled;
  Vector<Input<Vector<T>>> gradients;
  Vector<Output<Vector<T>>> out;

  void compute() {
    unsigned first = 0;
    for (unsigned r = 0; r < out.size(); first += counts[r++]) {
      for (unsigned c = 0; c < out[r].size(); ++c) {
        float sum = 0;
        for (unsigned w = first; w < first + counts[r]; ++w) {
          if (static_cast<float>(in[r][c]) == static_cast<float>(pooled[w][c])) {
            sum += static_cast<float>(gradients[w][c]);
          }
        }
        out[r][c] = static_cast<T>(sum);
      }
    }
  }
};

template class MaxPoolGradient<float>;
template class MaxPoolGradient<half>;

}  // namespace popnn
