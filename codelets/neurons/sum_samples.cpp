// sum_samples: sums the rows of a tile over the samples.
#include <poplar/Vertex.hpp>

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class SumSamples : public Vertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> rows;  // [batch, size]
  Output<Vector<float, ONE_PTR, 8>> sum;  // [size]
  const unsigned batch;
  const unsigned size;

  bool compute() {
    for (unsigned i = 0; i < size; ++i) sum[i] = 0.0f;
    for (unsigned b = 0; b < batch; ++b)
      for (unsigned i = 0; i < size; ++i) sum[i] += rows[b * size + i];
    return true;
  }
};

}  // namespace popsnn
