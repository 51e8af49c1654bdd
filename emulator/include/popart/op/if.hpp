#ifndef popart_op_if_hpp
#define popart_op_if_hpp

#include <map>
#include <memory>
#include <popart/bwdgraphinfo.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/graphid.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/identity.hpp>
#include <popart/transforms/autodiff/calledgraphgradophelper.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace popart {

class AliasModel;
class Graph;
class ReplicaEqualAnalysisProxy;
struct OperatorIdentifier;
struct BranchInfo {
  BranchInfo(const GraphId& id, const std::map<int, int> inputs, const std::map<int, int> outputs)
      : graphId(id), inputIndicesMap(inputs), outputIndicesMap(outputs) {}
  GraphId graphId;
  std::map<int, int> inputIndicesMap;
  std::map<int, int> outputIndicesMap;
};

class IfOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit IfOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::IfOp")) {}
  static InIndex getConditionInIndex() { return 0; }
  Graph& getThenGraph() const { emulator::missing("popart::IfOp::getThenGraph"); }
  Graph& getElseGraph() const { emulator::missing("popart::IfOp::getElseGraph"); }
  const std::map<InIndex, InIndex>& getBranchInIndicesMap(const Graph&) const {
    emulator::missing("popart::IfOp::getBranchInIndicesMap");
  }
  const std::map<OutIndex, OutIndex>& getBranchOutIndicesMap(const Graph&) const {
    emulator::missing("popart::IfOp::getBranchOutIndicesMap");
  }
  virtual std::tuple<ReplEqOutputMap, ReplEqModifiedInputMap> fwdPropagateIsReplicaEqual(
      const AliasModel&, const ReplEqInputMap&, ReplicaEqualAnalysisProxy&) const {
    emulator::missing("popart::IfOp::fwdPropagateIsReplicaEqual");
  }
  virtual InIndex opInToSubgraphInIndex(SubgraphIndex, InIndex) const {
    emulator::missing("popart::IfOp::opInToSubgraphInIndex");
  }
  virtual InIndex subgraphInToOpInIndex(SubgraphIndex, InIndex) const {
    emulator::missing("popart::IfOp::subgraphInToOpInIndex");
  }
  virtual OutIndex opOutToSubgraphOutIndex(SubgraphIndex, OutIndex) const {
    emulator::missing("popart::IfOp::opOutToSubgraphOutIndex");
  }
  virtual OutIndex subgraphOutToOpOutIndex(SubgraphIndex, OutIndex) const {
    emulator::missing("popart::IfOp::subgraphOutToOpOutIndex");
  }
  virtual std::set<OutIndex> opInToOpOutIndex(InIndex) const {
    emulator::missing("popart::IfOp::opInToOpOutIndex");
  }
  virtual std::set<InIndex> opOutToOpInIndex(OutIndex) const {
    emulator::missing("popart::IfOp::opOutToOpInIndex");
  }
  virtual void setCalledSubgraphGradInfo(const FwdGraphToBwdGraphInfo&) {
    emulator::missing("popart::IfOp::setCalledSubgraphGradInfo");
  }
};

class IfGradOp : public IfOp {
 public:
  template <class... Args>
  explicit IfGradOp(const Args&...)
      : IfOp(emulator::absent<const OperatorIdentifier>("popart::IfGradOp")) {}
};

class IfConditionGradOp : public IdentityOp {
 public:
  template <class... Args>
  explicit IfConditionGradOp(const Args&...)
      : IdentityOp(emulator::absent<const OperatorIdentifier>("popart::IfConditionGradOp"),
                   emulator::absent<const Op::Settings>("popart::IfConditionGradOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_if_hpp
