#include "backward.hpp"

#include <algorithm>
#include <string>

#include <popops/Zero.hpp>
#include <poputil/VertexTemplates.hpp>

#include "copies.hpp"
#include "cost.hpp"
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

// A layer that reads a list, and as which of its sources.
struct Reader {
  std::size_t layer, source;
};

// Adds one replica's vertices to the compute sets of a step back.
class BackwardBuilder : public ReplicaBuilder {
 public:
  BackwardBuilder(Graph& graph, const NetworkSpec& network, const Plan& plan,
                  const NetworkTensors& tensors, std::size_t replica)
      : ReplicaBuilder(graph, network, plan, tensors, replica), sums_(network.layers.size()) {
    for (std::size_t l = 0; l < network_.layers.size(); ++l)
      sums_[l].resize(network_.layers[l].sources());
  }

  // What the last step of a segment needs of the past.
  void add_fetches(ComputeSet compute_set) {
    for (std::size_t list = 0; list < lists(); ++list) {
      add_list_fetch(compute_set, list);
      if (list > 0) add_window_fetch(compute_set, list - 1);
    }
  }

  // What the last step needs of the loss.
  void add_last_slot_grads(ComputeSet compute_set) {
    for (std::size_t list = 1; list < lists(); ++list)
      if (layer_of(list).observed) add_scatter(compute_set, list, {}, true);
  }

  // The states before a segment are taken from their checkpoint.
  void add_restore(ComputeSet compute_set) {
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      const LayerTensors& t = tensors_.layers[l];
      if (!spikes(l)) continue;
      for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile) {
        const Tensor first = t.states.on[tile].slice(0, state_row(l));
        add_vertex(graph_, compute_set, "popsnn::TakeRow", tile_of(l, tile),
                   {{"rows", t.checkpoints.on[tile]}, {"row", first}, {"at", shared_.segment}},
                   {{"size", first.numElements()}});
      }
    }
  }

  // What the stage's neurons need to step forward again, whose step is list_step + offset.
  void add_replay_fetches(ComputeSet compute_set, unsigned stage, int offset) {
    for (std::size_t list = 0; list < lists(); ++list)
      for (const Reader& reader : readers_of(list)) {
        if (stage_of(reader.layer) != stage) continue;
        add_fetch_lists(graph_, compute_set, plan_of(list), lists_of(list), shared_.list_step,
                        offset - delay_of(reader));
        break;  // readers of one stage read the list of one step
      }
    for (std::size_t l : layers_of(stage))
      if (spikes(l))
        add_fetch(graph_, compute_set, where_.lists[l], tensors_.layers[l].window_history,
                  shared_.list_step, tensors_.layers[l].window, offset - 1);
  }

  // dL/d(states) and dL/dI of the stage's layers at this step.
  void add_neurons(ComputeSet compute_set, unsigned stage) {
    for (std::size_t l : layers_of(stage)) {
      if (network_.layers[l].kind == LayerKind::LeakyReadout)
        add_readout_step(compute_set, l);
      else
        add_neuron_step(compute_set, l);
    }
  }

  void add_final_grad(ComputeSet compute_set, unsigned stage) {
    for (std::size_t l : layers_of(stage)) {
      const LayerSpec& layer = network_.layers[l];
      const LayerTensors& t = tensors_.layers[l];
      for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile)
        add_vertex(graph_, compute_set, "popsnn::AddFinalGrad", tile_of(l, tile),
                   {{"final_grad", t.final_grad.on[tile]},
                    {"state_grad", t.state_grad.on[tile]},
                    {"current_grad", t.current_grad.on[tile]}},
                   {{"batch", where_.batch()},
                    {"states", layer.states()},
                    {"neurons", neurons_of(l, tile)},
                    {"gain", layer.gain}});
    }
  }

  // The two sparse products of a step: weight gradients, and the shares of the spikes' gradients.
  // Meanwhile the rows dL/ds that the neurons have read are cleared.
  void add_products(ComputeSet compute_set, unsigned stage, unsigned halvings) {
    for (std::size_t l : layers_of(stage)) {
      for (std::size_t source = 0; source < network_.layers[l].sources(); ++source)
        for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile)
          add_tile_products(compute_set, l, source, tile, halvings);
      if (spikes(l)) add_clear(compute_set, l);
    }
  }

  // Returns whether there was anything to reduce.
  bool add_reduction(ComputeSet compute_set, unsigned stage, unsigned halvings) {
    const std::vector<Reduction> all = reductions(network_, where_, stage, halvings);
    for (const Reduction& one : all) reduce(compute_set, one, halvings);
    return !all.empty();
  }

  // The sums reach the rows dL/ds of the layers below, and the step before this one finds its
  // lists.
  void add_lists(ComputeSet compute_set, unsigned stage) {
    for (std::size_t list = 0; list < lists(); ++list) {
      const std::vector<Reader> readers = readers_of(list);
      std::vector<Reader> here;
      for (const Reader& reader : readers)
        if (stage_of(reader.layer) == stage) here.push_back(reader);
      const bool at_home = list > 0 && stage_of(list - 1) == stage;
      if (at_home) add_window_fetch(compute_set, list - 1);
      if (list == 0) {
        if (network_.input_gradient && !here.empty()) add_input_grad(compute_set);
      } else {
        const bool observed = at_home && layer_of(list).observed;
        if (observed || !here.empty()) add_scatter(compute_set, list, here, observed);
      }
      // Whoever reads a list first going back is the last of its readers in a step.
      if (!readers.empty() && stage_of(readers.back().layer) == stage)
        add_list_fetch(compute_set, list);
    }
  }

  // What is zero before the first step back.
  void collect_gradients(std::vector<Tensor>& zero) {
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      const LayerTensors& t = tensors_.layers[l];
      for (const Parameter& weights : t.weights) zero.push_back(weights.grad.flat);
      zero.push_back(t.bias.grad.flat);
      zero.push_back(t.state_grad.flat);
      if (network_.layers[l].learns) zero.push_back(t.parameter_grad_samples.flat);
      if (spikes(l)) zero.push_back(t.spike_grad.flatten());
    }
    if (network_.input_gradient) zero.push_back(tensors_.input_grad.flatten());
  }

  // Weights go to where shares of gradients are worked out apart from the neurons.
  void collect_copies(Pieces& copies) {
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      if (!where_.layers[l].shares_apart(0)) continue;
      copies.from.push_back(tensors_.layers[l].weights[0].value.flat);
      copies.to.push_back(tensors_.layers[l].share_weights.flat);
    }
  }

  // The samples' gradients of what layers learn of their neurons become one.
  void add_parameter_sums(ComputeSet compute_set) {
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      if (!network_.layers[l].learns) continue;
      const LayerTensors& t = tensors_.layers[l];
      for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile)
        add_vertex(
            graph_, compute_set, "popsnn::SumSamples", tile_of(l, tile),
            {{"rows", t.parameter_grad_samples.on[tile]}, {"sum", t.parameter_grad.on[tile]}},
            {{"batch", where_.batch()},
             {"size", network_.layers[l].learnable() * neurons_of(l, tile)}});
    }
  }

 private:
  // Lists by number: the input's, then one a layer.
  std::size_t lists() const {
    return network_.layers.size() + (network_.layers.back().kind == LayerKind::SparseLif ? 1 : 0);
  }
  const LayerSpec& layer_of(std::size_t list) const { return network_.layers[list - 1]; }
  const ListPlan& plan_of(std::size_t list) const {
    return list == 0 ? where_.input : where_.lists[list - 1];
  }
  const SpikeLists& lists_of(std::size_t list) const {
    return list == 0 ? tensors_.input : tensors_.layers[list - 1].lists;
  }
  std::size_t list_size(std::size_t list) const {
    return list == 0 ? network_.layers[0].inputs : layer_of(list).neurons;
  }

  std::vector<std::size_t> layers_of(unsigned stage) const {
    std::vector<std::size_t> layers;
    for (std::size_t l = 0; l < network_.layers.size(); ++l)
      if (stage_of(l) == stage) layers.push_back(l);
    return layers;
  }

  // Who reads a list, the last of them in a step last.
  std::vector<Reader> readers_of(std::size_t list) const {
    std::vector<Reader> readers;
    if (list > 0 && layer_of(list).recurrent) readers.push_back({list - 1, 1});
    if (list < network_.layers.size()) readers.push_back({list, 0});
    return readers;
  }

  // Steps between a list and its reader.
  int delay_of(const Reader& reader) const {
    return reader.source > 0 ? 1 : int(network_.layers[reader.layer].delay);
  }

  void add_readout_step(ComputeSet compute_set, std::size_t l) {
    const LayerTensors& t = tensors_.layers[l];
    for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile)
      add_vertex(graph_, compute_set, "popsnn::LiStepGrad", tile_of(l, tile),
                 {{"output_grad", t.output_grad.on[tile]},
                  {"row", shared_.row},
                  {"first_step", shared_.first_step},
                  {"states", t.states.on[tile]},
                  {"parameters", t.parameters.on[tile]},
                  {"state_grad", t.state_grad.on[tile]},
                  {"current_grad", t.current_grad.on[tile]}},
                 {{"batch", where_.batch()},
                  {"neurons", neurons_of(l, tile)},
                  {"gain", network_.layers[l].gain}},
                 {parameter_grad(l, tile)});
  }

  void add_neuron_step(ComputeSet compute_set, std::size_t l) {
    const LayerSpec& layer = network_.layers[l];
    const LayerTensors& t = tensors_.layers[l];
    for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile) {
      const Range neurons = where_.layers[l].neurons(tile, layer);
      add_vertex(graph_, compute_set, layer.model.grad_vertex(), tile_of(l, tile),
                 {{"spike_grad", t.spike_grad.slice(neurons.begin, neurons.end, 1)},
                  {"window", t.window},
                  {"row", shared_.row},
                  {"states", t.states.on[tile]},
                  {"parameters", t.parameters.on[tile]},
                  {"state_grad", t.state_grad.on[tile]},
                  {"current_grad", t.current_grad.on[tile]}},
                 {{"batch", where_.batch()},
                  {"neurons", neurons.size()},
                  {"first_neuron", neurons.begin},
                  {"layer_size", layer.neurons},
                  {"reset", unsigned(layer.reset)},
                  {"detach_reset", unsigned(layer.detach_reset)},
                  {"surrogate", unsigned(layer.surrogate)},
                  {"surrogate_parameter", layer.surrogate_parameter},
                  {"gain", layer.gain}},
                 {parameter_grad(l, tile)});
    }
  }

  Rows parameter_grad(std::size_t l, std::size_t tile) {
    Rows rows = {"parameter_grad", {}};
    if (network_.layers[l].learns)
      rows.tensors.push_back(tensors_.layers[l].parameter_grad_samples.on[tile]);
    return rows;
  }

  void add_tile_products(ComputeSet compute_set, std::size_t l, std::size_t source,
                         std::size_t tile, unsigned halvings) {
    const LayerTensors& t = tensors_.layers[l];
    const Parameter& weights = t.weights[source];
    const SpikeLists& lists = tensors_.list_of(l, source);
    const std::size_t slots = where_.slots_of(l, source, halvings);
    const std::vector<State> sizes = {
        {"batch", where_.batch()}, {"slots", slots}, {"neurons", neurons_of(l, tile)}};
    Rows bias_grad = {"bias_grad", {}};
    if (source == 0 && network_.layers[l].bias) bias_grad.tensors.push_back(t.bias.grad.on[tile]);
    add_vertex(graph_, compute_set, poputil::templateVertex("popsnn::WeightGrad", id_type_),
               tile_of(l, tile),
               {{"ids", ids_of(l, source, halvings)},
                {"shares", lists.shares},
                {"current_grad", t.current_grad.on[tile]},
                {"weight_grad", weights.grad.on[tile]}},
               sizes, {bias_grad});
    if (!network_.sends_gradient(l, source)) return;
    const LayerPlan& where = where_.layers[l];
    add_vertex(
        graph_, compute_set,
        poputil::templateVertex("popsnn::InputSpikeGrad", id_type_, t.weight_type()),
        where.share_tile(source, tile),
        {{"ids", ids_of(l, source, halvings)},
         {"counts", lists.counts},
         {"weights", (where.shares_apart(source) ? t.share_weights : weights.value).on[tile]},
         {"current_grad", t.current_grad.on[tile]},
         {"partial", t.partials[source][tile].flatten().slice(0, where_.batch() * slots)}},
        sizes);
  }

  // Sums of the tiles' shares, by stretches of slots and ranges of tiles.
  void reduce(ComputeSet compute_set, const Reduction& how, unsigned halvings) {
    const std::size_t l = how.layer, batch = where_.batch();
    const std::size_t slots = where_.slots_of(l, how.source, halvings);
    const std::size_t stretches = how.stretches(slots);
    const Tensor partials = tensors_.layers[l]
                                .partials[how.source]
                                .flatten(1, 3)
                                .slice(0, batch * slots, 1)
                                .reshape({where_.layers[l].tiles, batch, slots});
    const Tensor sums =
        graph_.addVariable(poplar::FLOAT, {how.ranges, batch, slots},
                           "layer" + std::to_string(l) + "/sums" + std::to_string(how.source));
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t s = 0; s < stretches; ++s) {
        const std::size_t tile = how.tile(b * stretches + s);
        const Range stretch = {2 * how.pairs * s, std::min(slots, 2 * how.pairs * (s + 1))};
        for (std::size_t r = 0; r < how.ranges; ++r) {
          const Range range = part_of({0, where_.layers[l].tiles}, r, how.ranges);
          const Tensor sum = sums[r][b].slice(stretch.begin, stretch.end);
          graph_.setTileMapping(sum, unsigned(tile));
          add_vertex(graph_, compute_set, "popsnn::ReducePartials", tile,
                     {{"partials", partials.slice(range.begin, range.end)
                                       .slice(b, b + 1, 1)
                                       .slice(stretch.begin, stretch.end, 2)},
                      {"sums", sum}},
                     {{"tiles", range.size()}, {"slots", stretch.size()}});
        }
      }
    sums_[l][how.source] = sums;
  }

  // The sums of several readers of a list for one range of samples.
  Rows sums_of(const std::vector<Reader>& readers, const Range& samples) {
    Rows rows = {"sums", {}};
    for (const Reader& reader : readers) {
      const Tensor& sums = sums_[reader.layer][reader.source];
      for (std::size_t r = 0; r < sums.dim(0); ++r)
        rows.tensors.push_back(sums[r].slice(samples.begin, samples.end));
    }
    return rows;
  }

  // Readers that meet here all read the list of one step.
  void add_scatter(ComputeSet compute_set, std::size_t list, const std::vector<Reader>& readers,
                   bool observed) {
    const LayerTensors& t = tensors_.layers[list - 1];
    const int offset = readers.empty() ? -1 : -delay_of(readers.front());
    const std::size_t sum_slots = readers.empty()
                                      ? plan_of(list).slots
                                      : sums_[readers.front().layer][readers.front().source].dim(2);
    add_on_list(compute_set, "popsnn::ScatterSpikeGrad", list, [&](const Range& samples) {
      Rows slot_grad = {"slot_grad", {}};
      if (observed) slot_grad.tensors.push_back(t.slot_grad.slice(samples.begin, samples.end));
      return Fields{{"spike_grad", t.spike_grad.slice(samples.begin, samples.end)},
                    {{"size", list_size(list)}, {"offset", offset}, {"sum_slots", sum_slots}},
                    {sums_of(readers, samples), slot_grad}};
    });
  }

  // What a vertex has beside the history of its list.
  struct Fields {
    Edge edge;
    std::vector<State> state;
    std::vector<Rows> rows;
  };

  // A vertex on each tile of a list, over the history of the samples there.
  template <typename FieldsOf>
  void add_on_list(ComputeSet compute_set, const char* name, std::size_t list,
                   const FieldsOf& fields_of) {
    const SpikeLists& lists = lists_of(list);
    const std::string type = poputil::templateVertex(name, id_type_);
    for (const SampleRange& range : plan_of(list).ranges) {
      const std::size_t begin = range.samples.begin, end = range.samples.end;
      const Fields fields = fields_of(range.samples);
      std::vector<State> state = {{"samples", range.samples.size()},
                                  {"steps", network_.steps},
                                  {"slots", plan_of(list).slots}};
      state.insert(state.end(), fields.state.begin(), fields.state.end());
      add_vertex(graph_, compute_set, type, range.tile,
                 {{"ids_history", lists.ids_history.slice(begin, end)},
                  {"counts_history", lists.counts_history.slice(begin, end)},
                  {"step", shared_.list_step},
                  fields.edge},
                 state, fields.rows);
    }
  }

  void add_input_grad(ComputeSet compute_set) {
    for (const SampleRange& range : where_.input.ranges) {
      const std::size_t begin = range.samples.begin, end = range.samples.end;
      add_vertex(graph_, compute_set, "popsnn::KeepInputGrad", range.tile,
                 {{"counts_history", tensors_.input.counts_history.slice(begin, end)},
                  {"step", shared_.list_step},
                  {"input_grad", tensors_.input_grad.slice(begin, end)}},
                 {{"samples", end - begin},
                  {"steps", network_.steps},
                  {"slots", where_.input.slots},
                  {"offset", -int(network_.layers[0].delay)}},
                 {sums_of({{0, 0}}, range.samples)});
    }
  }

  void add_clear(ComputeSet compute_set, std::size_t l) {
    add_on_list(compute_set, "popsnn::ClearSpikeGrad", l + 1, [&](const Range& samples) {
      return Fields{{"spike_grad", tensors_.layers[l].spike_grad.slice(samples.begin, samples.end)},
                    {{"size", network_.layers[l].neurons}},
                    {}};
    });
  }

  void add_window_fetch(ComputeSet compute_set, std::size_t l) {
    const LayerTensors& t = tensors_.layers[l];
    add_fetch(graph_, compute_set, where_.lists[l], t.window_history, shared_.list_step, t.window,
              -1);
  }

  // The list that its readers need when they next step back, and the workers' shares of it.
  void add_list_fetch(ComputeSet compute_set, std::size_t list) {
    const std::vector<Reader> readers = readers_of(list);
    if (readers.empty()) return;
    const int offset = -1 - delay_of(readers.back());
    const SpikeLists& lists = lists_of(list);
    add_fetch_lists(graph_, compute_set, plan_of(list), lists, shared_.list_step, offset);
    add_on_list(compute_set, "popsnn::ListShares", list, [&](const Range& samples) {
      return Fields{{"shares", lists.shares.slice(samples.begin, samples.end)},
                    {{"inputs", list_size(list)}, {"offset", offset}},
                    {}};
    });
  }

  std::vector<std::vector<Tensor>> sums_;  // by layer and source: [ranges, batch, slots]
};

// The compute sets of one stage of a step back.
struct Stage {
  unsigned number = 0;
  ComputeSet neurons, final_grad;
  std::vector<Sequence> after;  // products, their reduction, and lists, by halvings of lists
};

// The states of the segment before the one just gone back through, worked out once more from its
// checkpoint and the lists of its steps; then what its last step needs.
Sequence replay(Graph& graph, const NetworkSpec& network, const Plan& plan,
                const NetworkTensors& tensors, std::vector<BackwardBuilder>& replicas,
                BackwardSizes& sizes, const std::vector<ComputeSet>& forward_neurons) {
  const int steps = int(plan.segment);
  ComputeSet begin = graph.addComputeSet("backward/previous_segment");
  add_count(graph, begin, tensors.segment, -1);
  add_count(graph, begin, tensors.first_step, -steps);
  add_count(graph, begin, tensors.list_step, -steps - 1);  // the step before the segment
  ComputeSet restore = graph.addComputeSet("backward/restore");
  ComputeSet end = graph.addComputeSet("backward/replayed");
  add_count(graph, end, tensors.list_step, 1);  // the step after the segment
  ComputeSet fetch = graph.addComputeSet("backward/fetch");
  for (BackwardBuilder& replica : replicas) {
    if (!plan.streamed) replica.add_restore(restore);
    replica.add_fetches(fetch);
  }
  sizes.add_fetches(fetch);

  Sequence step;
  for (unsigned stage = 0; stage < plan.stages; ++stage) {
    ComputeSet lists = graph.addComputeSet("backward/replay/lists" + std::to_string(stage));
    // The first stage's neurons count list_step on.
    for (BackwardBuilder& replica : replicas)
      replica.add_replay_fetches(lists, stage, stage == 0 ? 1 : 0);
    if (stage == 0) add_count(graph, lists, tensors.row, 1);
    step.add(Execute(lists));
    step.add(Execute(forward_neurons[stage]));
  }

  Sequence program;
  program.add(Execute(begin));
  if (plan.streamed)
    program.add(Copy(tensors.streamed, states_before(network, plan, tensors),
                     tensors.segment.reinterpret(poplar::UNSIGNED_INT)));
  else
    program.add(Execute(restore));
  program.add(Repeat(unsigned(steps), step));
  program.add(Execute(end));
  program.add(Execute(fetch));
  return program;
}

}  // namespace

Sequence build_backward(Graph& graph, const NetworkSpec& network, const Plan& plan,
                        const NetworkTensors& tensors,
                        const std::vector<ComputeSet>& forward_neurons,
                        const Sequence& first_step_end) {
  std::vector<BackwardBuilder> replicas;
  for (std::size_t r = 0; r < plan.replicas.size(); ++r)
    replicas.emplace_back(graph, network, plan, tensors, r);

  ComputeSet fetch = graph.addComputeSet("backward/first_fetch");
  for (BackwardBuilder& replica : replicas) {
    replica.add_fetches(fetch);
    replica.add_last_slot_grads(fetch);
  }
  BackwardSizes sizes(graph, network, plan, tensors);
  sizes.add_fetches(fetch);

  std::vector<Stage> stages;  // the last stage first
  for (unsigned stage = plan.stages; stage-- > 0;) {
    const std::string name = "backward/stage" + std::to_string(stage);
    Stage sets;
    sets.number = stage;
    sets.neurons = graph.addComputeSet(name + "/step");
    if (network.carries_state) sets.final_grad = graph.addComputeSet(name + "/final_grad");
    for (BackwardBuilder& replica : replicas) {
      replica.add_neurons(sets.neurons, stage);
      if (network.carries_state) replica.add_final_grad(sets.final_grad, stage);
    }
    for (unsigned halvings = 0; halvings < sizes.of(stage); ++halvings) {
      ComputeSet products = graph.addComputeSet(sized_name(name + "/products", halvings));
      ComputeSet reduction = graph.addComputeSet(sized_name(name + "/reduce", halvings));
      ComputeSet lists = graph.addComputeSet(sized_name(name + "/lists", halvings));
      bool reduces = false;
      for (BackwardBuilder& replica : replicas) {
        replica.add_products(products, stage, halvings);
        reduces = replica.add_reduction(reduction, stage, halvings);
        replica.add_lists(lists, stage);
      }
      if (stage == 0) {
        add_count(graph, lists, tensors.row, -1);
        sizes.add_fetches(lists);
      }
      Sequence after;
      after.add(Execute(products));
      if (reduces) after.add(Execute(reduction));
      after.add(Execute(lists));
      sets.after.push_back(after);
    }
    stages.push_back(sets);
  }
  add_count(graph, stages.front().neurons, tensors.list_step, -1);

  const auto step_back = [&](bool last_step) {
    Sequence step;
    for (const Stage& stage : stages) {
      step.add(Execute(stage.neurons));
      if (last_step) step.add(Execute(stage.final_grad));
      step.add(sizes.by_size(stage.number, stage.after));
    }
    return step;
  };

  std::vector<Tensor> zero;
  Pieces copies;
  for (BackwardBuilder& replica : replicas) {
    replica.collect_gradients(zero);
    replica.collect_copies(copies);
  }
  const std::size_t checkpoints = plan.checkpoints(network.steps);
  const std::size_t last_steps = network.steps - checkpoints * plan.segment;
  Sequence backward;
  popops::zero(graph, poplar::concat(zero), backward, "backward/zero");
  add_copies(backward, copies);
  backward.add(set_counter(graph, tensors.list_step, int(network.steps)));
  backward.add(set_counter(graph, tensors.row, int(last_steps) - 1));
  backward.add(sizes.find());
  backward.add(Execute(fetch));
  if (network.carries_state) backward.add(step_back(true));
  backward.add(Repeat(unsigned(last_steps) - (network.carries_state ? 1 : 0), step_back(false)));
  if (checkpoints > 0) {
    Sequence segment = replay(graph, network, plan, tensors, replicas, sizes, forward_neurons);
    segment.add(Repeat(unsigned(plan.segment), step_back(false)));
    backward.add(Repeat(unsigned(checkpoints), segment));
  }
  backward.add(first_step_end);
  // Step -1: to the states that come in, and through parameters that move a neuron at rest, such as
  // its resting potential.
  const bool learn = std::any_of(network.layers.begin(), network.layers.end(),
                                 [](const LayerSpec& layer) { return layer.learns; });
  if (network.carries_state || learn)
    for (const Stage& stage : stages) backward.add(Execute(stage.neurons));
  ComputeSet sums = graph.addComputeSet("backward/parameter_sums");
  for (BackwardBuilder& replica : replicas) replica.add_parameter_sums(sums);
  if (learn) backward.add(Execute(sums));
  return backward;
}

}  // namespace popsnn
