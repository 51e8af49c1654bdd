#ifndef popart_op_collectives_replicatedreducescatter_hpp
#define popart_op_collectives_replicatedreducescatter_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/collectives/collectives.hpp>
#include <tuple>

namespace popart {

class AliasModel;
class ReplicaEqualAnalysisProxy;
struct OperatorIdentifier;
class ReplicatedReduceScatterOp : public CollectivesBaseOp {
 public:
  template <class... Args>
  explicit ReplicatedReduceScatterOp(const Args&...)
      : CollectivesBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::ReplicatedReduceScatterOp"),
            emulator::absent<CommGroup>("popart::ReplicatedReduceScatterOp"),
            emulator::absent<const Op::Settings>("popart::ReplicatedReduceScatterOp")) {}
  CollectiveOperator getCollectiveOp() const {
    emulator::missing("popart::ReplicatedReduceScatterOp::getCollectiveOp");
  }
  virtual bool isConfigureOutputForReplicatedTensorSharding() const {
    emulator::missing(
        "popart::ReplicatedReduceScatterOp::isConfigureOutputForReplicatedTensorSharding");
  }
  virtual std::tuple<ReplEqOutputMap, ReplEqModifiedInputMap> fwdPropagateIsReplicaEqual(
      const AliasModel&, const ReplEqInputMap&, ReplicaEqualAnalysisProxy&) const {
    emulator::missing("popart::ReplicatedReduceScatterOp::fwdPropagateIsReplicaEqual");
  }

 protected:
  CollectiveOperator op;
  bool configureOutputForReplicatedTensorSharding;
};

}  // namespace popart

#endif  // popart_op_collectives_replicatedreducescatter_hpp
