#ifndef popart_op_accumulatorscale_hpp
#define popart_op_accumulatorscale_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/varupdate.hpp>
#include <popart/optimizervalue.hpp>

namespace popart {

class AccumulatorScaleOp : public VarUpdateOp {
 public:
  template <class... Args>
  explicit AccumulatorScaleOp(const Args&...)
      : VarUpdateOp(emulator::absent<const OperatorIdentifier>("popart::AccumulatorScaleOp")) {}
  std::map<InIndex, TensorId> optimizerInputs() const override {
    emulator::missing("popart::AccumulatorScaleOp::optimizerInputs");
  }
  static InIndex getFactorInIndex() { return 2; }
  const OptimizerValue& getFactor() const {
    emulator::missing("popart::AccumulatorScaleOp::getFactor");
  }
};

}  // namespace popart

#endif  // popart_op_accumulatorscale_hpp
