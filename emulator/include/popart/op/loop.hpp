#ifndef popart_op_loop_hpp
#define popart_op_loop_hpp

#include <functional>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/subgraph.hpp>
#include <popart/tensorlocation.hpp>
#include <set>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class Graph;
class LoopOp : public SubgraphOp {
 public:
  template <class... Args>
  explicit LoopOp(const Args&...)
      : SubgraphOp(emulator::absent<const OperatorIdentifier>("popart::LoopOp")) {}
  std::vector<TensorId> implicitInputTensors() const {
    emulator::missing("popart::LoopOp::implicitInputTensors");
  }
  Graph& getCalledGraph() const override { emulator::missing("popart::LoopOp::getCalledGraph"); }
  void setCalledGraph(Graph&) override { emulator::missing("popart::LoopOp::setCalledGraph"); }
  int getTripCountValue() const { emulator::missing("popart::LoopOp::getTripCountValue"); }
  void setTripCountValue(int) { emulator::missing("popart::LoopOp::setTripCountValue"); }
  int getNumExplicitInputs() const { emulator::missing("popart::LoopOp::getNumExplicitInputs"); }
  int getNumImplicitInputs() const { emulator::missing("popart::LoopOp::getNumImplicitInputs"); }
  int getNumImplicitScanOutputs() {
    emulator::missing("popart::LoopOp::getNumImplicitScanOutputs");
  }
  void setNumImplicitScanOutputs(int) {
    emulator::missing("popart::LoopOp::setNumImplicitScanOutputs");
  }
  InIndex subgraphInToOpInIndex(InIndex) const override {
    emulator::missing("popart::LoopOp::subgraphInToOpInIndex");
  }
  InIndex opInToSubgraphInIndex(InIndex) const override {
    emulator::missing("popart::LoopOp::opInToSubgraphInIndex");
  }
  OutIndex subgraphOutToOpOutIndex(OutIndex) const override {
    emulator::missing("popart::LoopOp::subgraphOutToOpOutIndex");
  }
  OutIndex opOutToSubgraphOutIndex(OutIndex) const override {
    emulator::missing("popart::LoopOp::opOutToSubgraphOutIndex");
  }
  static InIndex getMaximumTripCountInIndex() { return 0; }
  static InIndex getTerminationConditionInIndex() { return 1; }
  static InIndex getFirstInputInIndex() { return 2; }
  static OutIndex getFirstOutputOutIndex() { return 0; }
  static InIndex getLoopGraphIterationInIndex() { return 0; }
  static InIndex getLoopGraphTerminationConditionInIndex() { return 1; }
  static InIndex getLoopGraphFirstInputInIndex() { return 2; }
  static OutIndex getLoopGraphTerminationConditionOutIndex() { return 0; }
  static OutIndex getLoopGraphFirstOutputOutIndex() { return 1; }
  void addLoopInput(InIndex, TensorId, TensorId, bool) {
    emulator::missing("popart::LoopOp::addLoopInput");
  }
  void addLoopOutput(OutIndex, TensorId, TensorId, bool) {
    emulator::missing("popart::LoopOp::addLoopOutput");
  }
  void removeLoopInput(InIndex) { emulator::missing("popart::LoopOp::removeLoopInput"); }
  void removeLoopOutput(OutIndex) { emulator::missing("popart::LoopOp::removeLoopOutput"); }
  virtual std::set<OutIndex> opInToOpOutIndex(InIndex) const {
    emulator::missing("popart::LoopOp::opInToOpOutIndex");
  }
  virtual std::set<InIndex> opOutToOpInIndex(OutIndex) const {
    emulator::missing("popart::LoopOp::opOutToOpInIndex");
  }
};

}  // namespace popart

#endif  // popart_op_loop_hpp
