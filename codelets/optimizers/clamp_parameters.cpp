// clamp_parameters: clamps decay factors that an optimizer learns to [0, 1], as torch.clamp does;
// one parameter of a tile's neurons.
//
//   ClampParameters  parameter = clamp(learnt), before the first time step
//   ClampGradients   clamped = gradient where the clamp passes it, else 0, before the update
//
// A NaN stays NaN. Parameters that are not decay factors are copied.
#include <poplar/Vertex.hpp>

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class ClampParameters : public Vertex {
 public:
  Input<Vector<float, ONE_PTR, 4>> learnt;      // [size]
  Output<Vector<float, ONE_PTR, 4>> parameter;  // [size]
  const unsigned size;
  const unsigned decay;  // 0 or 1

  bool compute() {
    for (unsigned i = 0; i < size; ++i) {
      const float value = learnt[i];
      const float low = value < 0.0f ? 0.0f : value;
      parameter[i] = decay == 0 ? value : low > 1.0f ? 1.0f : low;
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
  const unsigned decay;  // 0 or 1

  bool compute() {
    for (unsigned i = 0; i < size; ++i) {
      const bool passes = decay == 0 || (learnt[i] >= 0.0f && learnt[i] <= 1.0f);
      clamped[i] = passes ? gradient[i] : 0.0f;
    }
    return true;
  }
};

}  // namespace popsnn
