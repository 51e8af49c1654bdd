#include "update.hpp"

#include "vertex.hpp"

namespace popsnn {
namespace {

using poplar::ComputeSet;
using poplar::Graph;
using poplar::Tensor;

void add_update(Graph& graph, ComputeSet compute_set, const NetworkTensors& tensors,
                const TilePieces& parameter, const TilePieces& gradient,
                const std::vector<TilePieces>& state, const LayerPlan& where) {
  const bool adam = state.size() == 2;
  for (std::size_t tile = 0; tile < where.tiles; ++tile) {
    std::vector<Edge> edges = {{"settings", tensors.settings},
                               {"gradient", gradient.on[tile]},
                               {"parameter", parameter.on[tile]}};
    if (adam) {
      edges.push_back({"first_moment", state[0].on[tile]});
      edges.push_back({"second_moment", state[1].on[tile]});
    } else {
      edges.push_back({"momentum", state[0].on[tile]});
    }
    add_vertex(graph, compute_set, adam ? "popsnn::AdamUpdate" : "popsnn::SgdUpdate",
               where.first_tile + tile, edges, {{"size", parameter.on[tile].numElements()}});
  }
}

}  // namespace

poplar::program::Sequence build_update(Graph& graph, const NetworkSpec& network, const Plan& plan,
                                       const NetworkTensors& tensors) {
  poplar::program::Sequence program;
  if (network.optimizer == Optimizer::None) return program;
  ComputeSet compute_set = graph.addComputeSet("update");
  for (std::size_t l = 0; l < plan.layers.size(); ++l) {
    const LayerTensors& t = tensors.layers[l];
    add_update(graph, compute_set, tensors, t.weights, t.weight_grad, t.weight_state,
               plan.layers[l]);
    if (network.layers[l].bias)
      add_update(graph, compute_set, tensors, t.bias, t.bias_grad, t.bias_state, plan.layers[l]);
  }
  program.add(poplar::program::Execute(compute_set));
  return program;
}

}  // namespace popsnn
