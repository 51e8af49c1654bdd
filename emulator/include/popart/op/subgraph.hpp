#ifndef popart_op_subgraph_hpp
#define popart_op_subgraph_hpp

#include <map>
#include <memory>
#include <popart/bwdgraphinfo.hpp>
#include <popart/chains.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorlocation.hpp>
#include <popart/transforms/autodiff/calledgraphgradophelper.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace popart {

class AliasModel;
class Graph;
class ReplicaEqualAnalysisProxy;
class TensorInfo;
struct OperatorIdentifier;
class SubgraphOp : public emulator::AbsentOp {
 public:
  static bool existsInBodyInputs(std::vector<std::string>&, TensorId&) {
    emulator::missing("popart::SubgraphOp::existsInBodyInputs");
  }
  static bool existsInOpInputs(std::vector<std::pair<TensorId, TensorInfo>>&, TensorId&) {
    emulator::missing("popart::SubgraphOp::existsInOpInputs");
  }
  static std::vector<TensorId> getBodyInputIds(const onnx::GraphProto&) {
    emulator::missing("popart::SubgraphOp::getBodyInputIds");
  }
  static std::vector<TensorId> getBodyOutputIds(const onnx::GraphProto&) {
    emulator::missing("popart::SubgraphOp::getBodyOutputIds");
  }
  template <class... Args>
  explicit SubgraphOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SubgraphOp")) {}
  void addAlias(InIndex, OutIndex, view::Chains, view::Chains) {
    emulator::missing("popart::SubgraphOp::addAlias");
  }
  void adjustAliasInIndices(InIndex, InIndex) {
    emulator::missing("popart::SubgraphOp::adjustAliasInIndices");
  }
  void adjustAliasOutIndices(OutIndex, OutIndex) {
    emulator::missing("popart::SubgraphOp::adjustAliasOutIndices");
  }
  void adjustModifiedIndices(InIndex, InIndex) {
    emulator::missing("popart::SubgraphOp::adjustModifiedIndices");
  }
  void addModified(InIndex, view::Regions) { emulator::missing("popart::SubgraphOp::addModified"); }
  void removeModified(InIndex) { emulator::missing("popart::SubgraphOp::removeModified"); }
  void removeAlias(InIndex, OutIndex) { emulator::missing("popart::SubgraphOp::removeAlias"); }
  virtual std::tuple<ReplEqOutputMap, ReplEqModifiedInputMap> fwdPropagateIsReplicaEqual(
      const AliasModel&, const ReplEqInputMap&, ReplicaEqualAnalysisProxy&) const {
    emulator::missing("popart::SubgraphOp::fwdPropagateIsReplicaEqual");
  }
  virtual InIndex subgraphInToOpInIndex(InIndex) const = 0;
  virtual InIndex opInToSubgraphInIndex(InIndex) const = 0;
  virtual OutIndex subgraphOutToOpOutIndex(OutIndex) const = 0;
  virtual OutIndex opOutToSubgraphOutIndex(OutIndex) const = 0;
  virtual Graph& getCalledGraph() const = 0;
  virtual void setCalledGraph(Graph&) = 0;
  virtual InIndex opInToSubgraphInIndex(SubgraphIndex, InIndex) const {
    emulator::missing("popart::SubgraphOp::opInToSubgraphInIndex");
  }
  virtual InIndex subgraphInToOpInIndex(SubgraphIndex, InIndex) const {
    emulator::missing("popart::SubgraphOp::subgraphInToOpInIndex");
  }
  virtual OutIndex opOutToSubgraphOutIndex(SubgraphIndex, OutIndex) const {
    emulator::missing("popart::SubgraphOp::opOutToSubgraphOutIndex");
  }
  virtual OutIndex subgraphOutToOpOutIndex(SubgraphIndex, OutIndex) const {
    emulator::missing("popart::SubgraphOp::subgraphOutToOpOutIndex");
  }
  virtual void setCalledSubgraphGradInfo(const FwdGraphToBwdGraphInfo&) {
    emulator::missing("popart::SubgraphOp::setCalledSubgraphGradInfo");
  }

 protected:
  CalledGraphGradOpHelper calledGraphGradOpHelper;
  std::map<std::pair<InIndex, OutIndex>, std::pair<view::Chains, view::Chains>> aliasMap;
  std::map<InIndex, view::Regions> modifiesMap;
};

}  // namespace popart

#endif  // popart_op_subgraph_hpp
