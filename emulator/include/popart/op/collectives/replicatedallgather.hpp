#ifndef popart_op_collectives_replicatedallgather_hpp
#define popart_op_collectives_replicatedallgather_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/collectives/collectives.hpp>
#include <popart/tensorinfo.hpp>
#include <tuple>

namespace popart {

class AliasModel;
class ReplicaEqualAnalysisProxy;
struct OperatorIdentifier;
class ReplicatedAllGatherOp : public CollectivesBaseOp {
 public:
  template <class... Args>
  explicit ReplicatedAllGatherOp(const Args&...)
      : CollectivesBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::ReplicatedAllGatherOp"),
            emulator::absent<CommGroup>("popart::ReplicatedAllGatherOp"),
            emulator::absent<const Op::Settings>("popart::ReplicatedAllGatherOp")) {}
  virtual bool isConfigureOutputForReplicatedTensorSharding() const {
    emulator::missing(
        "popart::ReplicatedAllGatherOp::isConfigureOutputForReplicatedTensorSharding");
  }
  virtual std::tuple<ReplEqOutputMap, ReplEqModifiedInputMap> fwdPropagateIsReplicaEqual(
      const AliasModel&, const ReplEqInputMap&, ReplicaEqualAnalysisProxy&) const {
    emulator::missing("popart::ReplicatedAllGatherOp::fwdPropagateIsReplicaEqual");
  }
};

}  // namespace popart

#endif  // popart_op_collectives_replicatedallgather_hpp
