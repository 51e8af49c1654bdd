#include "popsnn/passes.hpp"

#include <algorithm>
#include <stdexcept>

#include <popops/Cast.hpp>
#include <popops/Reduce.hpp>
#include <popops/Zero.hpp>
#include <poputil/VertexTemplates.hpp>

#include "build/backward.hpp"
#include "build/forward.hpp"
#include "build/steps.hpp"
#include "build/update.hpp"
#include "build/vertex.hpp"
#include "build/views.hpp"
#include "plan/pattern_ranges.hpp"
#include "relayout.hpp"

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

bool of_arrivals(const SavedTensor& saved) {
  return saved.what >= SavedKind::ArrivalBits && saved.what <= SavedKind::FiredCounts;
}

const ListPlan& list_of(const ReplicaPlan& replica, const SavedTensor& saved) {
  return saved.what == SavedKind::InputIds || saved.what == SavedKind::InputCounts ? replica.input
         : of_arrivals(saved) ? replica.list_of(saved.layer, saved.source)
                              : replica.lists[saved.layer];
}

// The variable of a replica that has a tensor which is saved by sample.
Tensor& history_of(ReplicaTensors& replica, const SavedTensor& saved) {
  switch (saved.what) {
    case SavedKind::InputIds:
      return replica.input.ids_history;
    case SavedKind::InputCounts:
      return replica.input.counts_history;
    case SavedKind::Ids:
      return replica.layers[saved.layer].lists.ids_history;
    case SavedKind::Counts:
      return replica.layers[saved.layer].lists.counts_history;
    case SavedKind::ArrivalBits:
      return replica.layers[saved.layer].arrivals[saved.source].bits;
    case SavedKind::ArrivalSizes:
      return replica.layers[saved.layer].arrivals[saved.source].sizes;
    case SavedKind::ArrivalCounts:
      return replica.layers[saved.layer].arrivals[saved.source].lists.counts_history;
    case SavedKind::FiredIds:
      return replica.layers[saved.layer].arrivals[saved.source].fired_history;
    case SavedKind::FiredCounts:
      return replica.layers[saved.layer].arrivals[saved.source].lengths;
    default:
      return replica.layers[saved.layer].window_history;
  }
}

bool by_neuron(const SavedTensor& saved) {
  return saved.what >= SavedKind::States && saved.what <= SavedKind::RingCheckpoints;
}

TileShards& shards_of(LayerTensors& layer, const SavedTensor& saved) {
  switch (saved.what) {
    case SavedKind::States:
      return layer.states;
    case SavedKind::Checkpoints:
      return layer.checkpoints;
    case SavedKind::Products:
      return layer.delays.products[saved.source];
    default:
      return layer.delays.checkpoints;
  }
}

// [batch, steps, row...] -> [batch, steps, row]
Tensor with_rows(const Tensor& history) {
  return history.rank() > 3 ? history.flatten(2, history.rank()) : history;
}

// A saved tensor of the forward pass, in the order of the network.
Tensor view_of(NetworkTensors& tensors, const SavedTensor& saved) {
  std::vector<Tensor> replicas;
  for (ReplicaTensors& replica : tensors.replicas)
    replicas.push_back(by_neuron(saved) ? state_rows(shards_of(replica.layers[saved.layer], saved),
                                                     saved.shape[0], saved.shape[2])
                                        : time_major(with_rows(history_of(replica, saved))));
  return poplar::concat(replicas, 1);
}

// Of the variable of a replica that has a tensor which is saved by sample.
std::vector<std::size_t> history_shape(const NetworkSpec& network, const SavedTensor& saved,
                                       std::size_t batch) {
  std::vector<std::size_t> shape = {batch, saved.shape[0]};
  if (saved.what == SavedKind::ArrivalBits || saved.what == SavedKind::ArrivalSizes) {
    const unsigned kinds = network.layers[saved.layer].arrival_kinds(saved.source);
    shape.push_back(kinds);
    shape.push_back(saved.shape[2] / kinds);
  } else {
    shape.push_back(saved.shape[2]);
  }
  return shape;
}

void load_saved(NetworkTensors& tensors, const NetworkSpec& network, const Plan& plan,
                const SavedTensor& saved, const Tensor& tensor, Relayout& relayout) {
  // Recomputed states overwrite those of the last checkpoint interval.
  const bool of_interval = saved.what == SavedKind::Products ||
                           (saved.what == SavedKind::States && spikes(network, saved.layer));
  const bool written = of_interval && plan.checkpoints(network.steps) > 0;
  for (std::size_t r = 0; r < plan.replicas.size(); ++r) {
    const ReplicaPlan& replica = plan.replicas[r];
    const Tensor samples = tensor.slice(replica.samples.begin, replica.samples.end, 1);
    if (!by_neuron(saved)) {
      Tensor& history = history_of(tensors.replicas[r], saved);
      const Tensor loaded =
          relayout.by_sample(list_of(replica, saved), samples.dimShuffle({1, 0, 2}), "saved");
      history = loaded.reshape(history_shape(network, saved, replica.batch()));
      continue;
    }
    const LayerSpec& layer = network.layers[saved.layer];
    const Tensor rows = samples.flatten(0, 3);
    TileShards& shards = shards_of(tensors.replicas[r].layers[saved.layer], saved);
    shards = written
                 ? relayout.copied_shards(layer, replica.layers[saved.layer], rows, FLOAT, "saved")
                 : relayout.shards(layer, replica.layers[saved.layer], rows, FLOAT, "saved");
  }
}

// A copy of axonal delays on every tile that has some.
void load_axons(Graph& graph, const Arrivals& arrivals, const Tensor& delays, Sequence& program) {
  const Tensor steps = popops::cast(graph, delays, poplar::INT, program, "axons");
  for (const Tensor& copies : {arrivals.delays, arrivals.fired_delays, arrivals.part_delays})
    if (copies.valid())
      program.add(
          Copy(steps.reinterpret(UNSIGNED_INT).expand({0}).broadcast(unsigned(copies.dim(0)), 0),
               copies));
}

// Brings the layers' parameters to every replica.
void load_values(NetworkTensors& tensors, Graph& graph, const NetworkSpec& network,
                 const Plan& plan, const std::vector<LayerValues>& layers, Relayout& relayout,
                 Sequence& program) {
  for (std::size_t r = 0; r < plan.replicas.size(); ++r)
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      const LayerSpec& layer = network.layers[l];
      const LayerPlan& where = plan.replicas[r].layers[l];
      LayerTensors& t = tensors.replicas[r].layers[l];
      const poplar::Type weight_type = layer.half_weights ? poplar::HALF : FLOAT;
      for (std::size_t source = 0; source < layer.sources(); ++source)
        t.weights[source].value = relayout.shards(layer, where, layers[l].weights[source],
                                                  weight_type, name_of(l, "weights"));
      t.parameters =
          relayout.shards(layer, where, layers[l].parameters, FLOAT, name_of(l, "parameters"));
      if (layer.tap_rows() > 0)
        t.delays.taps = relayout.shards(layer, where, layers[l].taps, FLOAT, name_of(l, "taps"));
      for (std::size_t source = 0; source < layer.sources(); ++source)
        if (layer.late(source))
          load_axons(graph, t.arrivals[source], layers[l].delay_steps[source], program);
      for (std::size_t source = 0; layer.synaptic != 0 && source < layer.sources(); ++source)
        t.delays.synapses.push_back(
            layer.delays_weights(source)
                ? relayout.shards(layer, where, layers[l].delay_steps[source],
                                  poplar::UNSIGNED_SHORT, name_of(l, "synapses"))
                : TileShards());
      if (layer.bias) {
        t.bias.value = relayout.shards(layer, where, layers[l].bias, FLOAT, name_of(l, "bias"));
        continue;
      }
      t.bias.value = add_shards(graph, layer, where, 1, FLOAT, name_of(l, "bias"));
      popops::zero(graph, t.bias.value.flat, program, name_of(l, "bias"));
    }
}

// In `compute_set`: copies the input's lists to its history.
void add_import(Graph& graph, ComputeSet compute_set, const NetworkSpec& network,
                const ReplicaPlan& where, const SpikeHistory& lists, const SpikeIndices& input) {
  const std::string type =
      poputil::templateVertex("popsnn::ImportSpikes", lists.ids_history.elementType());
  for (const SampleRange& range : where.input.ranges) {
    const std::size_t begin = range.samples.begin, end = range.samples.end;
    const auto of_samples = [&](const Tensor& whole) {
      const std::size_t first = where.samples.begin;
      return whole.slice(first + begin, first + end, 1).dimShuffle({1, 0, 2});
    };
    add_vertex(graph, compute_set, type, range.tile,
               {{"ids", of_samples(input.ids)},
                {"counts", of_samples(input.counts)},
                {"ids_history", lists.ids_history.slice(begin, end)},
                {"counts_history", lists.counts_history.slice(begin, end)}},
               {{"samples", end - begin},
                {"steps", network.steps},
                {"capacity", network.input_capacity},
                {"padded_capacity", where.input.padded_capacity},
                {"size", network.layers.front().inputs}});
  }
}

// In `compute_set`: copies a layer's history to lists; returns ids and values, each [batch, steps,
// capacity].
std::vector<Tensor> add_export(Graph& graph, ComputeSet compute_set, const NetworkSpec& network,
                               const ReplicaPlan& where, const ReplicaTensors& tensors,
                               std::size_t l) {
  const std::size_t capacity = network.layers[l].capacity;
  const SpikeHistory& lists = tensors.layers[l].lists;
  const std::vector<std::size_t> row = {network.steps, capacity};
  const Tensor ids = add_by_sample(graph, where.lists[l], where.batch(), poplar::INT, row,
                                   name_of(l, "ids")),
               values = add_by_sample(graph, where.lists[l], where.batch(), FLOAT, row,
                                      name_of(l, "values"));
  const std::string type =
      poputil::templateVertex("popsnn::ExportSpikes", lists.ids_history.elementType());
  for (const SampleRange& range : where.lists[l].ranges) {
    const std::size_t begin = range.samples.begin, end = range.samples.end;
    add_vertex(graph, compute_set, type, range.tile,
               {{"ids_history", lists.ids_history.slice(begin, end)},
                {"counts_history", lists.counts_history.slice(begin, end)},
                {"ids", ids.slice(begin, end)},
                {"values", values.slice(begin, end)}},
               {{"samples", end - begin},
                {"steps", network.steps},
                {"capacity", capacity},
                {"padded_capacity", where.lists[l].padded_capacity}});
  }
  return {ids, values};
}

// A copy that has no memory in common with saved tensors.
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
  const ComputeSet export_set = graph.addComputeSet("forward/export_spikes");
  std::vector<Tensor> ids, values;
  for (std::size_t r = 0; r < plan.replicas.size(); ++r) {
    const std::vector<Tensor> exported =
        add_export(graph, export_set, network, plan.replicas[r], tensors.replicas[r], last);
    ids.push_back(time_major(exported[0]));
    values.push_back(time_major(exported[1]));
  }
  program.add(Execute(export_set));
  result.spikes.ids = poplar::concat(ids, 1);
  result.values = poplar::concat(values, 1);
  const Tensor counts = whole_batch(tensors, 1, [&](const ReplicaTensors& replica) {
    return step_rows(replica.layers[last].lists.counts_history);
  });
  result.spikes.counts = copy_of(graph, counts, program, "counts").reinterpret(poplar::INT);
}

// Copies the gradient of the readout, or of the last layer's values, to its tiles.
Copy load_out_grad(const NetworkSpec& network, const NetworkTensors& tensors,
                   const Tensor& out_grad) {
  const std::size_t last = network.layers.size() - 1;
  const std::size_t neurons = network.layers[last].neurons;
  return Copy(out_grad, whole_batch(tensors, 1, [&](const ReplicaTensors& replica) {
                const LayerTensors& t = replica.layers[last];
                if (spikes(network, last))
                  return time_major(t.value_grad).slice(0, network.layers[last].capacity, 2);
                const Tensor rows = t.output_grad.rows_by_neurons();
                return rows.reshape({network.steps, rows.dim(0) / network.steps, neurons});
              }));
}

// The saved tensors of a source's arrivals.
void add_arrivals(const NetworkSpec& network, std::size_t l, std::size_t source,
                  std::vector<SavedTensor>& saved) {
  const std::size_t steps = network.steps, batch = network.batch;
  const std::size_t kinds = network.layers[l].arrival_kinds(source);
  const std::size_t words = bit_words(unsigned(network.source_size(l, source)));
  const std::size_t fired = pad_capacity(network.layers[NetworkSpec::firing(l, source)].capacity);
  const poplar::Type id_type = short_ids(network) ? poplar::UNSIGNED_SHORT : UNSIGNED_INT;
  const auto add = [&](SavedKind what, const poplar::Type& type, std::size_t rows,
                       std::size_t row) {
    saved.push_back({what, l, type, {rows, batch, row}, source});
  };
  add(SavedKind::ArrivalBits, UNSIGNED_INT, steps, kinds * words);
  add(SavedKind::ArrivalSizes, UNSIGNED_INT, steps, kinds * kWorkerRanges);
  add(SavedKind::ArrivalCounts, UNSIGNED_INT, 1 + steps, kCountSize);
  add(SavedKind::FiredIds, id_type, steps, fired);
  add(SavedKind::FiredCounts, UNSIGNED_INT, steps, kCountSize);
}

// The gradient of a source's whole delays, invalid where they do not learn.
Tensor delay_steps_grad(Graph& graph, const NetworkSpec& network, const NetworkTensors& tensors,
                        std::size_t l, std::size_t source, Sequence& program) {
  const LayerSpec& layer = network.layers[l];
  if (layer.learns_synapses(source))
    return tensors.replicas[0].layers[l].delays.synapse_grad[source].rows_by_neurons();
  if (!layer.learns_axons(source)) return Tensor();
  const Tensor of_samples = whole_batch(tensors, 0, [&](const ReplicaTensors& replica) {
    return replica.layers[l].arrivals[source].steps_grad;
  });
  return popops::reduce(graph, of_samples, FLOAT, {0}, popops::Operation::ADD, program,
                        name_of(l, "axons_grad"));
}

}  // namespace

std::vector<SavedTensor> saved_tensors(const NetworkSpec& network,
                                       std::size_t checkpoint_interval) {
  const std::size_t steps = network.steps, batch = network.batch;
  Plan plan;
  plan.checkpoint_interval = checkpoint_interval;
  const poplar::Type id_type = short_ids(network) ? poplar::UNSIGNED_SHORT : UNSIGNED_INT;
  std::vector<SavedTensor> saved;
  const auto add_lists = [&](SavedKind ids, SavedKind counts, std::size_t l, std::size_t capacity) {
    saved.push_back({ids, l, id_type, {1 + steps, batch, pad_capacity(capacity)}});
    saved.push_back({counts, l, UNSIGNED_INT, {1 + steps, batch, kCountSize}});
  };
  add_lists(SavedKind::InputIds, SavedKind::InputCounts, 0, network.input_capacity);
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const LayerSpec& layer = network.layers[l];
    if (spikes(network, l)) {
      add_lists(SavedKind::Ids, SavedKind::Counts, l, layer.capacity);
      saved.push_back({SavedKind::Windows, l, UNSIGNED_INT, {1 + steps, batch, kWindowSize}});
    }
    const std::size_t rows = 1 + (spikes(network, l) ? checkpoint_interval : steps);
    saved.push_back({SavedKind::States, l, FLOAT, {rows, batch, layer.states(), layer.neurons}});
    if (spikes(network, l) && plan.checkpoints(steps) > 0)
      saved.push_back({SavedKind::Checkpoints,
                       l,
                       FLOAT,
                       {plan.checkpoints(steps), batch, layer.states(), layer.neurons}});
    for (std::size_t learnt = 0; learnt < layer.learnt_sources(); ++learnt)
      saved.push_back(
          {SavedKind::Products, l, FLOAT, {checkpoint_interval, batch, 1, layer.neurons}, learnt});
    if (layer.has_ring() && plan.checkpoints(steps) > 0)
      saved.push_back({SavedKind::RingCheckpoints,
                       l,
                       FLOAT,
                       {plan.checkpoints(steps) * layer.ring_slots(), batch, 1, layer.neurons}});
    for (std::size_t source = 0; source < layer.sources(); ++source)
      if (layer.late(source)) add_arrivals(network, l, source, saved);
  }
  return saved;
}

Passes::Passes(Graph& graph, const NetworkSpec& network, const Plan& plan)
    : graph_(graph), network_(network), plan_(plan) {
  if (network.optimizer != Optimizer::None || network.carries_state || network.traced)
    throw std::invalid_argument(
        "passes: expected a network without optimizer, carried states and traces, got one with");
  if (plan.streamed)
    throw std::invalid_argument(
        "passes: segment: expected checkpoints that fit on the tiles, got " +
        std::to_string(plan.checkpoint_interval) + " of " + std::to_string(network.steps) +
        " steps");
}

Tensor Passes::add_indices(std::size_t row, const std::string& name) {
  std::vector<Tensor> replicas;
  for (const ReplicaPlan& replica : plan_.replicas)
    replicas.push_back(time_major(add_by_sample(graph_, replica.input, replica.batch(), poplar::INT,
                                                {network_.steps, row}, name)));
  return poplar::concat(replicas, 1);
}

Tensor Passes::add_parameter(std::size_t layer, std::size_t rows, const std::string& name) {
  return add_shards(graph_, network_.layers[layer], plan_.replicas[0].layers[layer], rows, FLOAT,
                    name)
      .rows_by_neurons();
}

Tensor Passes::add_saved(const SavedTensor& saved, const std::string& name) {
  std::vector<Tensor> replicas;
  for (const ReplicaPlan& replica : plan_.replicas) {
    if (!by_neuron(saved)) {
      replicas.push_back(
          time_major(add_by_sample(graph_, list_of(replica, saved), replica.batch(), saved.type,
                                   {saved.shape[0], saved.shape[2]}, name)));
      continue;
    }
    const std::size_t rows = saved.shape[0] * replica.batch() * saved.shape[2];
    replicas.push_back(state_rows(add_shards(graph_, network_.layers[saved.layer],
                                             replica.layers[saved.layer], rows, saved.type, name),
                                  saved.shape[0], saved.shape[2]));
  }
  return poplar::concat(replicas, 1);
}

ForwardPass Passes::forward(const SpikeIndices& input, const Tensor& sequence,
                            const std::vector<LayerValues>& layers, Sequence& program) {
  NetworkTensors tensors = add_tensors(graph_, network_, plan_, Pass::Forward);
  Relayout relayout(graph_, program);
  load_values(tensors, graph_, network_, plan_, layers, relayout, program);
  program.add(Copy(sequence.reinterpret(UNSIGNED_INT), tensors.sequence));
  const ComputeSet import_set = graph_.addComputeSet("forward/import_spikes");
  for (std::size_t r = 0; r < plan_.replicas.size(); ++r)
    add_import(graph_, import_set, network_, plan_.replicas[r], tensors.replicas[r].input, input);
  program.add(Execute(import_set));
  program.add(build_forward(graph_, network_, plan_, tensors, Sequence()).program);
  ForwardPass result;
  if (spikes(network_, network_.layers.size() - 1))
    add_spikes(graph_, network_, plan_, tensors, result, program);
  else
    add_readout(graph_, network_, tensors, result, program);
  for (const SavedTensor& saved : saved_tensors(network_, plan_.checkpoint_interval))
    result.saved.push_back(view_of(tensors, saved));
  for (std::size_t l = 0; l < network_.layers.size(); ++l)
    if (spikes(network_, l))
      result.drops.push_back(whole_batch(tensors, 1, [&](const ReplicaTensors& replica) {
        return time_major(replica.layers[l].drop_history);
      }));
  return result;
}

BackwardPass Passes::backward(const std::vector<Tensor>& saved, const Tensor& out_grad,
                              const std::vector<LayerValues>& layers, Sequence& program) {
  NetworkTensors tensors = add_tensors(graph_, network_, plan_, Pass::Backward);
  Relayout relayout(graph_, program);
  load_values(tensors, graph_, network_, plan_, layers, relayout, program);
  const std::vector<SavedTensor> kinds = saved_tensors(network_, plan_.checkpoint_interval);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    load_saved(tensors, network_, plan_, kinds[i], saved[i], relayout);
  program.add(load_out_grad(network_, tensors, out_grad));
  // Where forward ended.
  const std::size_t interval = plan_.checkpoints(network_.steps);
  program.add(set_counter(graph_, tensors.interval, int(interval)));
  program.add(set_counter(graph_, tensors.first_step, int(interval * plan_.checkpoint_interval)));
  program.add(build_backward(
      graph_, network_, plan_, tensors,
      interval > 0 ? build_neurons(graph_, network_, plan_, tensors) : std::vector<Sequence>(),
      Sequence()));
  program.add(build_gradient_sums(graph_, network_, plan_, tensors));
  BackwardPass result;
  for (std::size_t l = 0; l < network_.layers.size(); ++l) {
    const LayerTensors& t = tensors.replicas[0].layers[l];
    result.layers.emplace_back();
    LayerValues& gradients = result.layers.back();
    for (std::size_t source = 0; source < t.weights.size(); ++source)
      gradients.weights.push_back(summed_gradient(tensors, l, source));
    gradients.bias = summed_gradient(tensors, l, t.weights.size());
    if (!t.parameter_grad.on.empty()) gradients.parameters = t.parameter_grad.rows_by_neurons();
    if (!t.delays.tap_grad.on.empty()) gradients.taps = t.delays.tap_grad.rows_by_neurons();
    for (std::size_t source = 0; source < t.weights.size(); ++source)
      gradients.delay_steps.push_back(
          delay_steps_grad(graph_, network_, tensors, l, source, program));
  }
  if (network_.input_gradient)
    result.input = whole_batch(tensors, 1, [&](const ReplicaTensors& replica) {
      return time_major(replica.input_grad).slice(0, network_.input_capacity, 2);
    });
  return result;
}

}  // namespace popsnn
