#ifndef popart_op_sgd0varupdate_hpp
#define popart_op_sgd0varupdate_hpp

#include <popart/op.hpp>

namespace popart {

/// w = w * decay - rate * gradient, in place. The numbers are tensors of one element.
class SGD0VarUpdateOp : public Op {
 public:
  explicit SGD0VarUpdateOp(const Op::Settings& settings);
  std::unique_ptr<Op> clone() const final;
  void setup() final { outInfo(0) = inInfo(getVarToUpdateInIndex()); }
  view::Regions modifies(InIndex in) const final;
  view::Regions aliases(InIndex in, OutIndex out) const final;
  bool isOptimizerOp() const final { return true; }
  float getSubgraphValue() const final { return getLowSubgraphValue(); }

  static InIndex getVarToUpdateInIndex() { return 0; }
  static InIndex getUpdaterInIndex() { return 1; }
  static InIndex getSlr0InIndex() { return 2; }
  static InIndex getWdsf0InIndex() { return 3; }
  static OutIndex getUpdatedVarOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_sgd0varupdate_hpp
