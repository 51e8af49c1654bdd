#ifndef popart_op_l1_hpp
#define popart_op_l1_hpp

#include <popart/op.hpp>
#include <popart/op/loss.hpp>

namespace popart {

/// lambda * |in|: of each element, or their sum or mean.
class L1Op : public LossOp {
 public:
  L1Op(const OperatorIdentifier& opid, float lambda, ReductionType reduction,
       const Op::Settings& settings);
  std::unique_ptr<Op> clone() const final;
  std::vector<std::unique_ptr<Op>> getGradOps() final;
  void setup() final;
  void appendOutlineAttributes(OpSerialiserBase& os) const override;
  float getSubgraphValue() const final { return getLowSubgraphValue(); }
  float getLambda() const { return lambda_; }

  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }

 private:
  float lambda_;
};

/// d in = scale * sign(in) * d out, scale being lambda, or lambda / n for a mean.
class L1GradOp : public Op {
 public:
  explicit L1GradOp(const L1Op& forward);
  std::unique_ptr<Op> clone() const final;
  const std::vector<GradInOutMapper>& gradInputInfo() const final;
  const std::map<int, int>& gradOutToNonGradIn() const final;
  void setup() final { outInfo(getOutIndex()) = inInfo(getFwdActInIndex()); }
  void appendOutlineAttributes(OpSerialiserBase& os) const override;
  float getSubgraphValue() const final { return getLowSubgraphValue(); }
  float getLambda() const { return lambda_; }
  ReductionType getReductionType() const { return reduction_; }

  static InIndex getFwdActInIndex() { return 0; }
  static InIndex getGradInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }

 private:
  float lambda_;
  ReductionType reduction_;
};

}  // namespace popart

#endif  // popart_op_l1_hpp
