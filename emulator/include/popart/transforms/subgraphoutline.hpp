#ifndef popart_transforms_subgraphoutline_hpp
#define popart_transforms_subgraphoutline_hpp

#include <cstddef>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/tensor.hpp>
#include <popart/transforms/transform.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {

class AliasesMap;
class AliasModel;
class Graph;
class Ir;
class Op;
class Tensor;
class SubgraphableOpCluster {
 public:
  SubgraphableOpCluster(const std::vector<OpId>&, Graph*) {
    emulator::missing("popart::SubgraphableOpCluster");
  }
  std::vector<OpId> ops;
  Graph* graph;
  std::vector<Tensor*> external_inputs;
  std::vector<Tensor*> external_outputs;
  TensorSet all_outputs;
  int getIndex(const Op*) const { emulator::missing("popart::SubgraphableOpCluster::getIndex"); }
  Graph& getGraph() const { emulator::missing("popart::SubgraphableOpCluster::getGraph"); }
};

class SubgraphOutline : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::SubgraphOutline::id"); }
  SubgraphOutline() = default;
  bool apply(Graph&) const override { emulator::missing("popart::SubgraphOutline::apply"); }
  std::size_t getId() const override { emulator::missing("popart::SubgraphOutline::getId"); }
  std::string getName() const override { return "SubgraphOutline"; }
  static Graph& createSubgraph(const std::vector<SubgraphableOpCluster>, Ir&, std::map<Op*, int>&,
                               std::string = "call") {
    emulator::missing("popart::SubgraphOutline::createSubgraph");
  }
  static Graph& createEmptySubgraph(const SubgraphableOpCluster&, Ir&, std::string,
                                    const std::map<InIndex, OutIndex>&,
                                    const std::map<OutIndex, float>&, AliasModel&) {
    emulator::missing("popart::SubgraphOutline::createEmptySubgraph");
  }
  static void setSubgraphOpSettingsFromClusterInstance(Op*, const SubgraphableOpCluster&) {
    emulator::missing("popart::SubgraphOutline::setSubgraphOpSettingsFromClusterInstance");
  }
  static Op* replaceWithCallOp(const SubgraphableOpCluster&, Graph&, const std::map<Op*, int>&,
                               AliasesMap&) {
    emulator::missing("popart::SubgraphOutline::replaceWithCallOp");
  }
  static Op* replaceWithEmptyElseBranchIfOp(const SubgraphableOpCluster&, Graph&, Graph&,
                                            const std::map<Op*, int>&, AliasesMap&, Tensor*) {
    emulator::missing("popart::SubgraphOutline::replaceWithEmptyElseBranchIfOp");
  }
};

}  // namespace popart

#endif  // popart_transforms_subgraphoutline_hpp
