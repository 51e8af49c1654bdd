#include <poplar/Vertex.hpp>

namespace popops {

using poplar::InOut;
using poplar::Input;
using poplar::Vector;

// Bits is the unsigned type of the size of an element.
template <typename Bits>
class SequenceSlice : public poplar::Vertex {
 public:
  Vector<Input<Vector<Bits>>> in;   // rows of length L
  Vector<InOut<Vector<Bits>>> out;  // likewise
  Input<Vector<unsigned>> counts, inOffsets, outOffsets;

  void compute() {
    for (unsigned i = 0; i < counts.size(); ++i) {
      for (unsigned k = 0; k < counts[i]; ++k) {
        const unsigned from = inOffsets[i] + k, to = outOffsets[i] + k;
        if (from >= in.size() || to >= out.size()) break;
        for (unsigned j = 0; j < out[to].size(); ++j) out[to][j] = in[from][j];
      }
    }
  }
};

template class SequenceSlice<unsigned char>;
template class SequenceSlice<unsigned short>;
template class SequenceSlice<unsigned int>;
template class SequenceSlice<unsigned long long>;

}  // namespace popops
