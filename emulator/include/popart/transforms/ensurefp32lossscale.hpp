#ifndef popart_transforms_ensurefp32lossscale_hpp
#define popart_transforms_ensurefp32lossscale_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/transforms/transform.hpp>
#include <string>
#include <utility>
#include <vector>

namespace popart {

class Graph;
class Op;
class Tensor;
using PassThroughOps = std::vector<Op*>;

using TerminalOps = std::vector<Op*>;

using FromLossScaleTraversalOps = std::pair<PassThroughOps, TerminalOps>;

class EnsureFp32LossScale : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::EnsureFp32LossScale::id"); }
  EnsureFp32LossScale() = default;
  bool apply(Graph&) const override { emulator::missing("popart::EnsureFp32LossScale::apply"); }
  std::size_t getId() const override { emulator::missing("popart::EnsureFp32LossScale::getId"); }
  std::string getName() const override { return "EnsureFp32LossScale"; }
  static bool isMixedPrecisionLossGradOp(Op*) {
    emulator::missing("popart::EnsureFp32LossScale::isMixedPrecisionLossGradOp");
  }
  static Tensor* getLossScaleInputTensor(Op*) {
    emulator::missing("popart::EnsureFp32LossScale::getLossScaleInputTensor");
  }
  bool isPassThroughOp(Op*) const {
    emulator::missing("popart::EnsureFp32LossScale::isPassThroughOp");
  }
  FromLossScaleTraversalOps traverseFromLossScaleTensor(const Graph&) const {
    emulator::missing("popart::EnsureFp32LossScale::traverseFromLossScaleTensor");
  }
  bool shouldApply(const Graph&) const {
    emulator::missing("popart::EnsureFp32LossScale::shouldApply");
  }
  void upCastTensor(Op*, InIndex) const {
    emulator::missing("popart::EnsureFp32LossScale::upCastTensor");
  }
  void downCastTensor(Tensor*) const {
    emulator::missing("popart::EnsureFp32LossScale::downCastTensor");
  }
};

}  // namespace popart

#endif  // popart_transforms_ensurefp32lossscale_hpp
