#ifndef popart_transforms_mainloops_hpp
#define popart_transforms_mainloops_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/transforms/transform.hpp>
#include <string>
#include <utility>

namespace popart {

class LoopOp;
class Graph;
class Ir;
class MainLoops : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::MainLoops::id"); }
  MainLoops() = default;
  bool apply(Graph&) const override { emulator::missing("popart::MainLoops::apply"); }
  std::size_t getId() const override { emulator::missing("popart::MainLoops::getId"); }
  std::string getName() const override { return "MainLoops"; }
  static std::string getStepGraphName() { return "stepGraph"; }
  static std::string getAccumulationGraphName() { return "accumulationGraph"; }
  static Graph& getInnerLoopSubgraph(Ir&) {
    emulator::missing("popart::MainLoops::getInnerLoopSubgraph");
  }
  static const Graph& getInnerLoopSubgraph(const Ir&) {
    emulator::missing("popart::MainLoops::getInnerLoopSubgraph");
  }
  static Graph& getOuterLoopSubgraph(Ir&) {
    emulator::missing("popart::MainLoops::getOuterLoopSubgraph");
  }
  static LoopOp* getInnerLoopOp(Ir&) { emulator::missing("popart::MainLoops::getInnerLoopOp"); }
};

}  // namespace popart

#endif  // popart_transforms_mainloops_hpp
