#include "popsnn/passes.hpp"

#include <stdexcept>

#include <popops/Cast.hpp>
#include <popops/Zero.hpp>
#include <poputil/VertexTemplates.hpp>

#include "build/backward.hpp"
#include "build/forward.hpp"
#include "build/steps.hpp"
#include "build/update.hpp"
#include "build/vertex.hpp"
#include "build/views.hpp"
#include "settle.hpp"

namespace popsnn {
namespace {

using poplar::ComputeSet;
using poplar::FLOAT;
using poplar::Graph;
using poplar::Tensor;
using poplar::UNSIGNED_INT;
using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Sequence;

std::string name_of(std::size_t layer, const char* what) {
  return "layer" + std::to_string(layer) + "/" + what;
}

bool spikes(const NetworkSpec& network, std::size_t l) {
  return network.layers[l].kind == LayerKind::SparseLif;
}

const ListPlan& list_of(const ReplicaPlan& replica, const Kept& kept) {
  return kept.what == Keep::InputIds || kept.what == Keep::InputCounts ? replica.input
                                                                       : replica.lists[kept.layer];
}

// Where a replica's tensors have what is kept by sample.
Tensor& history_of(ReplicaTensors& replica, const Kept& kept) {
  switch (kept.what) {
    case Keep::InputIds:
      return replica.input.ids_history;
    case Keep::InputCounts:
      return replica.input.counts_history;
    case Keep::Ids:
      return replica.layers[kept.layer].lists.ids_history;
    case Keep::Counts:
      return replica.layers[kept.layer].lists.counts_history;
    default:
      return replica.layers[kept.layer].window_history;
  }
}

bool by_neuron(const Kept& kept) {
  return kept.what == Keep::States || kept.what == Keep::Checkpoints;
}

TilePieces& pieces_of(LayerTensors& layer, const Kept& kept) {
  return kept.what == Keep::States ? layer.states : layer.checkpoints;
}

// What of forward's tensors is kept, in the order of the network.
Tensor view_of(NetworkTensors& tensors, const Kept& kept) {
  std::vector<Tensor> parts;
  for (ReplicaTensors& replica : tensors.replicas)
    parts.push_back(by_neuron(kept) ? state_rows(pieces_of(replica.layers[kept.layer], kept),
                                                 kept.shape[0], kept.shape[2])
                                    : time_major(history_of(replica, kept)));
  return poplar::concat(parts, 1);
}

void take_kept(NetworkTensors& tensors, const NetworkSpec& network, const Plan& plan,
               const Kept& kept, const Tensor& given, Settler& settler) {
  // Segments that are worked out again are written over the last one's states.
  const bool written = kept.what == Keep::States && spikes(network, kept.layer) &&
                       plan.checkpoints(network.steps) > 0;
  for (std::size_t r = 0; r < plan.replicas.size(); ++r) {
    const ReplicaPlan& replica = plan.replicas[r];
    const Tensor part = given.slice(replica.samples.begin, replica.samples.end, 1);
    if (!by_neuron(kept)) {
      history_of(tensors.replicas[r], kept) =
          settler.by_sample(list_of(replica, kept), part.dimShuffle({1, 0, 2}), "kept");
      continue;
    }
    const LayerSpec& layer = network.layers[kept.layer];
    const Tensor rows = part.flatten(0, 3);
    TilePieces& pieces = pieces_of(tensors.replicas[r].layers[kept.layer], kept);
    pieces = written ? settler.copied_pieces(layer, replica.layers[kept.layer], rows, FLOAT, "kept")
                     : settler.pieces(layer, replica.layers[kept.layer], rows, FLOAT, "kept");
  }
}

// What layers are given, in every replica.
void take_values(NetworkTensors& tensors, Graph& graph, const NetworkSpec& network,
                 const Plan& plan, const std::vector<LayerValues>& layers, Settler& settler,
                 Sequence& program) {
  for (std::size_t r = 0; r < plan.replicas.size(); ++r)
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      const LayerSpec& layer = network.layers[l];
      const LayerPlan& where = plan.replicas[r].layers[l];
      LayerTensors& t = tensors.replicas[r].layers[l];
      const poplar::Type weight_type = layer.half_weights ? poplar::HALF : FLOAT;
      for (std::size_t source = 0; source < layer.sources(); ++source)
        t.weights[source].value = settler.pieces(layer, where, layers[l].weights[source],
                                                 weight_type, name_of(l, "weights"));
      t.parameters =
          settler.pieces(layer, where, layers[l].parameters, FLOAT, name_of(l, "parameters"));
      if (layer.bias) {
        t.bias.value = settler.pieces(layer, where, layers[l].bias, FLOAT, name_of(l, "bias"));
        continue;
      }
      t.bias.value = add_pieces(graph, layer, where, 1, FLOAT, name_of(l, "bias"));
      popops::zero(graph, t.bias.value.flat, program, name_of(l, "bias"));
    }
}

// In `compute_set`: the given lists become the input's history.
void add_take(Graph& graph, ComputeSet compute_set, const NetworkSpec& network,
              const ReplicaPlan& where, const SpikeLists& lists, const GivenLists& given) {
  const std::string type =
      poputil::templateVertex("popsnn::TakeLists", lists.ids_history.elementType());
  for (const SampleRange& range : where.input.ranges) {
    const std::size_t begin = range.samples.begin, end = range.samples.end;
    const auto of_samples = [&](const Tensor& whole) {
      const std::size_t first = where.samples.begin;
      return whole.slice(first + begin, first + end, 1).dimShuffle({1, 0, 2});
    };
    add_vertex(graph, compute_set, type, range.tile,
               {{"ids", of_samples(given.ids)},
                {"counts", of_samples(given.counts)},
                {"ids_history", lists.ids_history.slice(begin, end)},
                {"counts_history", lists.counts_history.slice(begin, end)}},
               {{"samples", end - begin},
                {"steps", network.steps},
                {"places", network.input_capacity},
                {"slots", where.input.slots},
                {"size", network.layers.front().inputs}});
  }
}

// In `compute_set`: a layer's history becomes lists; returns its ids and values, each [batch,
// steps, capacity].
std::vector<Tensor> add_give(Graph& graph, ComputeSet compute_set, const NetworkSpec& network,
                             const ReplicaPlan& where, const ReplicaTensors& tensors,
                             std::size_t l) {
  const std::size_t places = network.layers[l].capacity;
  const SpikeLists& lists = tensors.layers[l].lists;
  const std::vector<std::size_t> row = {network.steps, places};
  const Tensor ids = add_by_sample(graph, where.lists[l], where.batch(), poplar::INT, row,
                                   name_of(l, "ids")),
               values = add_by_sample(graph, where.lists[l], where.batch(), FLOAT, row,
                                      name_of(l, "values"));
  const std::string type =
      poputil::templateVertex("popsnn::GiveLists", lists.ids_history.elementType());
  for (const SampleRange& range : where.lists[l].ranges) {
    const std::size_t begin = range.samples.begin, end = range.samples.end;
    add_vertex(graph, compute_set, type, range.tile,
               {{"ids_history", lists.ids_history.slice(begin, end)},
                {"counts_history", lists.counts_history.slice(begin, end)},
                {"ids", ids.slice(begin, end)},
                {"values", values.slice(begin, end)}},
               {{"samples", end - begin},
                {"steps", network.steps},
                {"places", places},
                {"slots", where.lists[l].slots}});
  }
  return {ids, values};
}

// A copy that shares nothing with what is kept.
Tensor copy_of(Graph& graph, const Tensor& view, Sequence& program, const char* name) {
  const Tensor copy = graph.clone(view, name);
  program.add(Copy(view, copy));
  return copy;
}

void add_readout(Graph& graph, const NetworkSpec& network, const NetworkTensors& tensors,
                 ForwardPass& result, Sequence& program) {
  const std::size_t last = network.layers.size() - 1, steps = network.steps;
  const Tensor membranes = whole_batch(tensors, 1, [&](const ReplicaTensors& replica) {
    return membranes_of(state_rows(replica.layers[last].states, 1 + steps, 1), 0, steps);
  });
  result.readout = copy_of(graph, membranes, program, "readout");
}

void add_spikes(Graph& graph, const NetworkSpec& network, const Plan& plan,
                const NetworkTensors& tensors, ForwardPass& result, Sequence& program) {
  const std::size_t last = network.layers.size() - 1;
  const ComputeSet give = graph.addComputeSet("forward/give_lists");
  std::vector<Tensor> ids, values;
  for (std::size_t r = 0; r < plan.replicas.size(); ++r) {
    const std::vector<Tensor> given =
        add_give(graph, give, network, plan.replicas[r], tensors.replicas[r], last);
    ids.push_back(time_major(given[0]));
    values.push_back(time_major(given[1]));
  }
  program.add(Execute(give));
  result.spikes.ids = poplar::concat(ids, 1);
  result.values = poplar::concat(values, 1);
  const Tensor counts = whole_batch(tensors, 1, [&](const ReplicaTensors& replica) {
    return step_rows(replica.layers[last].lists.counts_history);
  });
  result.spikes.counts = copy_of(graph, counts, program, "counts").reinterpret(poplar::INT);
}

// The gradient of the readout, or of the last layer's values, comes to its tiles.
Copy take_out_grad(const NetworkSpec& network, const NetworkTensors& tensors,
                   const Tensor& out_grad) {
  const std::size_t last = network.layers.size() - 1;
  const std::size_t neurons = network.layers[last].neurons;
  return Copy(out_grad, whole_batch(tensors, 1, [&](const ReplicaTensors& replica) {
                const LayerTensors& t = replica.layers[last];
                if (spikes(network, last))
                  return time_major(t.slot_grad).slice(0, network.layers[last].capacity, 2);
                const Tensor rows = t.output_grad.rows_by_neurons();
                return rows.reshape({network.steps, rows.dim(0) / network.steps, neurons});
              }));
}

}  // namespace

std::vector<Kept> kept_tensors(const NetworkSpec& network, std::size_t segment) {
  const std::size_t steps = network.steps, batch = network.batch;
  Plan plan;
  plan.segment = segment;
  const poplar::Type id_type = short_ids(network) ? poplar::UNSIGNED_SHORT : UNSIGNED_INT;
  std::vector<Kept> kept;
  const auto add_lists = [&](Keep ids, Keep counts, std::size_t l, std::size_t capacity) {
    kept.push_back({ids, l, id_type, {1 + steps, batch, row_slots(capacity)}});
    kept.push_back({counts, l, UNSIGNED_INT, {1 + steps, batch, kCountSize}});
  };
  add_lists(Keep::InputIds, Keep::InputCounts, 0, network.input_capacity);
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const LayerSpec& layer = network.layers[l];
    if (spikes(network, l)) {
      add_lists(Keep::Ids, Keep::Counts, l, layer.capacity);
      kept.push_back({Keep::Windows, l, UNSIGNED_INT, {1 + steps, batch, kWindowSize}});
    }
    const std::size_t rows = 1 + (spikes(network, l) ? segment : steps);
    kept.push_back({Keep::States, l, FLOAT, {rows, batch, layer.states(), layer.neurons}});
    if (spikes(network, l) && plan.checkpoints(steps) > 0)
      kept.push_back({Keep::Checkpoints,
                      l,
                      FLOAT,
                      {plan.checkpoints(steps), batch, layer.states(), layer.neurons}});
  }
  return kept;
}

Passes::Passes(Graph& graph, const NetworkSpec& network, const Plan& plan)
    : graph_(graph), network_(network), plan_(plan) {
  if (network.optimizer != Optimizer::None || network.carries_state || network.traced)
    throw std::invalid_argument(
        "passes: expected a network without optimizer, carried states and traces, got one with");
  if (plan.streamed)
    throw std::invalid_argument(
        "passes: segment: expected checkpoints that fit on the tiles, got " +
        std::to_string(plan.segment) + " of " + std::to_string(network.steps) + " steps");
}

Tensor Passes::add_given(std::size_t row, const std::string& name) {
  std::vector<Tensor> parts;
  for (const ReplicaPlan& replica : plan_.replicas)
    parts.push_back(time_major(add_by_sample(graph_, replica.input, replica.batch(), poplar::INT,
                                             {network_.steps, row}, name)));
  return poplar::concat(parts, 1);
}

Tensor Passes::add_parameter(std::size_t layer, std::size_t rows, const std::string& name) {
  return add_pieces(graph_, network_.layers[layer], plan_.replicas[0].layers[layer], rows, FLOAT,
                    name)
      .rows_by_neurons();
}

Tensor Passes::add_kept(const Kept& kept, const std::string& name) {
  std::vector<Tensor> parts;
  for (const ReplicaPlan& replica : plan_.replicas) {
    if (!by_neuron(kept)) {
      parts.push_back(time_major(add_by_sample(graph_, list_of(replica, kept), replica.batch(),
                                               kept.type, {kept.shape[0], kept.shape[2]}, name)));
      continue;
    }
    const std::size_t rows = kept.shape[0] * replica.batch() * kept.shape[2];
    parts.push_back(state_rows(add_pieces(graph_, network_.layers[kept.layer],
                                          replica.layers[kept.layer], rows, kept.type, name),
                               kept.shape[0], kept.shape[2]));
  }
  return poplar::concat(parts, 1);
}

ForwardPass Passes::forward(const GivenLists& input, const Tensor& sequence,
                            const std::vector<LayerValues>& layers, Sequence& program) {
  NetworkTensors tensors = add_tensors(graph_, network_, plan_, Pass::Forward);
  Settler settler(graph_, program);
  take_values(tensors, graph_, network_, plan_, layers, settler, program);
  program.add(Copy(sequence.reinterpret(UNSIGNED_INT), tensors.sequence));
  const ComputeSet take = graph_.addComputeSet("forward/take_lists");
  for (std::size_t r = 0; r < plan_.replicas.size(); ++r)
    add_take(graph_, take, network_, plan_.replicas[r], tensors.replicas[r].input, input);
  program.add(Execute(take));
  program.add(build_forward(graph_, network_, plan_, tensors, Sequence()).program);
  ForwardPass result;
  if (spikes(network_, network_.layers.size() - 1))
    add_spikes(graph_, network_, plan_, tensors, result, program);
  else
    add_readout(graph_, network_, tensors, result, program);
  for (const Kept& kept : kept_tensors(network_, plan_.segment))
    result.kept.push_back(view_of(tensors, kept));
  for (std::size_t l = 0; l < network_.layers.size(); ++l)
    if (spikes(network_, l))
      result.drops.push_back(whole_batch(tensors, 1, [&](const ReplicaTensors& replica) {
        return time_major(replica.layers[l].drop_history);
      }));
  return result;
}

BackwardPass Passes::backward(const std::vector<Tensor>& kept, const Tensor& out_grad,
                              const std::vector<LayerValues>& layers, Sequence& program) {
  NetworkTensors tensors = add_tensors(graph_, network_, plan_, Pass::Backward);
  Settler settler(graph_, program);
  take_values(tensors, graph_, network_, plan_, layers, settler, program);
  const std::vector<Kept> kinds = kept_tensors(network_, plan_.segment);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    take_kept(tensors, network_, plan_, kinds[i], kept[i], settler);
  program.add(take_out_grad(network_, tensors, out_grad));
  // Where forward ended.
  const std::size_t segment = plan_.checkpoints(network_.steps);
  program.add(set_counter(graph_, tensors.segment, int(segment)));
  program.add(set_counter(graph_, tensors.first_step, int(segment * plan_.segment)));
  program.add(build_backward(
      graph_, network_, plan_, tensors,
      segment > 0 ? build_neurons(graph_, network_, plan_, tensors) : std::vector<ComputeSet>(),
      Sequence()));
  program.add(build_gradient_sums(graph_, network_, plan_, tensors));
  BackwardPass result;
  for (const LayerTensors& t : tensors.replicas[0].layers) {
    result.layers.emplace_back();
    LayerValues& gradients = result.layers.back();
    for (const Parameter& weights : t.weights)
      gradients.weights.push_back(weights.grad.rows_by_neurons());
    gradients.bias = t.bias.grad.rows_by_neurons();
    if (!t.parameter_grad.on.empty()) gradients.parameters = t.parameter_grad.rows_by_neurons();
  }
  if (network_.input_gradient)
    result.input = whole_batch(tensors, 1, [&](const ReplicaTensors& replica) {
      return time_major(replica.input_grad).slice(0, network_.input_capacity, 2);
    });
  return result;
}

}  // namespace popsnn
