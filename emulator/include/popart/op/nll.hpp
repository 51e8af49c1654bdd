#ifndef popart_op_nll_hpp
#define popart_op_nll_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/loss.hpp>

namespace popart {

class NllOp : public LossOp {
 public:
  template <class... Args>
  explicit NllOp(const Args&...)
      : LossOp(emulator::absent<const OperatorIdentifier>("popart::NllOp"),
               emulator::absent<const Op::Settings>("popart::NllOp"),
               emulator::absent<const ReductionType>("popart::NllOp")) {}
  std::unique_ptr<Op> clone() const override {
    return std::move(emulator::absent<std::unique_ptr<Op>>("popart::NllOp"));
  }
  float getSubgraphValue() const override { return getLowSubgraphValue(); }
  static int getProbsInIndex() { return 0; }
  static int getLabelInIndex() { return 1; }
  static int getOutIndex() { return 0; }
};

class NllGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit NllGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::NllGradOp")) {}
  static int getProbsInIndex() { return 0; }
  static int getLabelInIndex() { return 1; }
  static int getGradInIndex() { return 2; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_nll_hpp
