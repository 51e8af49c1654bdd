#include "forward.hpp"

#include <algorithm>
#include <string>

#include <popops/Zero.hpp>
#include <poputil/VertexTemplates.hpp>

#include "build/code/code_counter.hpp"
#include "build/lists/forward_lists.hpp"
#include "plan/buckets.hpp"
#include "plan/masks.hpp"
#include "sizes.hpp"
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

// Adds one replica's vertices to the compute sets of a time step.
class ForwardBuilder : public ForwardLists {
 public:
  using ForwardLists::ForwardLists;

  // Parameters that an optimizer learns, clamped, to the neurons.
  void add_learnt(ComputeSet compute_set) {
    for (std::size_t l = 0; l < network_.layers.size(); ++l)
      for (const Learnt& learnt : tensors_.layers[l].learnt)
        for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile)
          add_vertex(graph_, compute_set, "popsnn::ClampParameters", tile_of(l, tile),
                     {{"learnt", learnt.value.on[tile]},
                      {"parameter", tensors_.layers[l].parameters.on[tile][learnt.row]}},
                     {{"size", neurons_of(l, tile)},
                      {"lowest", learnt.lowest},
                      {"highest", learnt.highest}});
  }

  // The lists and windows that precede the first time step.
  void add_first_fetch(ComputeSet compute_set) {
    add_fetch_input(compute_set);
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      if (!spikes(l)) continue;
      const LayerTensors& t = tensors_.layers[l];
      add_fetch_lists(graph_, compute_set, where_.lists[l], t.lists, shared_.list_step, 0);
      add_fetch(graph_, compute_set, where_.lists[l], t.window_history, shared_.list_step, t.window,
                0);
    }
  }

  void add_fetch_input(ComputeSet compute_set) {
    const int offset = 1 - int(network_.layers[0].delay);  // the next time step's input
    add_fetch_lists(graph_, compute_set, where_.input, tensors_.input, shared_.list_step, offset);
  }

  // The stage's dendritic delays: products of the current lists to their rings; returns whether
  // there are any.
  bool add_delays(ComputeSet compute_set, unsigned stage, unsigned bucket) {
    bool any = false;
    for (std::size_t l : layers_of(stage)) {
      if (!network_.layers[l].has_ring()) continue;
      add_delays_of(compute_set, l, bucket);
      any = true;
    }
    return any;
  }

  // The stage's neurons step from the current lists.
  void add_neurons(ComputeSet compute_set, unsigned stage, unsigned bucket) {
    for (std::size_t l : layers_of(stage)) {
      if (network_.layers[l].kind == LayerKind::LeakyReadout)
        add_readout_step(compute_set, l, bucket);
      else
        add_neuron_step(compute_set, l, bucket);
    }
  }

  // Saves the states before a checkpoint interval, unless they are streamed, and copies those after
  // it to where the next interval begins.
  void add_checkpoint(ComputeSet compute_set, Sequence& next_interval, bool streamed) {
    std::vector<Tensor> from, to;
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      const LayerTensors& t = tensors_.layers[l];
      const auto save = [&](std::size_t tile, const Tensor& row, const TileShards& rows) {
        if (!streamed)
          add_vertex(graph_, compute_set, "popsnn::SaveRow", tile_of(l, tile),
                     {{"row", row}, {"rows", rows.on[tile]}, {"at", shared_.interval}},
                     {{"size", row.numElements()}});
      };
      if (network_.layers[l].has_ring())  // a ring goes on by itself
        for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile)
          save(tile, t.delays.ring.on[tile], t.delays.checkpoints);
      if (!spikes(l)) continue;
      for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile) {
        const Tensor& states = t.states.on[tile];
        const Tensor first = states.slice(0, state_row(l));
        save(tile, first, t.checkpoints);
        from.push_back(states.slice(states.dim(0) - state_row(l), states.dim(0)).flatten());
        to.push_back(first.flatten());
      }
    }
    next_interval.add(Copy(poplar::concat(from), poplar::concat(to)));
  }

  // Variables to zero that precede the first time step, unless they are inputs: no neuron has
  // fired, states are at rest.
  void collect_rest(std::vector<Tensor>& lists, std::vector<Tensor>& states) {
    if (!network_.carries_state) lists.push_back(first(tensors_.input.counts_history));
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      const LayerTensors& t = tensors_.layers[l];
      if (spikes(l) && !takes_spikes(l)) lists.push_back(first(t.window_history));
      if (network_.layers[l].has_ring()) collect_ring(l, states);
      for (const Arrivals& arrivals : t.arrivals) {
        if (!arrivals.bits.valid()) continue;
        lists.push_back(arrivals.bits.flatten());
        lists.push_back(arrivals.sizes.flatten());
        lists.push_back(arrivals.lists.counts.flatten());
        lists.push_back(arrivals.at_once_counts.flatten());
        lists.push_back(first(arrivals.lists.counts_history));
      }
      if (network_.carries_state) continue;
      if (spikes(l)) lists.push_back(first(t.lists.counts_history));
      for (const Tensor& shard : t.states.on)
        states.push_back(shard.slice(0, state_row(l)).flatten());
    }
  }

  // Spikes of the time step before the first are states of a neuron with an adjoint: its window
  // keeps all of them. Of another neuron the host has done the reset, and no neuron has fired.
  void add_full_windows(Copies& copies) {
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      if (!takes_spikes(l)) continue;
      std::vector<unsigned> full(where_.batch() * kWindowSize);
      for (std::size_t entry = 0; entry < full.size(); ++entry)
        full[entry] = entry % kWindowSize == kBegin ? 0 : unsigned(network_.layers[l].neurons);
      const Tensor constant = graph_.addConstant(poplar::UNSIGNED_INT, {full.size()}, full.data(),
                                                 "layer" + std::to_string(l) + "/full_window");
      graph_.setTileMapping(constant, unsigned(where_.lists[l].ranges.front().tile));
      copies.from.push_back(constant);
      copies.to.push_back(first(tensors_.layers[l].window_history));
    }
  }

 private:
  // A ring's rows that no state fills.
  void collect_ring(std::size_t l, std::vector<Tensor>& states) {
    const std::size_t filled = network_.carries_state ? network_.layers[l].ring_slots() - 1 : 0;
    for (const Tensor& shard : tensors_.layers[l].delays.ring.on)
      states.push_back(shard.slice(filled * where_.batch(), shard.dim(0)).flatten());
  }

  static Tensor first(const Tensor& history) { return history.slice(0, 1, 1).flatten(); }
  bool takes_spikes(std::size_t l) const {
    return network_.carries_state && network_.layers[l].has_adjoint();
  }

  // What a tile's neurons sum, by source: lists, and the rows that their entries name.
  struct Sources {
    Rows ids = {"ids", {}}, counts = {"counts", {}}, weights = {"weights", {}};
    std::vector<unsigned> capacities, earlier;  // rooms of `forward_ids`, of its first part
  };

  Sources sources_of(std::size_t l, std::size_t tile, unsigned bucket) const {
    Sources sources;
    const LayerTensors& t = tensors_.layers[l];
    for (std::size_t source = 0; source < network_.layers[l].sources(); ++source) {
      sources.ids.tensors.push_back(forward_ids(l, source, bucket));
      sources.counts.tensors.push_back(forward_counts(l, source));
      sources.weights.tensors.push_back(t.weights[source].value.on[tile]);
      sources.capacities.push_back(unsigned(where_.forward_capacity(l, source, bucket)));
      const bool late = where_.late(l, source);
      sources.earlier.push_back(late ? unsigned(where_.earlier_room(l, source, bucket)) : 0);
    }
    return sources;
  }

  // Delayed currents are one source, of which a sample sums its own row.
  Sources sources_of_step(std::size_t l, std::size_t tile, unsigned bucket) const {
    if (!network_.layers[l].has_ring()) return sources_of(l, tile, bucket);
    const DelayTensors& t = tensors_.layers[l].delays;
    Sources sources;
    sources.ids.tensors.push_back(t.ids);
    sources.counts.tensors.push_back(t.counts);
    sources.weights.tensors.push_back(t.current.on[tile]);
    sources.capacities.push_back(1);
    return sources;
  }

  void add_delays_of(ComputeSet compute_set, std::size_t l, unsigned bucket) {
    const LayerSpec& layer = network_.layers[l];
    const LayerTensors& t = tensors_.layers[l];
    const std::string type =
        poputil::templateVertex("popsnn::DelayCurrents", id_type_, t.weight_type());
    std::vector<unsigned> tap_rows;
    for (std::size_t source = 0; source < layer.sources(); ++source)
      tap_rows.push_back(layer.tap_rows(source));
    for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile) {
      const Sources sources = sources_of(l, tile, bucket);
      add_vertex(graph_, compute_set, type, tile_of(l, tile),
                 {{"row", shared_.row},
                  {"first_step", shared_.first_step},
                  {"ring", t.delays.ring.on[tile]},
                  {"current", t.delays.current.on[tile]}},
                 {{"padded_capacity", sources.capacities},
                  {"earlier", sources.earlier},
                  {"tap_rows", tap_rows},
                  {"batch", where_.batch()},
                  {"neurons", neurons_of(l, tile)},
                  {"slots", layer.ring_slots()},
                  {"learnt", layer.learnt_delays},
                  {"synaptic", layer.synaptic}},
                 {sources.ids, sources.counts, sources.weights,
                  by_source("products", t.delays.products, tile),
                  by_source("synapses", t.delays.synapses, tile, poplar::UNSIGNED_SHORT),
                  taps_of(l, tile)});
    }
  }

  void add_readout_step(ComputeSet compute_set, std::size_t l, unsigned bucket) {
    const LayerSpec& layer = network_.layers[l];
    const LayerTensors& t = tensors_.layers[l];
    const Reads reads = layer.reads();
    const std::string type =
        reads == Reads::Ahead
            ? poputil::templateVertex("popsnn::LiStepAhead", id_type_)
            : poputil::templateVertex(
                  reads == Reads::Arrivals ? "popsnn::LiStepLate" : "popsnn::LiStep", id_type_,
                  t.step_weight_type());
    for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile) {
      const Sources source = sources_of_step(l, tile, bucket);
      std::vector<Edge> edges = {{"row", shared_.row},
                                 {"first_step", shared_.first_step},
                                 {"bias", t.bias.value.on[tile]},
                                 {"parameters", t.parameters.on[tile]},
                                 {"states", states_of_step(l, tile)}};
      std::vector<State> state = {
          {"batch", where_.batch()}, {"neurons", neurons_of(l, tile)}, {"gain", layer.gain}};
      if (reads == Reads::Ahead) {
        add_source_ahead(l, tile, source, edges, state);
      } else {
        edges.push_back({"ids", source.ids.tensors[0]});
        edges.push_back({"counts", source.counts.tensors[0]});
        edges.push_back({"weights", source.weights.tensors[0]});
        state.push_back({"padded_capacity", source.capacities[0]});
      }
      if (reads == Reads::Arrivals) state.push_back({"earlier", source.earlier[0]});
      add_vertex(graph_, compute_set, type, tile_of(l, tile), edges, state);
    }
  }

  // The rows of the states that a step writes.
  const Tensor& states_of_step(std::size_t l, std::size_t tile) const {
    const LayerTensors& t = tensors_.layers[l];
    return network_.layers[l].rows_ahead > 0 ? t.states_ahead.on[tile] : t.states.on[tile];
  }

  void add_neuron_step(ComputeSet compute_set, std::size_t l, unsigned bucket) {
    const LayerSpec& layer = network_.layers[l];
    const LayerPlan& where = where_.layers[l];
    const LayerTensors& t = tensors_.layers[l];
    const MaskLayout layout = mask_layout(where, where_.batch());
    const std::string type =
        layer.model.step_vertex(layer.reads(), id_type_.toString(), layer.step_weight_type());
    for (std::size_t tile = 0; tile < where.tiles; ++tile) {
      const Sources sources = sources_of_step(l, tile, bucket);
      const Range neurons = where.neurons(tile, layer);
      std::vector<Edge> edges = {{"window", t.window},
                                 {"row", shared_.row},
                                 {"bias", t.bias.value.on[tile]},
                                 {"parameters", t.parameters.on[tile]},
                                 {"states", states_of_step(l, tile)},
                                 {"masks", t.masks[tile]}};
      std::vector<State> state = {{"batch", where_.batch()},
                                  {"neurons", neurons.size()},
                                  {"first_neuron", neurons.begin},
                                  {"layer_size", layer.neurons},
                                  {"bits", layout.bits},
                                  {"words", layout.words},
                                  {"samples_per_row", layout.samples_per_row},
                                  {"reset", unsigned(layer.reset)},
                                  {"gain", layer.gain}};
      std::vector<Rows> rows;
      if (layer.rows_ahead > 0) {
        add_source_ahead(l, tile, sources, edges, state);
      } else {
        state.push_back({"padded_capacity", capacities_of_step(l, sources)});
        rows = {sources.ids, sources.counts, sources.weights};
      }
      add_vertex(graph_, compute_set, type, where.first_tile + tile, edges, state, rows);
    }
  }

  std::vector<unsigned> capacities_of_step(std::size_t l, const Sources& sources) const {
    std::vector<unsigned> capacities;
    for (std::size_t source = 0; source < sources.capacities.size(); ++source) {
      capacities.push_back(sources.capacities[source]);
      if (network_.layers[l].steps_late()) capacities.push_back(sources.earlier[source]);
    }
    return capacities;
  }

  // The one source of a vertex that adds products to rows ahead.
  void add_source_ahead(std::size_t l, std::size_t tile, const Sources& sources,
                        std::vector<Edge>& edges, std::vector<State>& state) const {
    edges.push_back({"ids", sources.ids.tensors[0]});
    edges.push_back({"counts", sources.counts.tensors[0]});
    edges.push_back({"delays", tensors_.layers[l].delays_ahead[tile]});
    edges.push_back({"weights", sources.weights.tensors[0]});
    state.push_back({"padded_capacity", sources.capacities[0]});
    state.push_back({"longest_delay", network_.layers[l].rows_ahead});
  }
};

std::string stage_name(unsigned stage) { return "forward/stage" + std::to_string(stage); }

std::vector<ForwardBuilder> builders(Graph& graph, const NetworkSpec& network, const Plan& plan,
                                     const NetworkTensors& tensors) {
  std::vector<ForwardBuilder> replicas;
  for (std::size_t r = 0; r < plan.replicas.size(); ++r)
    replicas.emplace_back(graph, network, plan, tensors, r);
  return replicas;
}

// The stage's neurons step; the first stage also counts the time step. `again`: in a backward pass,
// which has the spikes that arrive late.
Sequence add_step(Graph& graph, std::vector<ForwardBuilder>& replicas,
                  const NetworkTensors& tensors, unsigned stage, unsigned bucket, bool again) {
  Sequence step;
  ComputeSet delays = graph.addComputeSet(sized_name(stage_name(stage) + "/delays", bucket));
  bool delayed = false;
  for (ForwardBuilder& replica : replicas) delayed = replica.add_delays(delays, stage, bucket);
  if (delayed) step.add(Execute(delays));
  ComputeSet neurons = graph.addComputeSet(sized_name(stage_name(stage) + "/step", bucket));
  for (ForwardBuilder& replica : replicas) {
    replica.add_neurons(neurons, stage, bucket);
    if (!again) replica.add_puts(neurons, stage, -1);
  }
  if (stage == 0) add_count(graph, neurons, tensors.list_step, 1);
  step.add(Execute(neurons));
  return step;
}

}  // namespace

std::vector<Sequence> build_neurons(Graph& graph, const NetworkSpec& network, const Plan& plan,
                                    const NetworkTensors& tensors) {
  std::vector<ForwardBuilder> replicas = builders(graph, network, plan, tensors);
  std::vector<Sequence> neurons;
  for (unsigned stage = 0; stage < plan.stages; ++stage)
    neurons.push_back(add_step(graph, replicas, tensors, stage, 0, true));
  return neurons;
}

ForwardPrograms build_forward(Graph& graph, const NetworkSpec& network, const Plan& plan,
                              const NetworkTensors& tensors, const Sequence& interval_end) {
  std::vector<ForwardBuilder> replicas = builders(graph, network, plan, tensors);

  ComputeSet first_fetch = graph.addComputeSet("forward/first_fetch");
  for (ForwardBuilder& replica : replicas) {
    replica.add_first_fetch(first_fetch);
    replica.add_learnt(first_fetch);
  }

  ForwardPrograms result;
  ForwardSizes sizes(graph, network, plan, tensors);
  const bool late = reads_late(network);
  Sequence step;
  for (unsigned stage = 0; stage < plan.stages; ++stage) {
    const std::string name = stage_name(stage);
    std::vector<Sequence> of_size;
    for (unsigned bucket = 0; bucket < sizes.of(stage); ++bucket) {
      of_size.push_back(add_step(graph, replicas, tensors, stage, bucket, false));
      if (bucket == 0 && !late) result.neurons.push_back(of_size.back());
    }
    step.add(sizes.by_size(stage, of_size));
    ComputeSet scan = graph.addComputeSet(name + "/scan");
    ComputeSet lists = graph.addComputeSet(name + "/lists");
    bool spikes = false;
    for (ForwardBuilder& replica : replicas) {
      spikes = replica.add_lists(scan, lists, stage);
      replica.add_takes(lists, stage);
    }
    if (stage + 1 == plan.stages) {
      for (ForwardBuilder& replica : replicas) replica.add_fetch_input(lists);
      add_count(graph, lists, tensors.row, 1);
    }
    sizes.add_early(scan, lists, stage);
    if (spikes) step.add(Execute(scan));
    step.add(Execute(lists));
  }
  if (late && plan.checkpoints(network.steps) > 0)
    result.neurons = build_neurons(graph, network, plan, tensors);

  std::vector<Tensor> lists, states;
  Copies full_windows;
  for (ForwardBuilder& replica : replicas) {
    replica.collect_rest(lists, states);
    replica.add_full_windows(full_windows);
  }
  Sequence& forward = result.program;
  for (const std::vector<Tensor>& rest : {lists, states})
    if (!rest.empty()) popops::zero(graph, poplar::concat(rest), forward, "forward/rest");
  add_copies(forward, full_windows);
  forward.add(set_counter(graph, tensors.list_step, -1));
  forward.add(set_counter(graph, tensors.row, 0));
  forward.add(set_counter(graph, tensors.first_step, 0));
  forward.add(set_counter(graph, tensors.interval, 0));
  forward.add(sizes.first());
  forward.add(Execute(first_fetch));
  const std::size_t checkpoints = plan.checkpoints(network.steps);
  if (checkpoints > 0) {
    ComputeSet checkpoint = graph.addComputeSet("forward/checkpoint");
    ComputeSet next = graph.addComputeSet("forward/next_interval");
    Sequence next_interval;
    for (ForwardBuilder& replica : replicas)
      replica.add_checkpoint(checkpoint, next_interval, plan.streamed);
    add_count(graph, next, tensors.interval, 1);
    add_count(graph, next, tensors.first_step, int(plan.checkpoint_interval));
    add_count(graph, next, tensors.row, -int(plan.checkpoint_interval));
    next_interval.add(Execute(next));
    Sequence interval;
    if (plan.streamed)
      interval.add(Copy(states_before(network, plan, tensors), tensors.streamed,
                        tensors.interval.reinterpret(poplar::UNSIGNED_INT)));
    else
      interval.add(Execute(checkpoint));
    interval.add(Repeat(unsigned(plan.checkpoint_interval), step));
    interval.add(interval_end);
    interval.add(next_interval);
    forward.add(Repeat(unsigned(checkpoints), interval));
  }
  forward.add(Repeat(unsigned(network.steps - checkpoints * plan.checkpoint_interval), step));
  if (late) {  // the last time step's spikes, and the lengths of its list
    ComputeSet put = graph.addComputeSet("forward/last_put");
    ComputeSet record = graph.addComputeSet("forward/last_record");
    for (ForwardBuilder& replica : replicas)
      for (unsigned stage = 0; stage < plan.stages; ++stage) {
        replica.add_puts(put, stage, -1);
        replica.add_puts(record, stage, 0);
      }
    forward.add(Execute(put));
    forward.add(Execute(record));
  }
  return result;
}

void count_forward_code(CodeCounter& code, const ReplicaPlan& replica, std::size_t l) {
  const LayerSpec& layer = code.network().layers[l];
  const LayerPlan& where = replica.layers[l];
  const bool spikes = code.spikes(l);
  for (std::size_t tile = where.first_tile; tile < where.first_tile + where.tiles; ++tile) {
    code.add(tile, {spikes ? code.step_vertex(layer)
                    : layer.rows_ahead > 0
                        ? code.by_id("LiStepAhead")
                        : code.by_id_and_weight(layer.steps_late() ? "LiStepLate" : "LiStep",
                                                layer.step_weight_type())});
    if (code.saves(l)) code.add(tile, {"popsnn::SaveRow"});
    if (layer.has_ring())
      code.add(tile, {code.by_id_and_weight("DelayCurrents", layer.weight_type())});
    if (code.optimizes() && layer.learnt != 0) code.add(tile, {"popsnn::ClampParameters"});
  }
  if (spikes) count_forward_list_code(code, replica, l);
}

}  // namespace popsnn
