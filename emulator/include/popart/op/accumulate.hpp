#ifndef popart_op_accumulate_hpp
#define popart_op_accumulate_hpp

#include <ostream>
#include <popart/emulator/absent.hpp>
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
class AccumulateBaseOp : public Op {
 public:
  AccumulateBaseOp(const OperatorIdentifier& opid, AccumulationType type, OptimizerValue factor,
                   const Op::Settings& settings);
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

class AccumulateOp : public AccumulateBaseOp {
 public:
  AccumulateOp(AccumulationType type, OptimizerValue factor, const Op::Settings& settings);
  std::unique_ptr<Op> clone() const final;
};

class RescaleAccumulateOp : public AccumulateBaseOp {
 public:
  template <class... Args>
  explicit RescaleAccumulateOp(const Args&...)
      : AccumulateBaseOp(emulator::absent<const OperatorIdentifier>("popart::RescaleAccumulateOp"),
                         AccumulationType::Add, {},
                         emulator::absent<const Op::Settings>("popart::RescaleAccumulateOp")) {}
  static InIndex getRescaleRatioInIndex() { return 3; }
};

class SparseAccumulateOp : public AccumulateBaseOp {
 public:
  template <class... Args>
  explicit SparseAccumulateOp(const Args&...)
      : AccumulateBaseOp(emulator::absent<const OperatorIdentifier>("popart::SparseAccumulateOp"),
                         AccumulationType::Add, {},
                         emulator::absent<const Op::Settings>("popart::SparseAccumulateOp")) {}
  static InIndex getIndicesInIndex() { return 3; }
  static InIndex getOriginalVarToUpdateInIndex() { return 4; }
  unsigned getAxis() const { emulator::missing("popart::SparseAccumulateOp::getAxis"); }
};

}  // namespace popart

#endif  // popart_op_accumulate_hpp
