#ifndef popart_op_call_hpp
#define popart_op_call_hpp

#include <functional>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/subgraph.hpp>
#include <set>
#include <vector>

namespace popart {

class Graph;
struct OperatorIdentifier;
class CallOp : public SubgraphOp {
 public:
  template <class... Args>
  explicit CallOp(const Args&...)
      : SubgraphOp(emulator::absent<const OperatorIdentifier>("popart::CallOp")) {}
  Graph& getCalledGraph() const override { emulator::missing("popart::CallOp::getCalledGraph"); }
  std::vector<TensorId> getGradOpInputIds(const Graph&) {
    emulator::missing("popart::CallOp::getGradOpInputIds");
  }
  void setCalledGraph(Graph&) override { emulator::missing("popart::CallOp::setCalledGraph"); }
  InIndex subgraphInToOpInIndex(InIndex) const override {
    emulator::missing("popart::CallOp::subgraphInToOpInIndex");
  }
  InIndex opInToSubgraphInIndex(InIndex) const override {
    emulator::missing("popart::CallOp::opInToSubgraphInIndex");
  }
  OutIndex subgraphOutToOpOutIndex(OutIndex) const override {
    emulator::missing("popart::CallOp::subgraphOutToOpOutIndex");
  }
  OutIndex opOutToSubgraphOutIndex(OutIndex) const override {
    emulator::missing("popart::CallOp::opOutToSubgraphOutIndex");
  }
  virtual std::set<OutIndex> opInToOpOutIndex(InIndex) const {
    emulator::missing("popart::CallOp::opInToOpOutIndex");
  }
  virtual std::set<InIndex> opOutToOpInIndex(OutIndex) const {
    emulator::missing("popart::CallOp::opOutToOpInIndex");
  }
};

class CallGradOp : public CallOp {
 public:
  template <class... Args>
  explicit CallGradOp(const Args&...)
      : CallOp(emulator::absent<const OperatorIdentifier>("popart::CallGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_call_hpp
