#ifndef popart_op_ctc_hpp
#define popart_op_ctc_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/loss.hpp>

namespace popart {

class CtcOp : public LossOp {
 public:
  template <class... Args>
  explicit CtcOp(const Args&...)
      : LossOp(emulator::absent<const OperatorIdentifier>("popart::CtcOp"),
               emulator::absent<const Op::Settings>("popart::CtcOp"),
               emulator::absent<const ReductionType>("popart::CtcOp")) {}
  std::unique_ptr<Op> clone() const override {
    return std::move(emulator::absent<std::unique_ptr<Op>>("popart::CtcOp"));
  }
  float getSubgraphValue() const override { return getLowSubgraphValue(); }
  static int getLogProbsInIndex() { return 0; }
  static int getTargetsInIndex() { return 1; }
  static int getInputLengthsInIndex() { return 2; }
  static int getTargetLengthsInIndex() { return 3; }
  static int getCtcLossOutIndex() { return 0; }
  static int getLogProbsGradientWrtCtcLossOutIndex() { return 1; }
};

class CtcGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit CtcGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::CtcGradOp")) {}
  static int getLogProbsGradientWrtCtcLossInIndex() { return 0; }
  static int getTargetLengthsInIndex() { return 1; }
  static int getCtcLossGradientInIndex() { return 2; }
  static int getLogProbsGradientOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_ctc_hpp
