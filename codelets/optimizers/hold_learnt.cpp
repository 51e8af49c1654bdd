// hold_learnt: what an optimizer has learnt of a tile's neurons, one parameter of each.
//
//   HoldLearnt     parameter = learnt, within [0, 1] where it is a leak: before the first step
//   HoldGradient   held = gradient, where the parameter follows what is learnt, else 0: before the
//                  update
//
// A leak that has left [0, 1] is held at its end and has no gradient, and one that is no number
// stays so, as torch.clamp has it.
#include <poplar/Vertex.hpp>

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class HoldLearnt : public Vertex {
 public:
  Input<Vector<float, ONE_PTR, 4>> learnt;      // [size]
  Output<Vector<float, ONE_PTR, 4>> parameter;  // [size]
  const unsigned size;
  const unsigned leak;  // 0 or 1

  bool compute() {
    for (unsigned i = 0; i < size; ++i) {
      const float value = learnt[i];
      const float low = value < 0.0f ? 0.0f : value;
      parameter[i] = leak == 0 ? value : low > 1.0f ? 1.0f : low;
    }
    return true;
  }
};

class HoldGradient : public Vertex {
 public:
  Input<Vector<float, ONE_PTR, 4>> learnt;    // [size]
  Input<Vector<float, ONE_PTR, 4>> gradient;  // [size]
  Output<Vector<float, ONE_PTR, 4>> held;     // [size]
  const unsigned size;
  const unsigned leak;  // 0 or 1

  bool compute() {
    for (unsigned i = 0; i < size; ++i) {
      const bool follows = leak == 0 || (learnt[i] >= 0.0f && learnt[i] <= 1.0f);
      held[i] = follows ? gradient[i] : 0.0f;
    }
    return true;
  }
};

}  // namespace popsnn
