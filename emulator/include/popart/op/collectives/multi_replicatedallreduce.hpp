#ifndef popart_op_collectives_multi_replicatedallreduce_hpp
#define popart_op_collectives_multi_replicatedallreduce_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op/collectives/collectives.hpp>
#include <popart/tensorlocation.hpp>
#include <tuple>
#include <vector>

namespace popart {

class AliasModel;
class Tensor;
class ReplicaEqualAnalysisProxy;
class MultiReplicatedAllReduceOp : public MultiCollectiveBaseOp {
 public:
  template <class... Args>
  explicit MultiReplicatedAllReduceOp(const Args&...)
      : MultiCollectiveBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::MultiReplicatedAllReduceOp")) {}
  CollectiveOperator getCollectiveOp() const {
    emulator::missing("popart::MultiReplicatedAllReduceOp::getCollectiveOp");
  }
  virtual bool hasCorrespondingLinkedIndexTensor(Tensor*) {
    emulator::missing("popart::MultiReplicatedAllReduceOp::hasCorrespondingLinkedIndexTensor");
  }
  virtual Tensor* getCorrespondingLinkedIndexTensor(Tensor*) {
    emulator::missing("popart::MultiReplicatedAllReduceOp::getCorrespondingLinkedIndexTensor");
  }
  virtual bool isCollectiveLinkedIndexTensor(InIndex) const {
    emulator::missing("popart::MultiReplicatedAllReduceOp::isCollectiveLinkedIndexTensor");
  }
  virtual bool isCollectiveLinkedIndexTensor(Tensor*) const {
    emulator::missing("popart::MultiReplicatedAllReduceOp::isCollectiveLinkedIndexTensor");
  }
  virtual std::tuple<ReplEqOutputMap, ReplEqModifiedInputMap> fwdPropagateIsReplicaEqual(
      const AliasModel&, const ReplEqInputMap&, ReplicaEqualAnalysisProxy&) const {
    emulator::missing("popart::MultiReplicatedAllReduceOp::fwdPropagateIsReplicaEqual");
  }
};

}  // namespace popart

#endif  // popart_op_collectives_multi_replicatedallreduce_hpp
