#include <poplar/Vertex.hpp>

namespace popops {

// Counts modulo 2^32, so that it serves signed counts too.
class ForLoopCounter : public poplar::Vertex {
 public:
  poplar::InOut<unsigned> count;
  poplar::Input<unsigned> limit;
  poplar::Output<unsigned> more;
  const unsigned step;

  void compute() {
    *count += step;
    *more = *count != *limit;
  }
};

// out = (in + offset) % size
class CircOffset : public poplar::Vertex {
 public:
  poplar::Input<unsigned> indexIn;
  poplar::Output<unsigned> indexOut;
  const unsigned hSize;
  const unsigned offset;

  void compute() { *indexOut = (*indexIn + offset) % hSize; }
};

}  // namespace popops
