#ifndef popart_op_collectives_replicatedallreduce_hpp
#define popart_op_collectives_replicatedallreduce_hpp

#include <popart/op/collectives/collectives.hpp>
#include <popart/region.hpp>

namespace popart {

/// The sum, mean, product, ... of a tensor over the replicas of each group.
class ReplicatedAllReduceOp : public CollectivesBaseOp {
 public:
  ReplicatedAllReduceOp(const OperatorIdentifier& opid, CollectiveOperator op_, CommGroup group,
                        const Op::Settings& settings);
  ReplicatedAllReduceOp(const OperatorIdentifier& opid, CollectiveOperator op_,
                        const ReplicaGrouping& grouping, const Op::Settings& settings);
  ReplicatedAllReduceOp(const OperatorIdentifier& opid, const Op::Settings& settings);

  std::unique_ptr<Op> clone() const override;
  void setup() override { outInfo(getOutIndex()) = inInfo(getInIndex()); }
  float getSubgraphValue() const final { return getHighSubgraphValue(); }
  void appendOutlineAttributes(OpSerialiserBase& os) const override;
  CollectiveOperator getCollectiveOp() const { return op; }

 protected:
  CollectiveOperator op;
};

class ReplicatedAllReduceInplaceOp : public ReplicatedAllReduceOp {
 public:
  using ReplicatedAllReduceOp::ReplicatedAllReduceOp;
  explicit ReplicatedAllReduceInplaceOp(const ReplicatedAllReduceOp& outplace);
  std::unique_ptr<Op> clone() const final;
  view::Regions modifies(InIndex in) const override { return uses(in); }
  view::Regions aliases(InIndex in, OutIndex) const override { return uses(in); }
};

}  // namespace popart

#endif  // popart_op_collectives_replicatedallreduce_hpp
