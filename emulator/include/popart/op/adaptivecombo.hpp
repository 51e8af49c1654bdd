#ifndef popart_op_adaptivecombo_hpp
#define popart_op_adaptivecombo_hpp

#include <map>
#include <memory>
#include <popart/adaptive.hpp>
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

class AdaptiveComboOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit AdaptiveComboOp(const Args&...)
      : VarUpdateWithUpdaterOp(
            emulator::absent<const OperatorIdentifier>("popart::AdaptiveComboOp")) {}
  std::map<InIndex, TensorId> optimizerInputs() const override {
    emulator::missing("popart::AdaptiveComboOp::optimizerInputs");
  }
  const OptimizerValue initLr;
  const OptimizerValue initWd;
  const OptimizerValue initA;
  const OptimizerValue initM;
  const OptimizerValue initEps;
  const OptimizerValue initLs;
  const OptimizerValue initGs;
  const AdaptiveMode mode;
  const WeightDecayMode decayMode;
  const bool withGradAccum;
  const OptimizerReductionType reductionType;
  DataType accumType;
  DataType accl1Type;
  DataType accl2Type;
  DataType accl3Type;
  const bool rmspropTFVariant;
  static InIndex getLrInIndex() { return 2; }
  static InIndex getWdInIndex() { return 3; }
  static InIndex getAlphaInIndex() { return 4; }
  static InIndex getMomentumInIndex() { return 5; }
  static InIndex getEpsInIndex() { return 6; }
  static InIndex getLsInIndex() { return 7; }
  static InIndex getGsInIndex() { return 8; }
};

}  // namespace popart

#endif  // popart_op_adaptivecombo_hpp
