#include "backward.hpp"

#include <string>

#include <popops/Zero.hpp>
#include <poputil/VertexTemplates.hpp>

#include "steps.hpp"
#include "vertex.hpp"

namespace popsnn {
namespace {

using poplar::ComputeSet;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Repeat;
using poplar::program::Sequence;

class BackwardBuilder {
 public:
  BackwardBuilder(Graph& graph, const NetworkSpec& network, const Plan& plan,
                  const NetworkTensors& tensors)
      : graph_(graph), network_(network), plan_(plan), tensors_(tensors) {}

  Sequence build() {
    ComputeSet first_fetch = graph_.addComputeSet("backward/first_fetch");
    for (std::size_t l = 0; l < plan_.layers.size(); ++l) add_fetches(first_fetch, l);
    add_set_step(graph_, first_fetch, tensors_.list_step, tensors_.step, -1);

    Sequence step;
    for (unsigned stage = plan_.stages; stage-- > 0;) {
      const std::string name = "backward/stage" + std::to_string(stage);
      ComputeSet neurons = graph_.addComputeSet(name + "/step");
      ComputeSet products = graph_.addComputeSet(name + "/products");
      ComputeSet lists = graph_.addComputeSet(name + "/lists");
      for (std::size_t l = 0; l < plan_.layers.size(); ++l) {
        if (plan_.layers[l].stage != stage) continue;
        add_layer_step(neurons, l);
        add_products(products, l);
        add_reduction(lists, l);
        add_fetches(lists, l);
      }
      if (stage + 1 == plan_.stages)
        add_set_step(graph_, neurons, tensors_.step, tensors_.list_step, 0);
      if (stage == 0) add_set_step(graph_, lists, tensors_.list_step, tensors_.step, -1);
      step.add(Execute(neurons));
      step.add(Execute(products));
      step.add(Execute(lists));
    }

    const Tensor after_last = graph_.addConstant(poplar::INT, {}, int(network_.steps));
    graph_.setTileMapping(after_last, 0);
    Sequence backward;
    zero_gradients(backward);
    backward.add(Copy(after_last, tensors_.list_step));
    backward.add(Execute(first_fetch));
    backward.add(Repeat(unsigned(network_.steps), step));
    return backward;
  }

 private:
  void zero_gradients(Sequence& program) {
    std::vector<Tensor> gradients;
    for (std::size_t l = 0; l < plan_.layers.size(); ++l) {
      const LayerTensors& t = tensors_.layers[l];
      gradients.insert(gradients.end(),
                       {t.weight_grad.flat, t.bias_grad.flat, t.membrane_grad.flat});
      if (network_.layers[l].kind == LayerKind::SparseLif && l + 1 < plan_.layers.size())
        gradients.push_back(t.spike_grad.flatten());
    }
    if (network_.input_gradient) gradients.push_back(tensors_.input_grad.flatten());
    popops::zero(graph_, poplar::concat(gradients), program, "backward/zero");
  }

  // dL/dv and dL/dI of layer `l` at this step.
  void add_layer_step(ComputeSet compute_set, std::size_t l) {
    const LayerSpec& layer = network_.layers[l];
    const LayerPlan& where = plan_.layers[l];
    const LayerTensors& t = tensors_.layers[l];
    for (std::size_t tile = 0; tile < where.tiles; ++tile) {
      const Range neurons = where.neurons(tile, layer);
      std::vector<Edge> edges = {{"step", tensors_.step},
                                 {"beta", t.beta.on[tile]},
                                 {"membrane_grad", t.membrane_grad.on[tile]},
                                 {"current_grad", t.current_grad.on[tile]}};
      std::vector<State> state = {
          {"batch", network_.batch}, {"neurons", neurons.size()}, {"gain", layer.gain}};
      if (layer.kind == LayerKind::LeakyReadout) {
        edges.push_back({"output_grad", t.output_grad.on[tile]});
      } else {
        edges.insert(edges.end(),
                     {{"spike_grad", t.spike_grad.slice(neurons.begin, neurons.end, 1)},
                      {"window", t.window},
                      {"membrane", t.membrane.on[tile]},
                      {"threshold", t.threshold.on[tile]},
                      {"grad_threshold", t.grad_threshold.on[tile]}});
        state.insert(state.end(), {{"first_neuron", neurons.begin},
                                   {"layer_size", layer.neurons},
                                   {"reset", unsigned(layer.reset)},
                                   {"detach_reset", unsigned(layer.detach_reset)},
                                   {"surrogate", unsigned(layer.surrogate)},
                                   {"surrogate_parameter", layer.surrogate_parameter}});
      }
      add_vertex(graph_, compute_set,
                 layer.kind == LayerKind::SparseLif ? "popsnn::LifStepGrad" : "popsnn::LiStepGrad",
                 where.first_tile + tile, edges, state);
    }
  }

  // The two sparse products of a step: weight gradient, and the shares of the inputs' gradient.
  void add_products(ComputeSet compute_set, std::size_t l) {
    const LayerSpec& layer = network_.layers[l];
    const LayerPlan& where = plan_.layers[l];
    const LayerTensors& t = tensors_.layers[l];
    const SpikeLists& input = tensors_.inputs_of(l);
    const poplar::Type id_type = input.ids.elementType();
    for (std::size_t tile = 0; tile < where.tiles; ++tile) {
      const std::size_t neurons = where.neurons(tile, layer).size();
      const std::vector<State> sizes = {
          {"batch", network_.batch}, {"slots", input.slots}, {"neurons", neurons}};
      add_vertex(graph_, compute_set, poputil::templateVertex("popsnn::WeightGrad", id_type),
                 where.first_tile + tile,
                 {{"ids", input.ids},
                  {"shares", input.shares},
                  {"current_grad", t.current_grad.on[tile]},
                  {"weight_grad", t.weight_grad.on[tile]},
                  {"bias_grad", t.bias_grad.on[tile]}},
                 sizes);
      if (!network_.sends_gradient(l)) continue;
      add_vertex(graph_, compute_set, poputil::templateVertex("popsnn::InputSpikeGrad", id_type),
                 where.first_tile + tile,
                 {{"ids", input.ids},
                  {"counts", input.counts},
                  {"weights", t.weights.on[tile]},
                  {"current_grad", t.current_grad.on[tile]},
                  {"partial", t.partials[tile]}},
                 sizes);
    }
  }

  // Shares of the inputs' gradient become dL/ds of the layer below, or the network's input.
  void add_reduction(ComputeSet compute_set, std::size_t l) {
    if (!network_.sends_gradient(l)) return;
    const LayerSpec& layer = network_.layers[l];
    const SpikeLists& input = tensors_.inputs_of(l);
    const Tensor& partials = tensors_.layers[l].partials;
    const std::string type =
        l == 0 ? "popsnn::ReduceInputGrad"
               : poputil::templateVertex("popsnn::ReduceSpikeGrad", input.ids.elementType());
    for (const SampleRange& range : plan_.samples) {
      const std::size_t begin = range.samples.begin, end = range.samples.end;
      std::vector<Edge> edges = {{"partials", partials.slice(begin, end, 1)},
                                 {"counts_history", input.counts_history.slice(begin, end)},
                                 {"step", tensors_.list_step}};
      std::vector<State> state = {{"tiles", partials.dim(0)},
                                  {"samples", end - begin},
                                  {"slots", input.slots},
                                  {"steps", network_.steps},
                                  {"offset", -int(layer.delay)}};
      if (l == 0) {
        edges.push_back({"input_grad", tensors_.input_grad.slice(begin, end)});
      } else {
        edges.push_back({"ids_history", input.ids_history.slice(begin, end)});
        edges.push_back({"spike_grad", tensors_.layers[l - 1].spike_grad.slice(begin, end)});
        state.push_back({"size", layer.inputs});
      }
      add_vertex(graph_, compute_set, type, range.tile, edges, state);
    }
  }

  // What the step before this one needs of the past: the lists that layer `l` read, its window,
  // and of the last layer the loss's gradient.
  void add_fetches(ComputeSet compute_set, std::size_t l) {
    const LayerSpec& layer = network_.layers[l];
    const LayerTensors& t = tensors_.layers[l];
    const int offset = -1 - int(layer.delay);
    add_fetch_lists(graph_, compute_set, plan_, tensors_.inputs_of(l), tensors_.list_step, offset);
    add_shares(compute_set, l, offset);
    if (layer.kind != LayerKind::SparseLif) return;
    add_fetch(graph_, compute_set, plan_, t.window_history, tensors_.list_step, t.window, -1);
    if (l + 1 < plan_.layers.size()) return;
    const std::string type =
        poputil::templateVertex("popsnn::ScatterOutputGrad", t.lists.ids.elementType());
    for (const SampleRange& range : plan_.samples) {
      const std::size_t begin = range.samples.begin, end = range.samples.end;
      add_vertex(graph_, compute_set, type, range.tile,
                 {{"output_grad", t.slot_grad.slice(begin, end)},
                  {"ids_history", t.lists.ids_history.slice(begin, end)},
                  {"counts_history", t.lists.counts_history.slice(begin, end)},
                  {"step", tensors_.list_step},
                  {"spike_grad", t.spike_grad.slice(begin, end)}},
                 {{"samples", end - begin},
                  {"steps", network_.steps},
                  {"slots", t.lists.slots},
                  {"size", layer.neurons},
                  {"offset", -1}});
    }
  }

  void add_shares(ComputeSet compute_set, std::size_t l, int offset) {
    const SpikeLists& input = tensors_.inputs_of(l);
    const std::string type = poputil::templateVertex("popsnn::ListShares", input.ids.elementType());
    for (const SampleRange& range : plan_.samples) {
      const std::size_t begin = range.samples.begin, end = range.samples.end;
      add_vertex(graph_, compute_set, type, range.tile,
                 {{"ids_history", input.ids_history.slice(begin, end)},
                  {"counts_history", input.counts_history.slice(begin, end)},
                  {"step", tensors_.list_step},
                  {"shares", input.shares.slice(begin, end)}},
                 {{"samples", end - begin},
                  {"steps", network_.steps},
                  {"slots", input.slots},
                  {"inputs", network_.layers[l].inputs},
                  {"offset", offset}});
    }
  }

  Graph& graph_;
  const NetworkSpec& network_;
  const Plan& plan_;
  const NetworkTensors& tensors_;
};

}  // namespace

poplar::program::Sequence build_backward(Graph& graph, const NetworkSpec& network, const Plan& plan,
                                         const NetworkTensors& tensors) {
  return BackwardBuilder(graph, network, plan, tensors).build();
}

}  // namespace popsnn
