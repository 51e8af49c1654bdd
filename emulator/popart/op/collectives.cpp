#include <popart/graph.hpp>
#include <popart/op/collectives/replicatedallreduce.hpp>
#include <popart/operators.hpp>
#include <popart/opmanager.hpp>
#include <popart/opserialiser.hpp>
#include <popart/popx/op/collectives/replicatedallreducex.hpp>
#include <popart/popx/opxmanager.hpp>

namespace popart {

namespace {

unsigned replicasOf(const Op::Settings& settings) {
  return static_cast<unsigned>(settings.getIr().getSessionOptions().getGlobalReplicationFactor());
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const CollectiveOperator& op) {
  constexpr const char* kNames[] = {"Add",        "Mean",      "Mul",       "Min",   "Max",
                                    "LogicalAnd", "LogicalOr", "SquareAdd", "Local", "N"};
  return out << kNames[static_cast<int>(op)];
}

CollectivesBaseOp::CollectivesBaseOp(const OperatorIdentifier& opid_, CommGroup group,
                                     const Op::Settings& settings_)
    : Op(opid_, settings_), grouping_(group.toReplicaGrouping(replicasOf(settings_))) {}

CollectivesBaseOp::CollectivesBaseOp(const OperatorIdentifier& opid_,
                                     const ReplicaGrouping& grouping, const Op::Settings& settings_)
    : Op(opid_, settings_), grouping_(grouping) {}

void CollectivesBaseOp::setGCLCommGroup(CommGroup group) {
  grouping_ = group.toReplicaGrouping(replicasOf(settings));
}

void CollectivesBaseOp::appendOutlineAttributes(OpSerialiserBase& os) const {
  Op::appendOutlineAttributes(os);
  os.appendAttribute("grouping", grouping_.str());
}

CommGroup extractCommGroupFromVector(const std::vector<std::int64_t>& numbers) {
  if (numbers.empty()) return CommGroup();
  if (numbers.size() != 2)
    throw error("{}: expected a type and a size, got {} numbers", sCollectiveCommGroup,
                numbers.size());
  return CommGroup(static_cast<CommGroupType>(numbers[0]), static_cast<unsigned>(numbers[1]));
}

CommGroup extractCommGroupFromAttrs(const Attributes& attributes) {
  return extractCommGroupFromVector(
      attributes.getAttribute<Attributes::Ints>(sCollectiveCommGroup, {}));
}

ReplicaGrouping extractReplicaGroupingFromVector(const std::vector<std::int64_t>& numbers) {
  if (numbers.size() != 3)
    throw error("{}: expected replicas, stride and group size, got {} numbers",
                sCollectiveReplicaGrouping, numbers.size());
  const auto at = [&](std::size_t i) { return static_cast<unsigned>(numbers[i]); };
  return ReplicaGrouping(at(0), at(1), at(2));
}

ReplicaGrouping extractReplicaGroupingFromAttrs(const Attributes& attributes,
                                                unsigned replicationFactor) {
  if (attributes.hasAttribute(sCollectiveReplicaGrouping))
    return extractReplicaGroupingFromVector(
        attributes.getAttribute<Attributes::Ints>(sCollectiveReplicaGrouping));
  return extractCommGroupFromAttrs(attributes).toReplicaGrouping(replicationFactor);
}

ReplicatedAllReduceOp::ReplicatedAllReduceOp(const OperatorIdentifier& opid_,
                                             CollectiveOperator op_, CommGroup group,
                                             const Op::Settings& settings_)
    : CollectivesBaseOp(opid_, group, settings_), op(op_) {}
ReplicatedAllReduceOp::ReplicatedAllReduceOp(const OperatorIdentifier& opid_,
                                             CollectiveOperator op_,
                                             const ReplicaGrouping& grouping,
                                             const Op::Settings& settings_)
    : CollectivesBaseOp(opid_, grouping, settings_), op(op_) {}
ReplicatedAllReduceOp::ReplicatedAllReduceOp(const OperatorIdentifier& opid_,
                                             const Op::Settings& settings_)
    : CollectivesBaseOp(opid_, CommGroup(), settings_), op(CollectiveOperator::Add) {}

std::unique_ptr<Op> ReplicatedAllReduceOp::clone() const {
  return std::make_unique<ReplicatedAllReduceOp>(*this);
}

void ReplicatedAllReduceOp::appendOutlineAttributes(OpSerialiserBase& os) const {
  CollectivesBaseOp::appendOutlineAttributes(os);
  os.appendAttribute("op", op);
}

ReplicatedAllReduceInplaceOp::ReplicatedAllReduceInplaceOp(const ReplicatedAllReduceOp& outplace)
    : ReplicatedAllReduceOp(Onnx::CustomOperators::ReplicatedAllReduceInplace,
                            outplace.getCollectiveOp(), outplace.getReplicaGrouping(),
                            outplace.getSettings()) {}
std::unique_ptr<Op> ReplicatedAllReduceInplaceOp::clone() const {
  return std::make_unique<ReplicatedAllReduceInplaceOp>(*this);
}

namespace popx {

gcl::CollectiveOperator getPoplarCollectiveOperator(CollectiveOperator op) {
  switch (op) {
    case CollectiveOperator::Add:
      return gcl::CollectiveOperator::ADD;
    case CollectiveOperator::Mean:
      return gcl::CollectiveOperator::MEAN;
    case CollectiveOperator::Mul:
      return gcl::CollectiveOperator::MUL;
    case CollectiveOperator::Min:
      return gcl::CollectiveOperator::MIN;
    case CollectiveOperator::Max:
      return gcl::CollectiveOperator::MAX;
    case CollectiveOperator::LogicalAnd:
      return gcl::CollectiveOperator::LOGICAL_AND;
    case CollectiveOperator::LogicalOr:
      return gcl::CollectiveOperator::LOGICAL_OR;
    case CollectiveOperator::SquareAdd:
      return gcl::CollectiveOperator::SQUARE_ADD;
    case CollectiveOperator::Local:
      return gcl::CollectiveOperator::LOCAL;
    default:
      throw error("getPoplarCollectiveOperator: expected an operator, got {}", op);
  }
}

gcl::CommGroup toGclCommGroup(const ReplicaGrouping& grouping) {
  const unsigned size = grouping.getGroupSize();
  if (size == grouping.getNumReplicas()) return gcl::CommGroup(gcl::CommGroupType::ALL, 0);
  if (grouping.getStride() * size == grouping.getNumReplicas() && grouping.getStride() > 1)
    return gcl::CommGroup(gcl::CommGroupType::ORTHOGONAL, size);
  return gcl::CommGroup(gcl::CommGroupType::CONSECUTIVE, size, grouping.getStride());
}

ReplicatedAllReduceOpx::ReplicatedAllReduceOpx(Op* op, Devicex* devicex)
    : CollectivesBaseOpx(op, devicex) {
  verifyOp<ReplicatedAllReduceOp>(op);
}

void ReplicatedAllReduceOpx::grow(poplar::program::Sequence& program) const {
  const auto& op = getOp<ReplicatedAllReduceOp>();
  setOutTensor(0, gcl::allReduceCrossReplica(
                      graph(), getInTensor(0), getPoplarCollectiveOperator(op.getCollectiveOp()),
                      program, toGclCommGroup(op.getReplicaGrouping()), debugContext("allReduce"),
                      dv_p->lowering().gclOptions));
}

view::RegMap ReplicatedAllReduceOpx::unwindRegion(InIndex, OutIndex) const {
  return [](const view::Region& region) { return view::Regions{region}; };
}

void ReplicatedAllReduceInplaceOpx::grow(poplar::program::Sequence& program) const {
  const auto& op = getOp<ReplicatedAllReduceOp>();
  const poplar::Tensor sum = gcl::allReduceCrossReplica(
      graph(), getInTensor(0), getPoplarCollectiveOperator(op.getCollectiveOp()), program,
      toGclCommGroup(op.getReplicaGrouping()), debugContext("allReduce"),
      dv_p->lowering().gclOptions);
  program.add(poplar::program::Copy(sum, getInTensor(0), false, debugContext("inPlace")));
  setOutTensor(0, getInTensor(0));
}

}  // namespace popx

namespace {

std::unique_ptr<Op> made(const OpCreatorInfo& info) {
  const auto type = static_cast<CollectiveOperator>(info.attributes.getAttribute<Attributes::Int>(
      sCollectiveOperator, static_cast<int>(CollectiveOperator::Add)));
  return std::make_unique<ReplicatedAllReduceOp>(
      info.opid, type, extractReplicaGroupingFromAttrs(info.attributes, replicasOf(info.settings)),
      info.settings);
}

const OpCreator<ReplicatedAllReduceOp> creator(
    OpDefinitions{{Onnx::CustomOperators::ReplicatedAllReduce, OpDefinition()}},
    OpManager::OpFactoryFunc(made));
const popx::OpxCreator<popx::ReplicatedAllReduceOpx> opxCreator(
    Onnx::CustomOperators::ReplicatedAllReduce);
const popx::OpxCreator<popx::ReplicatedAllReduceInplaceOpx> inplaceCreator(
    Onnx::CustomOperators::ReplicatedAllReduceInplace);

}  // namespace
}  // namespace popart
