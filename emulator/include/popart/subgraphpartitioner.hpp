#ifndef popart_subgraphpartitioner_hpp
#define popart_subgraphpartitioner_hpp

#include <cstddef>
#include <iostream>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace popart {

class Op;
class CallOp;
class Graph;
class Ir;

namespace liveness {

class LivenessAnalyzer;
class SubgraphPartitioner {
 public:
  enum class CallOpPartType {
    Undefined = 0,
    CopyInput,
    CopyOutput,
    CopyModified,
    CallSubgraphPart
  };
  class CallOpPart {
   public:
    CallOpPartType type;
    InIndex inIndex;
    OutIndex outIndex;
    SubgraphPartIndex subgraphPartIndex;
  };
  using CallOpSchedule = std::vector<std::tuple<CallOpPart, SubgraphPartIndex>>;
  SubgraphPartitioner() = default;
  virtual ~SubgraphPartitioner() = default;
  virtual void apply() { emulator::missing("popart::liveness::SubgraphPartitioner::apply"); }
  virtual void setIr(const Ir*) {
    emulator::missing("popart::liveness::SubgraphPartitioner::setIr");
  }
  virtual void setLivenessAnalyzer(const LivenessAnalyzer*) {
    emulator::missing("popart::liveness::SubgraphPartitioner::setLivenessAnalyzer");
  }
  virtual int getNumSubgraphParts(const Graph&) const {
    emulator::missing("popart::liveness::SubgraphPartitioner::getNumSubgraphParts");
  }
  virtual SubgraphPartIndex getOpSubgraphPartBegin(Op*) const {
    emulator::missing("popart::liveness::SubgraphPartitioner::getOpSubgraphPartBegin");
  }
  virtual SubgraphPartIndex getOpSubgraphPartEnd(Op*) const {
    emulator::missing("popart::liveness::SubgraphPartitioner::getOpSubgraphPartEnd");
  }
  virtual CallOpSchedule getCallOpSchedule(CallOp*) const {
    emulator::missing("popart::liveness::SubgraphPartitioner::getCallOpSchedule");
  }
  static bool isPartitionable(const Graph&) {
    emulator::missing("popart::liveness::SubgraphPartitioner::isPartitionable");
  }
};

inline std::ostream& operator<<(std::ostream&, const SubgraphPartitioner::CallOpPartType&) {
  emulator::missing("popart::liveness::operator<<");
}

inline std::ostream& operator<<(std::ostream&, const SubgraphPartitioner::CallOpPart&) {
  emulator::missing("popart::liveness::operator<<");
}

}  // namespace liveness
}  // namespace popart

#endif  // popart_subgraphpartitioner_hpp
