#ifndef popart_op_loss_hpp
#define popart_op_loss_hpp

#include <popart/op.hpp>
#include <string>

namespace popart {

/// An op whose output is a loss.
class LossOp : public Op {
 public:
  LossOp(const OperatorIdentifier& opid, const Op::Settings& settings, ReductionType reduction)
      : Op(opid, settings), reduction_(reduction) {}
  std::unique_ptr<Op> clone() const override = 0;
  bool isLossOp() const override { return true; }
  ReductionType getReductionType() const { return reduction_; }
  /// Of "Sum", "Mean" or "NoReduction". Throws `error` for another name.
  static ReductionType reductionTypeFromString(std::string name);

 private:
  const ReductionType reduction_;
};

}  // namespace popart

#endif  // popart_op_loss_hpp
