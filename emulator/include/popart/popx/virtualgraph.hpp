#ifndef popart_popx_virtualgraph_hpp
#define popart_popx_virtualgraph_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <poplar/Graph.hpp>
#include <utility>

namespace popart {
namespace popx {

class VirtualGraph {
 public:
  VirtualGraph(poplar::Graph&&) { emulator::missing("popart::popx::VirtualGraph"); }
  VirtualGraph(poplar::Graph&&, poplar::Graph&&) {
    emulator::missing("popart::popx::VirtualGraph");
  }
  bool hasComputeTilesGraph() {
    emulator::missing("popart::popx::VirtualGraph::hasComputeTilesGraph");
  }
  bool hasIoTilesGraph() { emulator::missing("popart::popx::VirtualGraph::hasIoTilesGraph"); }
  poplar::Graph& getComputeTilesGraph() {
    emulator::missing("popart::popx::VirtualGraph::getComputeTilesGraph");
  }
  poplar::Graph& getIoTilesGraph() {
    emulator::missing("popart::popx::VirtualGraph::getIoTilesGraph");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_virtualgraph_hpp
