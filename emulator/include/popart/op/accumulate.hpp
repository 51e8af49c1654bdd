#ifndef popart_op_accumulate_hpp
#define popart_op_accumulate_hpp

#include <ostream>
#include <popart/op.hpp>
#include <popart/optimizervalue.hpp>

namespace popart {

/// How an accumulator a takes a tensor x in, by a factor f.
enum class AccumulationType {
  Add = 0,        // a + x
  DampenedAdd,    // a + f * x
  DecayAdd,       // f * a + x
  MovingAverage,  // f * a + (1 - f) * x
};

std::ostream& operator<<(std::ostream& out, const AccumulationType& type);

/// Writes the accumulator in place. The factor is a tensor of one element, unless it is constant.
class AccumulateOp : public Op {
 public:
  AccumulateOp(AccumulationType type, OptimizerValue factor, const Op::Settings& settings);
  std::unique_ptr<Op> clone() const final;
  void setup() final { outInfo(0) = inInfo(getVarToUpdateInIndex()); }
  view::Regions modifies(InIndex in) const final;
  view::Regions aliases(InIndex in, OutIndex out) const final;
  void appendOutlineAttributes(OpSerialiserBase& os) const final;
  float getSubgraphValue() const final { return getLowSubgraphValue(); }
  AccumulationType getAccumulationType() const { return type_; }
  const OptimizerValue& getFactor() const { return factor_; }

  static InIndex getVarToUpdateInIndex() { return 0; }
  static InIndex getUpdaterInIndex() { return 1; }
  static InIndex getFactorInIndex() { return 2; }
  static OutIndex getUpdatedVarOutIndex() { return 0; }

 private:
  AccumulationType type_;
  OptimizerValue factor_;
};

}  // namespace popart

#endif  // popart_op_accumulate_hpp
