#ifndef popart_op_identity_hpp
#define popart_op_identity_hpp

#include <popart/op.hpp>
#include <popart/region.hpp>

namespace popart {

/// out = in.
class IdentityOp : public Op {
 public:
  IdentityOp(const OperatorIdentifier& opid, const Op::Settings& settings);
  std::unique_ptr<Op> clone() const override;
  std::vector<std::unique_ptr<Op>> getGradOps() final;
  void setup() final { outInfo(0) = inInfo(0); }
  float getSubgraphValue() const override { return getLowSubgraphValue(); }
  bool isOutplaceViewChange() const override { return true; }

  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
};

/// d in = d out. Ops whose gradient goes through unchanged use it as theirs.
class IdentityGradOp : public IdentityOp {
 public:
  explicit IdentityGradOp(const IdentityOp& forward);
  explicit IdentityGradOp(const Settings& settings);
  std::unique_ptr<Op> clone() const final;
  const std::vector<GradInOutMapper>& gradInputInfo() const final;
  const std::map<int, int>& gradOutToNonGradIn() const final;
};

}  // namespace popart

#endif  // popart_op_identity_hpp
