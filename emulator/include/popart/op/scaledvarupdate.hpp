#ifndef popart_op_scaledvarupdate_hpp
#define popart_op_scaledvarupdate_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/varupdate.hpp>
#include <popart/optimizervalue.hpp>

namespace popart {

class ScaledVarUpdateOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit ScaledVarUpdateOp(const Args&...)
      : VarUpdateWithUpdaterOp(
            emulator::absent<const OperatorIdentifier>("popart::ScaledVarUpdateOp")) {}
  std::map<InIndex, TensorId> optimizerInputs() const override {
    emulator::missing("popart::ScaledVarUpdateOp::optimizerInputs");
  }
  const OptimizerValue initLr;
  const OptimizerValue initWd;
  const bool lrInUpdater;
  static InIndex getLrInIndex() { return 2; }
  static InIndex getWdInIndex() { return 3; }
};

}  // namespace popart

#endif  // popart_op_scaledvarupdate_hpp
