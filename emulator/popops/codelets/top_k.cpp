#include <poplar/Vertex.hpp>

namespace popops {

using poplar::InOut;
using poplar::Input;
using poplar::Output;
using poplar::Vector;

// The indices of the `k` greatest (or least) keys of a row, in order; the first of equal ones
// first.
template <typename T>
class TopKIndices : public poplar::Vertex {
 public:
  Input<Vector<T>> keys;             // (N,)
  Output<Vector<unsigned>> indices;  // (k,)
  InOut<Vector<unsigned>> scratch;   // (2 N,)
  const bool largest;

  void compute() {
    const unsigned n = keys.size();
    unsigned* from = &scratch[0];
    unsigned* to = from + n;
    for (unsigned i = 0; i < n; ++i) from[i] = i;
    for (unsigned width = 1; width < n; width *= 2) {  // merge sort, which is stable
      for (unsigned begin = 0; begin < n; begin += 2 * width) {
        const unsigned middle = begin + width < n ? begin + width : n;
        const unsigned end = begin + 2 * width < n ? begin + 2 * width : n;
        unsigned a = begin, b = middle;
        for (unsigned i = begin; i < end; ++i) {
          const bool second = b < end && (a == middle || before(keys[from[b]], keys[from[a]]));
          to[i] = from[second ? b++ : a++];
        }
      }
      unsigned* const swap = from;
      from = to;
      to = swap;
    }
    for (unsigned i = 0; i < indices.size(); ++i) indices[i] = from[i];
  }

 private:
  bool before(T a, T b) const { return largest ? a > b : a < b; }
};

template class TopKIndices<float>;
template class TopKIndices<half>;
template class TopKIndices<int>;
template class TopKIndices<unsigned int>;

// out[i] = in[indices[i]]
template <typename Bits>
class Permute : public poplar::Vertex {
 public:
  Input<Vector<Bits>> in;           // (N,)
  Input<Vector<unsigned>> indices;  // (k,)
  Output<Vector<Bits>> out;         // (k,)

  void compute() {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = in[indices[i]];
  }
};

template class Permute<unsigned char>;
template class Permute<unsigned short>;
template class Permute<unsigned int>;
template class Permute<unsigned long long>;

}  // namespace popops
