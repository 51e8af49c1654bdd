#ifndef popart_transforms_auto_virtual_graph_hpp
#define popart_transforms_auto_virtual_graph_hpp

#include <cstddef>
#include <cstdint>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/transforms/transform.hpp>
#include <set>
#include <string>
#include <utility>

namespace popart {

class Graph;
class Op;
class Subgraph {
 public:
  Subgraph(OpId) { emulator::missing("popart::Subgraph"); }
  Subgraph(float, OpId) { emulator::missing("popart::Subgraph"); }
  float cost;
  std::set<OpId> candidates;
  std::map<float, OpId> split_nodes;
  std::set<OpId> final_splits;
  int64_t virtual_graph_id = 0;
  bool has_been_split = false;
  std::pair<bool, OpId> best_split(float) { emulator::missing("popart::Subgraph::best_split"); }
};

class AutoVirtualGraph : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::AutoVirtualGraph::id"); }
  AutoVirtualGraph() = default;
  bool apply(Graph&) const override { emulator::missing("popart::AutoVirtualGraph::apply"); }
  std::size_t getId() const override { emulator::missing("popart::AutoVirtualGraph::getId"); }
  std::string getName() const override { return "AutoVirtualGraph"; }
  float costFn(Op*, bool, float, float) const {
    emulator::missing("popart::AutoVirtualGraph::costFn");
  }
};

}  // namespace popart

#endif  // popart_transforms_auto_virtual_graph_hpp
