#ifndef popart_op_collectives_collectives_hpp
#define popart_op_collectives_collectives_hpp

#include <popart/attributes.hpp>
#include <popart/commgroup.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/ir.hpp>
#include <popart/op.hpp>
#include <popart/replicagrouping.hpp>
#include <vector>

namespace popart {

enum class CollectiveOperator {
  Add = 0,
  Mean,
  Mul,
  Min,
  Max,
  LogicalAnd,
  LogicalOr,
  SquareAdd,
  Local,
  N
};

std::ostream& operator<<(std::ostream& out, const CollectiveOperator& op);

/// An op between replicas.
class CollectivesBaseOp : public Op {
 public:
  CollectivesBaseOp(const OperatorIdentifier& opid, CommGroup group, const Op::Settings& settings);
  CollectivesBaseOp(const OperatorIdentifier& opid, const ReplicaGrouping& grouping,
                    const Op::Settings& settings);
  std::unique_ptr<Op> clone() const override = 0;

  static InIndex getInIndex() { return 0; }
  static InIndex getCollectiveLinkedIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }

  virtual bool hasCorrespondingLinkedIndexTensor(Tensor*) { return false; }
  bool hasCorrespondingLinkedIndexTensor(InIndex in) {
    return hasCorrespondingLinkedIndexTensor(inTensor(in));
  }
  virtual bool isCollectiveLinkedIndexTensor(InIndex) const { return false; }
  virtual bool isCollectiveLinkedIndexTensor(Tensor*) const { return false; }
  virtual bool isConfigureOutputForReplicatedTensorSharding() const { return false; }

  void setReplicaGrouping(const ReplicaGrouping& grouping) { grouping_ = grouping; }
  const ReplicaGrouping& getReplicaGrouping() const { return grouping_; }
  void setGCLCommGroup(CommGroup group);
  CommGroup getGCLCommGroup() const { return CommGroup(grouping_); }
  virtual std::int64_t getCommSize() const { return grouping_.getGroupSize(); }
  void appendOutlineAttributes(OpSerialiserBase& os) const override;

 private:
  ReplicaGrouping grouping_;
};

/// Several of them in one.
class MultiCollectiveBaseOp : public CollectivesBaseOp {
 public:
  template <class... Args>
  explicit MultiCollectiveBaseOp(const Args&...)
      : CollectivesBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::MultiCollectiveBaseOp"),
            emulator::absent<const ReplicaGrouping>("popart::MultiCollectiveBaseOp"),
            emulator::absent<const Op::Settings>("popart::MultiCollectiveBaseOp")) {}
  std::unique_ptr<Op> clone() const override {
    emulator::missing("popart::MultiCollectiveBaseOp::clone");
  }
};

/// Of the attribute `sCollectiveReplicaGrouping`, three numbers, or the older
/// `sCollectiveCommGroup`, two; all replicas without either.
ReplicaGrouping extractReplicaGroupingFromAttrs(const Attributes& attributes,
                                                unsigned replicationFactor);
ReplicaGrouping extractReplicaGroupingFromVector(const std::vector<std::int64_t>& numbers);
CommGroup extractCommGroupFromAttrs(const Attributes& attributes);
CommGroup extractCommGroupFromVector(const std::vector<std::int64_t>& numbers);

}  // namespace popart

#endif  // popart_op_collectives_collectives_hpp
