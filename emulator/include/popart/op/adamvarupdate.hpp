#ifndef popart_op_adamvarupdate_hpp
#define popart_op_adamvarupdate_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/varupdate.hpp>
#include <popart/optimizervalue.hpp>

namespace popart {

class AdamVarUpdateOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit AdamVarUpdateOp(const Args&...)
      : VarUpdateWithUpdaterOp(
            emulator::absent<const OperatorIdentifier>("popart::AdamVarUpdateOp")) {}
  std::map<InIndex, TensorId> optimizerInputs() const override {
    emulator::missing("popart::AdamVarUpdateOp::optimizerInputs");
  }
  const OptimizerValue initLr;
  const OptimizerValue initMwn;
  static InIndex getLambR1SqInIndex() { return 2; }
  static InIndex getLambR2SqInIndex() { return 3; }
  static InIndex getLrInIndex() { return 4; }
  static InIndex getMwnInIndex() { return 5; }
};

}  // namespace popart

#endif  // popart_op_adamvarupdate_hpp
