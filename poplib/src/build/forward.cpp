#include "forward.hpp"

#include <algorithm>
#include <string>

#include <popops/Zero.hpp>
#include <poputil/VertexTemplates.hpp>

#include "plan/masks.hpp"
#include "replica_builder.hpp"
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

// Adds one replica's vertices to the compute sets of a step.
class ForwardBuilder : public ReplicaBuilder {
 public:
  using ReplicaBuilder::ReplicaBuilder;

  // Neurons step with what has been learnt of them.
  void add_learnt(ComputeSet compute_set) {
    for (std::size_t l = 0; l < network_.layers.size(); ++l)
      for (const Learnt& learnt : tensors_.layers[l].learnt)
        for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile)
          add_vertex(graph_, compute_set, "popsnn::HoldLearnt", tile_of(l, tile),
                     {{"learnt", learnt.value.on[tile]},
                      {"parameter", tensors_.layers[l].parameters.on[tile][learnt.row]}},
                     {{"size", neurons_of(l, tile)}, {"leak", unsigned(learnt.leak)}});
  }

  // The lists and windows of before the first step.
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
    const int offset = 1 - int(network_.layers[0].delay);  // the next step's input
    add_fetch_lists(graph_, compute_set, where_.input, tensors_.input, shared_.list_step, offset);
  }

  // The stage's neurons step from the lists that lie ready.
  void add_neurons(ComputeSet compute_set, unsigned stage, unsigned halvings) {
    for (std::size_t l : layers_of(stage)) {
      if (network_.layers[l].kind == LayerKind::LeakyReadout)
        add_readout_step(compute_set, l, halvings);
      else
        add_neuron_step(compute_set, l, halvings);
    }
  }

  // The masks of the stage's spikes become lists; returns whether there are any.
  bool add_lists(ComputeSet scan, ComputeSet merge, unsigned stage) {
    bool any = false;
    for (std::size_t l : layers_of(stage)) {
      if (!spikes(l)) continue;
      const Segments segments = add_segments(l);
      add_scan(scan, l, segments);
      add_merge(merge, l, segments);
      any = true;
    }
    return any;
  }

  // The states before a segment are kept, unless they are streamed, and those after it become the
  // ones before the next.
  void add_checkpoint(ComputeSet compute_set, Sequence& next_segment, bool streamed) {
    std::vector<Tensor> from, to;
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      const LayerTensors& t = tensors_.layers[l];
      if (!spikes(l)) continue;
      for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile) {
        const Tensor& states = t.states.on[tile];
        const Tensor first = states.slice(0, state_row(l));
        if (!streamed)
          add_vertex(graph_, compute_set, "popsnn::PutRow", tile_of(l, tile),
                     {{"row", first}, {"rows", t.checkpoints.on[tile]}, {"at", shared_.segment}},
                     {{"size", first.numElements()}});
        from.push_back(states.slice(states.dim(0) - state_row(l), states.dim(0)).flatten());
        to.push_back(first.flatten());
      }
    }
    next_segment.add(Copy(poplar::concat(from), poplar::concat(to)));
  }

  // What stands before the first step unless it comes in: nobody has fired, states are at rest.
  // Nobody's reset is due then in any case: states come in after it.
  void collect_rest(std::vector<Tensor>& lists, std::vector<Tensor>& states) {
    const auto first = [](const Tensor& history) { return history.slice(0, 1, 1).flatten(); };
    if (!network_.carries_state) lists.push_back(first(tensors_.input.counts_history));
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      const LayerTensors& t = tensors_.layers[l];
      if (spikes(l)) lists.push_back(first(t.window_history));
      if (network_.carries_state) continue;
      if (spikes(l)) lists.push_back(first(t.lists.counts_history));
      for (const Tensor& piece : t.states.on)
        states.push_back(piece.slice(0, state_row(l)).flatten());
    }
  }

 private:
  // Where the ids of a layer's masks lie between scan and merge.
  struct Segments {
    std::size_t parts = 0, slots = 0;
    Tensor ids, counts;  // [batch, parts, slots], [batch, parts, 2]
    std::size_t tile(const Range& zone, std::size_t part) const {
      return zone.begin + std::min(part / kWorkers, zone.size() - 1);
    }
  };

  Segments add_segments(std::size_t l) {
    Segments segments;
    const ListPlan& list = where_.lists[l];
    const LayerPlan& layer = where_.layers[l];
    const std::size_t batch = where_.batch();
    segments.parts = scan_parts(network_.layers[l], layer, list, batch,
                                id_type_ == poplar::UNSIGNED_SHORT, graph_.getTarget());
    segments.slots = segment_slots(network_.layers[l], layer, segments.parts);
    const std::string name = "layer" + std::to_string(l) + "/segment";
    segments.ids =
        graph_.addVariable(poplar::UNSIGNED_INT, {batch, segments.parts, segments.slots}, name);
    segments.counts = graph_.addVariable(poplar::UNSIGNED_INT, {batch, segments.parts, kMaskParts},
                                         name + "_counts");
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t part = 0; part < segments.parts; ++part) {
        const unsigned tile = unsigned(segments.tile(list.zones[b], part));
        graph_.setTileMapping(segments.ids[b][part], tile);
        graph_.setTileMapping(segments.counts[b][part], tile);
      }
    return segments;
  }

  void add_scan(ComputeSet compute_set, std::size_t l, const Segments& segments) {
    const LayerPlan& layer = where_.layers[l];
    const MaskLayout layout = mask_layout(layer, where_.batch());
    for (std::size_t b = 0; b < where_.batch(); ++b) {
      const Tensor masks = tensors_.layers[l].masks.slice(b / layout.samples_per_row,
                                                          b / layout.samples_per_row + 1, 1);
      for (std::size_t part = 0; part < segments.parts; ++part) {
        const Range tiles = part_of({0, layer.tiles}, part, segments.parts);
        add_vertex(graph_, compute_set, "popsnn::ScanMasks",
                   segments.tile(where_.lists[l].zones[b], part),
                   {{"masks", masks.slice(tiles.begin, tiles.end)},
                    {"segment", segments.ids[b][part]},
                    {"counts", segments.counts[b][part]}},
                   {{"tiles", tiles.size()},
                    {"words", layout.words},
                    {"bits", layout.bits},
                    {"shift", 2 * layout.bits * (b % layout.samples_per_row)},
                    {"first_neuron", tiles.begin * layer.neurons_per_tile},
                    {"neurons_per_tile", layer.neurons_per_tile},
                    {"slots", segments.slots}});
      }
    }
  }

  void add_merge(ComputeSet compute_set, std::size_t l, const Segments& segments) {
    const LayerSpec& layer = network_.layers[l];
    const LayerTensors& t = tensors_.layers[l];
    const std::string type = poputil::templateVertex("popsnn::MergeLists", id_type_);
    for (const SampleRange& range : where_.lists[l].ranges)
      for (std::size_t b = range.samples.begin; b < range.samples.end; ++b)
        add_vertex(graph_, compute_set, type, range.tile,
                   {{"segments", segments.ids[b]},
                    {"segment_counts", segments.counts[b]},
                    {"sequence", shared_.sequence},
                    {"step", shared_.list_step},
                    {"ids", t.lists.ids[b]},
                    {"counts", t.lists.counts[b]},
                    {"window", t.window[b]},
                    {"ids_history", t.lists.ids_history[b]},
                    {"counts_history", t.lists.counts_history[b]},
                    {"window_history", t.window_history[b]},
                    {"drop_history", t.drop_history[b]}},
                   {{"parts", segments.parts},
                    {"segment_slots", segments.slots},
                    {"slots", where_.lists[l].slots},
                    {"capacity", layer.capacity},
                    {"sample", where_.samples.begin + b},
                    {"layer", l},
                    {"layer_size", layer.neurons}});
  }

  void add_readout_step(ComputeSet compute_set, std::size_t l, unsigned halvings) {
    const LayerSpec& layer = network_.layers[l];
    const LayerTensors& t = tensors_.layers[l];
    const SpikeLists& input = tensors_.list_of(l, 0);
    const std::string type = poputil::templateVertex("popsnn::LiStep", id_type_, t.weight_type());
    for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile)
      add_vertex(graph_, compute_set, type, tile_of(l, tile),
                 {{"ids", ids_of(l, 0, halvings)},
                  {"counts", input.counts},
                  {"row", shared_.row},
                  {"first_step", shared_.first_step},
                  {"weights", t.weights[0].value.on[tile]},
                  {"bias", t.bias.value.on[tile]},
                  {"parameters", t.parameters.on[tile]},
                  {"states", t.states.on[tile]}},
                 {{"batch", where_.batch()},
                  {"slots", where_.slots_of(l, 0, halvings)},
                  {"neurons", neurons_of(l, tile)},
                  {"gain", layer.gain}});
  }

  void add_neuron_step(ComputeSet compute_set, std::size_t l, unsigned halvings) {
    const LayerSpec& layer = network_.layers[l];
    const LayerPlan& where = where_.layers[l];
    const LayerTensors& t = tensors_.layers[l];
    const MaskLayout layout = mask_layout(where, where_.batch());
    const std::string type = layer.model.step_vertex(id_type_.toString(), layer.weight_type());
    for (std::size_t tile = 0; tile < where.tiles; ++tile) {
      Rows ids = {"ids", {}}, counts = {"counts", {}}, weights = {"weights", {}};
      std::vector<unsigned> slots;
      for (std::size_t source = 0; source < layer.sources(); ++source) {
        const SpikeLists& lists = tensors_.list_of(l, source);
        ids.tensors.push_back(ids_of(l, source, halvings));
        counts.tensors.push_back(lists.counts);
        weights.tensors.push_back(t.weights[source].value.on[tile]);
        slots.push_back(unsigned(where_.slots_of(l, source, halvings)));
      }
      const Range neurons = where.neurons(tile, layer);
      add_vertex(graph_, compute_set, type, where.first_tile + tile,
                 {{"window", t.window},
                  {"row", shared_.row},
                  {"bias", t.bias.value.on[tile]},
                  {"parameters", t.parameters.on[tile]},
                  {"states", t.states.on[tile]},
                  {"masks", t.masks[tile]}},
                 {{"slots", slots},
                  {"batch", where_.batch()},
                  {"neurons", neurons.size()},
                  {"first_neuron", neurons.begin},
                  {"layer_size", layer.neurons},
                  {"bits", layout.bits},
                  {"words", layout.words},
                  {"samples_per_row", layout.samples_per_row},
                  {"reset", unsigned(layer.reset)},
                  {"gain", layer.gain}},
                 {ids, counts, weights});
    }
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

// The stage's neurons step; those of the first count the step.
ComputeSet add_step(Graph& graph, std::vector<ForwardBuilder>& replicas,
                    const NetworkTensors& tensors, unsigned stage, unsigned halvings) {
  ComputeSet neurons = graph.addComputeSet(sized_name(stage_name(stage) + "/step", halvings));
  for (ForwardBuilder& replica : replicas) replica.add_neurons(neurons, stage, halvings);
  if (stage == 0) add_count(graph, neurons, tensors.list_step, 1);
  return neurons;
}

}  // namespace

std::vector<ComputeSet> build_neurons(Graph& graph, const NetworkSpec& network, const Plan& plan,
                                      const NetworkTensors& tensors) {
  std::vector<ForwardBuilder> replicas = builders(graph, network, plan, tensors);
  std::vector<ComputeSet> neurons;
  for (unsigned stage = 0; stage < plan.stages; ++stage)
    neurons.push_back(add_step(graph, replicas, tensors, stage, 0));
  return neurons;
}

ForwardPrograms build_forward(Graph& graph, const NetworkSpec& network, const Plan& plan,
                              const NetworkTensors& tensors, const Sequence& segment_end) {
  std::vector<ForwardBuilder> replicas = builders(graph, network, plan, tensors);

  ComputeSet first_fetch = graph.addComputeSet("forward/first_fetch");
  for (ForwardBuilder& replica : replicas) {
    replica.add_first_fetch(first_fetch);
    replica.add_learnt(first_fetch);
  }

  ForwardPrograms result;
  ForwardSizes sizes(graph, network, plan, tensors);
  Sequence step;
  for (unsigned stage = 0; stage < plan.stages; ++stage) {
    const std::string name = stage_name(stage);
    std::vector<Sequence> of_size;
    for (unsigned halvings = 0; halvings < sizes.of(stage); ++halvings) {
      const ComputeSet neurons = add_step(graph, replicas, tensors, stage, halvings);
      of_size.emplace_back(Execute(neurons));
      if (halvings == 0) result.neurons.push_back(neurons);
    }
    step.add(sizes.by_size(stage, of_size));
    ComputeSet scan = graph.addComputeSet(name + "/scan");
    ComputeSet lists = graph.addComputeSet(name + "/lists");
    bool spikes = false;
    for (ForwardBuilder& replica : replicas) spikes = replica.add_lists(scan, lists, stage);
    if (stage + 1 == plan.stages) {
      for (ForwardBuilder& replica : replicas) replica.add_fetch_input(lists);
      add_count(graph, lists, tensors.row, 1);
    }
    if (spikes) step.add(Execute(scan));
    step.add(Execute(lists));
  }

  std::vector<Tensor> lists, states;
  for (ForwardBuilder& replica : replicas) replica.collect_rest(lists, states);
  Sequence& forward = result.program;
  for (const std::vector<Tensor>& rest : {lists, states})
    if (!rest.empty()) popops::zero(graph, poplar::concat(rest), forward, "forward/rest");
  forward.add(set_counter(graph, tensors.list_step, -1));
  forward.add(set_counter(graph, tensors.row, 0));
  forward.add(set_counter(graph, tensors.first_step, 0));
  forward.add(set_counter(graph, tensors.segment, 0));
  forward.add(Execute(first_fetch));
  const std::size_t checkpoints = plan.checkpoints(network.steps);
  if (checkpoints > 0) {
    ComputeSet keep = graph.addComputeSet("forward/checkpoint");
    ComputeSet next = graph.addComputeSet("forward/next_segment");
    Sequence next_segment;
    for (ForwardBuilder& replica : replicas)
      replica.add_checkpoint(keep, next_segment, plan.streamed);
    add_count(graph, next, tensors.segment, 1);
    add_count(graph, next, tensors.first_step, int(plan.segment));
    add_count(graph, next, tensors.row, -int(plan.segment));
    next_segment.add(Execute(next));
    Sequence segment;
    if (plan.streamed)
      segment.add(Copy(states_before(network, plan, tensors), tensors.streamed,
                       tensors.segment.reinterpret(poplar::UNSIGNED_INT)));
    else
      segment.add(Execute(keep));
    segment.add(Repeat(unsigned(plan.segment), step));
    segment.add(segment_end);
    segment.add(next_segment);
    forward.add(Repeat(unsigned(checkpoints), segment));
  }
  forward.add(Repeat(unsigned(network.steps - checkpoints * plan.segment), step));
  return result;
}

}  // namespace popsnn
