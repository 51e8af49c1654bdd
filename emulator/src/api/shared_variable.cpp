#include <poplar/emulator/SharedVariable.hpp>

#include "api/access.hpp"
#include "api/graph_data.hpp"

namespace poplar {
namespace emulator {

Tensor sharedVariable(Graph& graph, const std::string& name, const std::vector<unsigned>& values) {
  ViewPtr& view = Access::data(graph)->shared[name];
  if (view) return Access::tensor(view);
  const Tensor t = graph.addVariable(UNSIGNED_INT, {values.size()}, name);
  graph.setTileMapping(t, 0);
  graph.setInitialValue<unsigned>(t, values);
  view = Access::pointer(t);
  return t;
}

}  // namespace emulator
}  // namespace poplar
