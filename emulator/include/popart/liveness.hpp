#ifndef popart_liveness_hpp
#define popart_liveness_hpp

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/graphid.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensor.hpp>
#include <popart/tensordebuginfo.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace popart {

class Ir;

namespace liveness {

inline ExecutionContext sanitizeExecutionContext(ExecutionContext) {
  emulator::missing("popart::liveness::sanitizeExecutionContext");
}

class SubgraphCopyingStrategy;
using CallStack = std::vector<Op*>;

enum class OpStatus {
  Normal = 0,
  Enter,
  CopyInput,
  CopyLoopCarried,
  CopyOutput,
  CopyModified,
  Exit
};

class LivenessNode {
 public:
  LivenessNode(const OpStatus, int, SubgraphIndex, bool) {
    emulator::missing("popart::liveness::LivenessNode");
  }
  LivenessNode(const CallStack&, const OpStatus, int, SubgraphIndex, bool) {
    emulator::missing("popart::liveness::LivenessNode");
  }
  Op* getOp() const { emulator::missing("popart::liveness::LivenessNode::getOp"); }
  const CallStack& getCallStack() const {
    emulator::missing("popart::liveness::LivenessNode::getCallStack");
  }
  OpStatus getStatus() const { emulator::missing("popart::liveness::LivenessNode::getStatus"); }
  int getIndex() const { emulator::missing("popart::liveness::LivenessNode::getIndex"); }
  int getSubgraphIndex() const {
    emulator::missing("popart::liveness::LivenessNode::getSubgraphIndex");
  }
  bool getDuplicate() const { emulator::missing("popart::liveness::LivenessNode::getDuplicate"); }
  const std::set<TensorId>& usedTensorIds() const {
    emulator::missing("popart::liveness::LivenessNode::usedTensorIds");
  }
  const std::pair<TensorId, TensorId>& getTensorIds() const {
    emulator::missing("popart::liveness::LivenessNode::getTensorIds");
  }
  bool isProducerOf(Tensor*) const {
    emulator::missing("popart::liveness::LivenessNode::isProducerOf");
  }
  bool isConsumerOf(Tensor*) const {
    emulator::missing("popart::liveness::LivenessNode::isConsumerOf");
  }
  bool overwritesTensor(Tensor*) const {
    emulator::missing("popart::liveness::LivenessNode::overwritesTensor");
  }
  bool modifiesTensor(Tensor*) const {
    emulator::missing("popart::liveness::LivenessNode::modifiesTensor");
  }
  ExecutionContext getExecutionContext() const {
    emulator::missing("popart::liveness::LivenessNode::getExecutionContext");
  }
};

inline std::ostream& operator<<(std::ostream&, const OpStatus&) {
  emulator::missing("popart::liveness::operator<<");
}

inline std::ostream& operator<<(std::ostream&, const LivenessNode&) {
  emulator::missing("popart::liveness::operator<<");
}

class LivenessAnalyzer {
 public:
  using PendingCopies = std::vector<LivenessNode>;
  LivenessAnalyzer(const Ir*, const SubgraphCopyingStrategy*) {
    emulator::missing("popart::liveness::LivenessAnalyzer");
  }
  void apply() { emulator::missing("popart::liveness::LivenessAnalyzer::apply"); }
  int64_t getGlobalSchedulePosition(CallStack) const {
    emulator::missing("popart::liveness::LivenessAnalyzer::getGlobalSchedulePosition");
  }
  size_t getOpScheduleSize() const {
    emulator::missing("popart::liveness::LivenessAnalyzer::getOpScheduleSize");
  }
  const LivenessNode& getOpScheduleAt(int64_t) const {
    emulator::missing("popart::liveness::LivenessAnalyzer::getOpScheduleAt");
  }
  const std::vector<Op*>& getGraphOpSchedule(GraphId) const {
    emulator::missing("popart::liveness::LivenessAnalyzer::getGraphOpSchedule");
  }
  const std::vector<int64_t>& getScheduleIndices(Op*) const {
    emulator::missing("popart::liveness::LivenessAnalyzer::getScheduleIndices");
  }
  const std::vector<int64_t>& getScheduleIndices(Tensor*) const {
    emulator::missing("popart::liveness::LivenessAnalyzer::getScheduleIndices");
  }
  const std::vector<int64_t>& getScheduleIndices(TensorId) const {
    emulator::missing("popart::liveness::LivenessAnalyzer::getScheduleIndices");
  }
  const std::vector<int64_t>& getCallSiteLinksAt(int64_t) const {
    emulator::missing("popart::liveness::LivenessAnalyzer::getCallSiteLinksAt");
  }
  const std::vector<int64_t>& getCallSiteLinksInvAt(int64_t) const {
    emulator::missing("popart::liveness::LivenessAnalyzer::getCallSiteLinksInvAt");
  }
  const std::vector<Op*>& getGraphCallSites(GraphId) const {
    emulator::missing("popart::liveness::LivenessAnalyzer::getGraphCallSites");
  }
  int64_t getContextStartIndex(ExecutionContext) const {
    emulator::missing("popart::liveness::LivenessAnalyzer::getContextStartIndex");
  }
  int64_t getContextEndIndex(ExecutionContext) const {
    emulator::missing("popart::liveness::LivenessAnalyzer::getContextEndIndex");
  }
};

}  // namespace liveness
}  // namespace popart

#endif  // popart_liveness_hpp
