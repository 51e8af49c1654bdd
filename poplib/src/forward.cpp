#include "forward.hpp"

#include <string>

#include <popops/Zero.hpp>
#include <poputil/VertexTemplates.hpp>

#include "steps.hpp"
#include "vertex.hpp"

namespace popsnn {
namespace {

using poplar::ComputeSet;
using poplar::Graph;
using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Repeat;
using poplar::program::Sequence;

// Membranes of layer `l` step from the lists that lie ready.
void add_layer_step(Graph& graph, ComputeSet compute_set, const NetworkSpec& network,
                    const Plan& plan, const NetworkTensors& tensors, std::size_t l) {
  const LayerSpec& layer = network.layers[l];
  const LayerPlan& where = plan.layers[l];
  const LayerTensors& t = tensors.layers[l];
  const SpikeLists& input = tensors.inputs_of(l);
  const bool lif = layer.kind == LayerKind::SparseLif;
  const std::string type =
      poputil::templateVertex(lif ? "popsnn::LifStep" : "popsnn::LiStep", input.ids.elementType());
  for (std::size_t tile = 0; tile < where.tiles; ++tile) {
    const Range neurons = where.neurons(tile, layer);
    std::vector<Edge> edges = {{"ids", input.ids},
                               {"counts", input.counts},
                               {"step", tensors.step},
                               {"weights", t.weights.on[tile]},
                               {"bias", t.bias.on[tile]},
                               {"beta", t.beta.on[tile]},
                               {"membrane", t.membrane.on[tile]}};
    std::vector<State> state = {{"batch", network.batch},
                                {"slots", input.slots},
                                {"neurons", neurons.size()},
                                {"gain", layer.gain}};
    if (lif) {
      edges.insert(edges.end(), {{"window", t.window},
                                 {"threshold", t.threshold.on[tile]},
                                 {"grad_threshold", t.grad_threshold.on[tile]},
                                 {"masks", t.masks[tile]}});
      state.insert(state.end(), {{"first_neuron", neurons.begin},
                                 {"layer_size", layer.neurons},
                                 {"words", t.masks.dim(3)},
                                 {"reset", unsigned(layer.reset)}});
    }
    add_vertex(graph, compute_set, type, where.first_tile + tile, edges, state);
  }
}

void add_compaction(Graph& graph, ComputeSet compute_set, const NetworkSpec& network,
                    const Plan& plan, const NetworkTensors& tensors, std::size_t l) {
  const LayerSpec& layer = network.layers[l];
  const LayerPlan& where = plan.layers[l];
  const LayerTensors& t = tensors.layers[l];
  const std::string type =
      poputil::templateVertex("popsnn::CompactSpikes", t.lists.ids.elementType());
  for (const SampleRange& range : plan.samples) {
    const std::size_t begin = range.samples.begin, end = range.samples.end;
    add_vertex(graph, compute_set, type, range.tile,
               {{"masks", t.masks.slice(begin, end, 1)},
                {"seed", tensors.seed},
                {"step", tensors.list_step},
                {"ids", t.lists.ids.slice(begin, end)},
                {"counts", t.lists.counts.slice(begin, end)},
                {"window", t.window.slice(begin, end)},
                {"ids_history", t.lists.ids_history.slice(begin, end)},
                {"counts_history", t.lists.counts_history.slice(begin, end)},
                {"window_history", t.window_history.slice(begin, end)},
                {"drop_history", t.drop_history.slice(begin, end)}},
               {{"first_sample", begin},
                {"samples", end - begin},
                {"steps", network.steps},
                {"slots", t.lists.slots},
                {"capacity", layer.capacity},
                {"layer", l},
                {"layer_size", layer.neurons},
                {"tiles", where.tiles},
                {"neurons_per_tile", where.neurons_per_tile},
                {"words", t.masks.dim(3)}});
  }
}

}  // namespace

poplar::program::Sequence build_forward(Graph& graph, const NetworkSpec& network, const Plan& plan,
                                        const NetworkTensors& tensors) {
  const int input_offset = 1 - int(network.layers[0].delay);  // the next step's input
  ComputeSet first_fetch = graph.addComputeSet("forward/first_fetch");
  add_fetch_lists(graph, first_fetch, plan, tensors.input, tensors.list_step, input_offset);
  add_set_step(graph, first_fetch, tensors.list_step, tensors.step, 1);

  Sequence step;
  for (unsigned stage = 0; stage < plan.stages; ++stage) {
    const std::string name = "forward/stage" + std::to_string(stage);
    ComputeSet neurons = graph.addComputeSet(name + "/step");
    ComputeSet lists = graph.addComputeSet(name + "/lists");
    for (std::size_t l = 0; l < plan.layers.size(); ++l) {
      if (plan.layers[l].stage != stage) continue;
      add_layer_step(graph, neurons, network, plan, tensors, l);
      if (network.layers[l].kind == LayerKind::SparseLif)
        add_compaction(graph, lists, network, plan, tensors, l);
    }
    if (stage == 0) add_set_step(graph, neurons, tensors.step, tensors.list_step, 0);
    if (stage + 1 == plan.stages) {
      add_fetch_lists(graph, lists, plan, tensors.input, tensors.list_step, input_offset);
      add_set_step(graph, lists, tensors.list_step, tensors.step, 1);
    }
    step.add(Execute(neurons));
    step.add(Execute(lists));
  }

  // Before the first step nobody has fired: layers with a delay read empty lists.
  std::vector<poplar::Tensor> empty;
  for (std::size_t l = 0; l + 1 < plan.layers.size(); ++l)
    empty.push_back(tensors.layers[l].lists.counts.flatten());
  const poplar::Tensor before_first = graph.addConstant(poplar::INT, {}, -1);
  graph.setTileMapping(before_first, 0);

  Sequence forward;
  if (!empty.empty()) popops::zero(graph, poplar::concat(empty), forward, "forward/no_spikes");
  forward.add(Copy(before_first, tensors.list_step));
  forward.add(Execute(first_fetch));
  forward.add(Repeat(unsigned(network.steps), step));
  return forward;
}

}  // namespace popsnn
