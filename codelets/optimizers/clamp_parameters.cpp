// clamp_parameters: clamps what an optimizer learns to its bounds, as torch.clamp does; one
// parameter of a tile's neurons.
//
//   ClampParameters  parameter = clamp(learnt), before the first time step
//   ClampGradients   clamped = gradient where the clamp passes it, else 0, before the update
//
// A NaN stays NaN. Bounds of a parameter without any are infinite.
#include <poplar/Vertex.hpp>

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class ClampParameters : public Vertex {
 public:
  Input<Vector<float, ONE_PTR, 4>> learnt;      // [size]
  Output<Vector<float, ONE_PTR, 4>> parameter;  // [size]
  const unsigned size;
  const float lowest, highest;

  bool compute() {
    for (unsigned i = 0; i < size; ++i) {
      const float value = learnt[i];
      const float low = value < lowest ? lowest : value;
      parameter[i] = low > highest ? highest : low;
    }
    return true;
  }
};

class ClampGradients : public Vertex {
 public:
  Input<Vector<float, ONE_PTR, 4>> learnt;    // [size]
  Input<Vector<float, ONE_PTR, 4>> gradient;  // [size]
  Output<Vector<float, ONE_PTR, 4>> clamped;  // [size]
  const unsigned size;
  const unsigned bounded;  // 0 or 1; without bounds the gradient of a NaN passes
  const float lowest, highest;

  bool compute() {
    for (unsigned i = 0; i < size; ++i) {
      const bool passes = bounded == 0 || (learnt[i] >= lowest && learnt[i] <= highest);
      clamped[i] = passes ? gradient[i] : 0.0f;
    }
    return true;
  }
};

}  // namespace popsnn
