// add_gradients: the gradients that the other replicas have of a stretch of parameters are added to
// this replica's, in the replicas' order. Workers take ranges.
#include <poplar/Vertex.hpp>

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class AddGradients : public MultiVertex {
 public:
  Vector<Input<Vector<float, ONE_PTR, 8>>> others;  // [replicas - 1][size]
  InOut<Vector<float, ONE_PTR, 8>> gradient;        // [size]
  const unsigned size;

  bool compute(unsigned worker) {
    float* const sum = &gradient[0];
    const unsigned begin = size * worker / numWorkers();
    const unsigned end = size * (worker + 1) / numWorkers();
    for (unsigned r = 0; r < others.size(); ++r) {
      const float* const other = &others[r][0];
      for (unsigned i = begin; i < end; ++i) sum[i] += other[i];
    }
    return true;
  }
};

}  // namespace popsnn
