#ifndef popart_patterns_adamdecompose_hpp
#define popart_patterns_adamdecompose_hpp

#include <popart/emulator/absent.hpp>
#include <popart/patterns/optimizerdecompose.hpp>
#include <popart/tensordebuginfo.hpp>
#include <utility>
#include <vector>

namespace popart {

class AdamComboOp;
class Graph;
class Op;
class Tensor;
class AdamDecompose : public OptimizerDecompose {
 public:
  bool matches(Op*) const override { emulator::missing("popart::AdamDecompose::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::AdamDecompose::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::AdamDecompose::apply"); }
  TensorId rescaleRatio(Graph&, AdamComboOp*) const {
    emulator::missing("popart::AdamDecompose::rescaleRatio");
  }
  std::pair<Op*, TensorId> rescaleAccl(Graph&, AdamComboOp*, bool, TensorId, TensorId,
                                       TensorId) const {
    emulator::missing("popart::AdamDecompose::rescaleAccl");
  }
};

}  // namespace popart

#endif  // popart_patterns_adamdecompose_hpp
