#ifndef popart_op_adamcombo_hpp
#define popart_op_adamcombo_hpp

#include <map>
#include <memory>
#include <popart/adam.hpp>
#include <popart/datatype.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/varupdate.hpp>
#include <popart/optimizer.hpp>
#include <popart/optimizervalue.hpp>
#include <popart/tensordebuginfo.hpp>
#include <set>

namespace popart {

class AdamComboOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit AdamComboOp(const Args&...)
      : VarUpdateWithUpdaterOp(emulator::absent<const OperatorIdentifier>("popart::AdamComboOp")) {}
  std::map<InIndex, TensorId> optimizerInputs() const override {
    emulator::missing("popart::AdamComboOp::optimizerInputs");
  }
  const OptimizerValue initLr;
  const OptimizerValue initWd;
  const OptimizerValue initB1;
  const OptimizerValue initB2;
  const OptimizerValue initEps;
  const OptimizerValue initLs;
  const OptimizerValue initMwn;
  const OptimizerValue initGs;
  const AdamMode mode;
  const WeightDecayMode decayMode;
  const bool withGradAccum;
  const OptimizerReductionType reductionType;
  DataType accumType;
  DataType accl1Type;
  DataType accl2Type;
  const bool scaledOptimizerState;
  static InIndex getLrInIndex() { return 2; }
  static InIndex getWdInIndex() { return 3; }
  static InIndex getBeta1InIndex() { return 4; }
  static InIndex getBeta2InIndex() { return 5; }
  static InIndex getEpsInIndex() { return 6; }
  static InIndex getLsInIndex() { return 7; }
  static InIndex getMwnInIndex() { return 8; }
  static InIndex getGsInIndex() { return 9; }
};

}  // namespace popart

#endif  // popart_op_adamcombo_hpp
