#ifndef popart_op_sum_hpp
#define popart_op_sum_hpp

#include <popart/op.hpp>

namespace popart {

/// The sum of any number of tensors of one shape. One tensor alone is passed on as it is.
class SumOp : public Op {
 public:
  SumOp(const OperatorIdentifier& opid, const Op::Settings& settings);
  std::unique_ptr<Op> clone() const final;
  void setup() final { outInfo(0) = inInfo(0); }
  std::vector<std::unique_ptr<Op>> getGradOps() final;
  view::Regions aliases(InIndex in, OutIndex out) const final;
  float getSubgraphValue() const final { return getLowSubgraphValue(); }
};

}  // namespace popart

#endif  // popart_op_sum_hpp
