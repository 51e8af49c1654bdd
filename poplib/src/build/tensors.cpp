#include "tensors.hpp"

#include <string>
#include <utility>

#include "plan/masks.hpp"
#include "plan/pattern_ranges.hpp"

namespace popsnn {
namespace {

using poplar::FLOAT;
using poplar::Tensor;
using poplar::Type;
using poplar::UNSIGNED_INT;

// Adds the variables of parameter replica.
class Allocator {
 public:
  Allocator(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan, Pass pass,
            std::size_t replica)
      : graph_(graph),
        network_(network),
        plan_(plan),
        forward_(pass != Pass::Backward),
        backward_(pass != Pass::Forward),
        replica_(replica),
        where_(plan.replicas[replica]),
        prefix_(plan.replicas.size() > 1 ? "replica" + std::to_string(replica) + "/" : "") {}

  ReplicaTensors add() {
    ReplicaTensors t;
    t.input = lists(where_.input, network_.layers[0].inputs, "input");
    if (backward_ && network_.input_gradient)
      t.input_grad = by_sample(where_.input, FLOAT, {network_.steps, where_.input.padded_capacity},
                               "input_grad");
    for (std::size_t l = 0; l < network_.layers.size(); ++l) t.layers.push_back(layer(l));
    return t;
  }

 private:
  LayerTensors layer(std::size_t l) {
    const LayerSpec& spec = network_.layers[l];
    const std::string name = "layer" + std::to_string(l) + "/";
    LayerTensors t;
    for (std::size_t source = 0; source < spec.sources(); ++source) {
      const std::string weights = source == 0 ? "weights" : "recurrent_weights";
      t.weights.push_back(parameter(l, network_.source_size(l, source), name + weights, true,
                                    spec.half_weights ? poplar::HALF : FLOAT));
      t.partials.emplace_back();
      t.remote_partials.emplace_back();
      if (backward_ && network_.sends_gradient(l, source)) add_partials(l, source, name, t);
    }
    t.bias = parameter(l, 1, name + "bias", spec.bias, FLOAT);
    if (forward_ && backward_) t.parameters = shards(l, spec.parameters(), name + "parameters");
    if (network_.optimizer != Optimizer::None) t.learnt = learnt(l, name);
    if (spec.has_ring()) add_delays(l, name, t.delays);
    if (spec.rows_ahead > 0)
      t.delays_ahead = by_tile(UNSIGNED_INT, l, {spec.inputs}, name + "delays_ahead");
    for (std::size_t source = 0; source < spec.sources(); ++source)
      t.arrivals.push_back(spec.late(source)
                               ? arrivals(l, source, name + "arrivals" + std::to_string(source))
                               : Arrivals());
    if (forward_) add_states(l, name, t);
    if (backward_) add_gradients(l, name, t);
    if (spec.kind == LayerKind::SparseLif) add_spikes(l, name, t);
    return t;
  }

  void add_partials(std::size_t l, std::size_t source, const std::string& name, LayerTensors& t) {
    const unsigned remote = where_.first_remote(l, source);
    const std::size_t own = where_.own_entries(l, source, 0),
                      usual = where_.capacity_of(l, source, remote),
                      own_usual = where_.own_entries(l, source, remote);
    const std::string of_source = "partials" + std::to_string(source);
    const std::size_t batch = where_.batch();
    if (own > 0) t.partials.back() = by_tile(FLOAT, l, {batch, own}, name + of_source);
    if (own_usual < usual && (remote == 0 || plan_.backward_sizes > 1))
      t.remote_partials.back() =
          by_tile(FLOAT, l, {batch, usual - own_usual}, name + "remote_" + of_source, source);
  }

  void add_states(std::size_t l, const std::string& name, LayerTensors& t) {
    const bool spikes = network_.layers[l].kind == LayerKind::SparseLif;
    const std::size_t row = where_.batch() * network_.layers[l].states(), steps = network_.steps;
    const std::size_t rows = 1 + (spikes ? plan_.checkpoint_interval : steps);
    const std::size_t ahead = network_.layers[l].rows_ahead;
    t.states = shards(l, (rows + ahead) * row, name + "states");
    if (ahead > 0) {
      t.states_ahead = t.states;
      for (Tensor& shard : t.states.on) shard = shard.slice(0, rows * row);
    }
    if (spikes && plan_.checkpoints(steps) > 0 && !plan_.streamed)
      t.checkpoints = shards(l, plan_.checkpoints(steps) * row, name + "checkpoints");
  }

  void add_delays(std::size_t l, const std::string& name, DelayTensors& t) {
    const LayerSpec& spec = network_.layers[l];
    const std::size_t batch = where_.batch(), ring = spec.ring_slots() * batch;
    if (forward_ || plan_.checkpoints(network_.steps) > 0) {
      t.ring = shards(l, ring, name + "delay_ring");
      t.current = shards(l, batch, name + "delayed_current");
    }
    if (forward_ && backward_) add_steps(l, name, t);
    if (forward_) {
      if (plan_.checkpoints(network_.steps) > 0 && !plan_.streamed)
        t.checkpoints =
            shards(l, plan_.checkpoints(network_.steps) * ring, name + "delay_checkpoints");
      for (unsigned source = 0; source < spec.learnt_sources(); ++source)
        t.products.push_back(shards(l, plan_.checkpoint_interval * batch, name + "products"));
    } else {
      t.products.resize(spec.learnt_sources());
    }
    if (backward_) add_delay_gradients(l, name, t);
    add_current_lists(name, t);
  }

  // Taps, and steps of each weight.
  void add_steps(std::size_t l, const std::string& name, DelayTensors& t) {
    const LayerSpec& spec = network_.layers[l];
    if (spec.tap_rows() > 0) t.taps = shards(l, spec.tap_rows(), name + "taps");
    for (std::size_t source = 0; source < spec.sources(); ++source)
      t.synapses.push_back(spec.delays_weights(source)
                               ? shards(l, network_.source_size(l, source), name + "synapses",
                                        poplar::UNSIGNED_SHORT)
                               : TileShards());
  }

  void add_delay_gradients(std::size_t l, const std::string& name, DelayTensors& t) {
    const LayerSpec& spec = network_.layers[l];
    const std::size_t batch = where_.batch();
    t.grad_ring = shards(l, spec.ring_slots() * batch, name + "delay_grad_ring");
    for (std::size_t source = 0; source < spec.sources(); ++source) {
      t.product_grad.push_back(spec.has_dendrites(source) ? shards(l, batch, name + "product_grad")
                                                          : TileShards());
      t.synapse_grad.push_back(
          spec.learns_synapses(source)
              ? shards(l, network_.source_size(l, source), name + "synapse_grad")
              : TileShards());
    }
    if (spec.learnt_delays != 0) t.tap_grad = shards(l, spec.tap_rows(), name + "tap_grad");
  }

  Arrivals arrivals(std::size_t l, std::size_t source, const std::string& name) {
    const LayerSpec& spec = network_.layers[l];
    const std::size_t steps = network_.steps, size = network_.source_size(l, source);
    const ListPlan& list = where_.list_of(l, source);
    const Type id_type = plan_.short_ids ? poplar::UNSIGNED_SHORT : UNSIGNED_INT;
    const ListPlan& fired = where_.fired_list(l, source);
    Arrivals t;
    t.lists.ids = by_sample(list, id_type, {list.padded_capacity}, name + "/ids");
    if (!backward_) t.lists.counts = by_sample(list, UNSIGNED_INT, {kCountSize}, name + "/counts");
    t.delays = copies(list, size, name + "/delays");
    t.fired_delays = copies(fired, size, name + "/fired_delays");
    t.at_once = by_sample(fired, id_type, {at_once_capacity(list)}, name + "/at_once");
    t.at_once_counts = by_sample(fired, UNSIGNED_INT, {1}, name + "/at_once_counts");
    if (forward_) {
      const unsigned kinds = spec.arrival_kinds(source);
      t.lists.counts_history =
          by_sample(list, UNSIGNED_INT, {1 + steps, kCountSize}, name + "/counts_history");
      t.bits =
          by_sample(list, UNSIGNED_INT, {steps, kinds, bit_words(unsigned(size))}, name + "/bits");
      t.sizes = by_sample(list, UNSIGNED_INT, {steps, kinds, kWorkerRanges}, name + "/sizes");
      t.fired_history =
          by_sample(list, id_type, {steps, fired.padded_capacity}, name + "/fired_history");
      t.buckets = by_sample(list, UNSIGNED_INT, {1}, name + "/buckets");
      t.lengths = by_sample(list, UNSIGNED_INT, {steps, kCountSize}, name + "/lengths");
    }
    if (!backward_) return t;
    const std::size_t records = arrival_records(spec.learns_axons(source));
    t.records = by_sample(list, UNSIGNED_INT, {records}, name + "/records");
    t.next_records = by_sample(list, UNSIGNED_INT, {records}, name + "/next_records");
    t.next_ids = by_sample(list, id_type, {list.padded_capacity}, name + "/next_ids");
    t.lists.counts = t.records.slice(0, kCountSize, 1);
    t.lists.bounds = t.records.slice(kRecordBounds, kRecordReal, 1);
    if (!fired.row_tiles.empty()) {
      add_arrival_parts(l, source, name, t);
      return t;
    }
    t.waiting = by_sample(list, FLOAT, {fired.padded_capacity}, name + "/waiting");
    t.grads = by_sample(list, FLOAT, {spec.axonal_slots(source), size}, name + "/grads");
    if (!spec.learns_axons(source)) return t;
    t.real_counts = t.records.slice(kRecordReal, records, 1);
    t.steps_grad = by_sample(list, FLOAT, {size}, name + "/steps_grad");
    return t;
  }

  void add_arrival_parts(std::size_t l, std::size_t source, const std::string& name, Arrivals& t) {
    const std::size_t firing = NetworkSpec::firing(l, source), batch = where_.batch();
    const std::size_t size = network_.layers[firing].neurons;
    t.part_delays =
        graph_.addVariable(UNSIGNED_INT, {batch, size}, prefix_ + name + "/part_delays");
    t.part_slots = graph_.addVariable(poplar::INT, {2}, prefix_ + name + "/part_slots");
    graph_.setTileMapping(t.part_slots, unsigned(where_.list_of(l, source).ranges.front().tile));
    t.part_grads.resize(batch);
    for (std::size_t b = 0; b < batch; ++b) {
      const std::vector<std::size_t>& tiles = where_.lists[firing].row_tiles[b];
      for (std::size_t part = 0; part < tiles.size(); ++part) {
        const Range neurons = where_.row_part(network_.layers[firing], firing, part);
        const unsigned tile = unsigned(tiles[part]);
        graph_.setTileMapping(t.part_delays[b].slice(neurons.begin, neurons.end), tile);
        const std::size_t row = ceil_div(neurons.size(), 2) * 2;  // whole pairs are copied
        t.part_grads[b].push_back(graph_.addVariable(
            FLOAT, {network_.layers[l].axonal_slots(source), row}, prefix_ + name + "/part_grads"));
        graph_.setTileMapping(t.part_grads[b].back(), tile);
      }
    }
  }

  // A copy [size] on each tile of a list: [tiles, size].
  Tensor copies(const ListPlan& list, std::size_t size, const std::string& name) {
    const Tensor all = graph_.addVariable(UNSIGNED_INT, {list.ranges.size(), size}, prefix_ + name);
    for (std::size_t i = 0; i < list.ranges.size(); ++i)
      graph_.setTileMapping(all[i], unsigned(list.ranges[i].tile));
    return all;
  }

  // Constants, on the replica's first tile.
  void add_current_lists(const std::string& name, DelayTensors& t) {
    const std::size_t batch = where_.batch();
    std::vector<unsigned> ids, counts;
    for (std::size_t b = 0; b < batch; ++b) {
      ids.push_back(unsigned(b));
      counts.insert(counts.end(), kCountSize, 1);
    }
    if (plan_.short_ids) {
      const std::vector<unsigned short> shorts(ids.begin(), ids.end());
      t.ids = graph_.addConstant(poplar::UNSIGNED_SHORT, {batch}, shorts.data(), prefix_ + name);
    } else {
      t.ids = graph_.addConstant(UNSIGNED_INT, {batch}, ids.data(), prefix_ + name);
    }
    t.counts = graph_.addConstant(UNSIGNED_INT, {batch, kCountSize}, counts.data(), prefix_ + name);
    for (const Tensor& constant : {t.ids, t.counts})
      graph_.setTileMapping(constant, unsigned(where_.tiles.begin));
  }

  void add_gradients(std::size_t l, const std::string& name, LayerTensors& t) {
    const LayerSpec& spec = network_.layers[l];
    const std::size_t batch = where_.batch();
    if (where_.layers[l].remote_partials(0))
      t.remote_weights = shards(l, network_.source_size(l, 0), name + "remote_weights",
                                spec.half_weights ? poplar::HALF : FLOAT, true);
    if (spec.learns) {
      t.parameter_grad = shards(l, spec.learnable(), name + "parameter_grad");
      t.parameter_grad_samples =
          shards(l, batch * spec.learnable(), name + "parameter_grad_samples");
    }
    t.state_grad = shards(l, batch * spec.grad_states(), name + "state_grad");
    const std::size_t ahead = spec.rows_ahead > 0 ? 1 + network_.steps + spec.rows_ahead : 1;
    t.current_grad = shards(l, ahead * batch, name + "current_grad");
    const DenseSources& dense = where_.layers[l].dense;
    if (dense[0] || dense[1])
      t.pattern_sums = shards(l, pattern_groups(unsigned(batch)) * pattern_rows(unsigned(batch)),
                              name + "pattern_sums");
    if (network_.carries_state)
      t.final_grad = shards(l, batch * spec.grad_states(), name + "final_grad");
    if (spec.kind == LayerKind::LeakyReadout)
      t.output_grad = shards(l, network_.steps * batch, name + "output_grad");
  }

  void add_spikes(std::size_t l, const std::string& name, LayerTensors& t) {
    const LayerSpec& spec = network_.layers[l];
    const std::size_t batch = where_.batch(), steps = network_.steps;
    const ListPlan& list = where_.lists[l];
    const MaskLayout layout = mask_layout(where_.layers[l], batch);
    t.lists = lists(list, spec.neurons, name + "lists");
    t.masks = by_tile(UNSIGNED_INT, l, {layout.rows(batch), layout.words}, name + "masks");
    t.window = by_sample(list, UNSIGNED_INT, {kWindowSize}, name + "window");
    if (forward_) {
      t.window_history =
          by_sample(list, UNSIGNED_INT, {1 + steps, kWindowSize}, name + "window_history");
      t.drop_history = by_sample(list, UNSIGNED_INT, {steps, kDropSize}, name + "drop_history");
    }
    if (!backward_) return;
    t.spike_grad = by_sample(list, FLOAT, {spec.neurons}, name + "spike_grad");
    if (!list.row_tiles.empty()) add_row_parts(l, name, t);
    if (spec.has_adjoint())
      t.window_before = by_sample(list, UNSIGNED_INT, {kWindowSize}, name + "window_before");
    if (spec.observed)
      t.value_grad = by_sample(list, FLOAT, {steps, list.padded_capacity}, name + "value_grad");
  }

  void add_row_parts(std::size_t l, const std::string& name, LayerTensors& t) {
    const ListPlan& list = where_.lists[l];
    for (std::size_t b = 0; b < where_.batch(); ++b)
      for (std::size_t part = 0; part < list.row_tiles[b].size(); ++part) {
        const Range neurons = where_.row_part(network_.layers[l], l, part);
        graph_.setTileMapping(t.spike_grad[b].slice(neurons.begin, neurons.end),
                              unsigned(list.row_tiles[b][part]));
      }
    if (where_.read_late(network_, l)) return;
    t.summed_ids =
        by_sample(list, t.lists.ids.elementType(), {list.padded_capacity}, name + "summed_ids");
    t.summed_counts = by_sample(list, UNSIGNED_INT, {kCountSize}, name + "summed_counts");
  }

  std::vector<Learnt> learnt(std::size_t l, const std::string& name) {
    const LayerSpec& spec = network_.layers[l];
    std::vector<Learnt> result;
    for (unsigned row = 0; row < spec.learnable(); ++row) {
      if ((spec.learnt >> row & 1) == 0) continue;
      const std::string of_row = name + "learnt" + std::to_string(row);
      Learnt parameter;
      parameter.row = row;
      parameter.lowest = spec.lowest[result.size()];
      parameter.highest = spec.highest[result.size()];
      parameter.value = shards(l, 1, of_row);
      if (replica_ == 0) {
        parameter.grad = shards(l, 1, of_row + "_grad");
        for (std::size_t copy = 0; copy < optimizer_copies(network_.optimizer); ++copy)
          parameter.state.push_back(shards(l, 1, of_row + "_state" + std::to_string(copy)));
      }
      result.push_back(parameter);
    }
    return result;
  }

  Parameter parameter(std::size_t l, std::size_t rows, const std::string& name, bool trained,
                      const Type& type) {
    Parameter result;
    if (forward_ && backward_) result.value = shards(l, rows, name, type);
    if (backward_) result.grad = shards(l, rows, name + "_grad");
    const std::size_t copies = trained ? optimizer_copies(network_.optimizer) : 0;
    for (std::size_t copy = 0; copy < copies; ++copy)
      result.state.push_back(
          ranges(l, result.value, FLOAT, name + "_state" + std::to_string(copy)));
    if (copies > 0 && type == poplar::HALF)
      result.rest = ranges(l, result.value, type, name + "_rest");
    return result;
  }

  std::vector<Tensor> ranges(std::size_t l, const TileShards& parameter, const Type& type,
                             const std::string& name) {
    std::vector<Tensor> on;
    for (std::size_t tile = 0; tile < parameter.on.size(); ++tile) {
      const std::size_t size =
          update_range(parameter.on[tile], replica_, plan_.replicas.size()).size();
      on.push_back(graph_.addVariable(type, {size}, prefix_ + name));
      graph_.setTileMapping(on.back(), unsigned(where_.layers[l].first_tile + tile));
    }
    return on;
  }

  TileShards shards(std::size_t l, std::size_t rows, const std::string& name,
                    const Type& type = FLOAT, bool remote = false) {
    return add_shards(graph_, network_.layers[l], where_.layers[l], rows, type, prefix_ + name,
                      remote);
  }

  Tensor by_sample(const ListPlan& list, const Type& type, std::vector<std::size_t> row,
                   const std::string& name) {
    return add_by_sample(graph_, list, where_.batch(), type, std::move(row), prefix_ + name);
  }

  SpikeHistory lists(const ListPlan& list, std::size_t neurons, const std::string& name) {
    const std::size_t steps = network_.steps;
    const Type id_type = plan_.short_ids ? poplar::UNSIGNED_SHORT : UNSIGNED_INT;
    SpikeHistory result;
    if (backward_)
      result.bounds = by_sample(list, UNSIGNED_INT, {kWorkerRanges + 1}, name + "/bounds");
    result.ids = by_sample(list, id_type, {list.padded_capacity}, name + "/ids");
    result.counts = by_sample(list, UNSIGNED_INT, {kCountSize}, name + "/counts");
    if (backward_ && list.dense) add_patterns(list, neurons, name, result);
    if (!forward_) return result;
    result.ids_history =
        by_sample(list, id_type, {1 + steps, list.padded_capacity}, name + "/ids_history");
    result.counts_history =
        by_sample(list, UNSIGNED_INT, {1 + steps, kCountSize}, name + "/counts_history");
    return result;
  }

  void add_patterns(const ListPlan& list, std::size_t neurons, const std::string& name,
                    SpikeHistory& lists) {
    const std::size_t batch = where_.batch();
    lists.bits =
        graph_.addVariable(UNSIGNED_INT, {batch, bit_words(neurons)}, prefix_ + name + "/bits");
    for (std::size_t b = 0; b < batch; ++b)
      for (const WordRange& range : bit_ranges(list, b, neurons))
        graph_.setTileMapping(lists.bits[b].slice(range.words.begin, range.words.end),
                              unsigned(range.tile));
    lists.patterns = graph_.addVariable(
        UNSIGNED_INT, {pattern_groups(unsigned(batch)), pattern_words(unsigned(neurons))},
        prefix_ + name + "/patterns");
    for (const WordRange& range : pattern_ranges(list, neurons))
      graph_.setTileMapping(lists.patterns.slice(range.words.begin, range.words.end, 1),
                            unsigned(range.tile));
  }

  // [tiles of layer l, row...], a row on each of the layer's tiles, or on those of a source's
  // partial sums.
  Tensor by_tile(const Type& type, std::size_t l, std::vector<std::size_t> row,
                 const std::string& name, std::size_t source = 1) {
    const LayerPlan& where = where_.layers[l];
    row.insert(row.begin(), where.tiles);
    const Tensor result = graph_.addVariable(type, row, prefix_ + name);
    for (std::size_t tile = 0; tile < where.tiles; ++tile)
      graph_.setTileMapping(result[tile], unsigned(where.partial_tile(source, tile)));
    return result;
  }

  poplar::Graph& graph_;
  const NetworkSpec& network_;
  const Plan& plan_;
  const bool forward_, backward_;
  const std::size_t replica_;
  const ReplicaPlan& where_;
  const std::string prefix_;
};

Tensor on_tile(poplar::Graph& graph, unsigned tile, const Type& type,
               std::vector<std::size_t> shape, const std::string& name) {
  const Tensor result = graph.addVariable(type, shape, name);
  graph.setTileMapping(result, tile);
  return result;
}

Tensor add_counter(poplar::Graph& graph, const std::string& name) {
  return on_tile(graph, counter_tile(graph), poplar::INT, {}, name);
}

}  // namespace

Tensor states_before(const NetworkSpec& network, const Plan& plan, const NetworkTensors& tensors) {
  std::vector<Tensor> states;
  for (std::size_t r = 0; r < plan.replicas.size(); ++r)
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      if (network.layers[l].kind != LayerKind::SparseLif) continue;
      const std::size_t rows = plan.replicas[r].batch() * network.layers[l].states();
      for (const Tensor& shard : tensors.replicas[r].layers[l].states.on)
        states.push_back(shard.slice(0, rows).flatten());
    }
  for (const ReplicaTensors& replica : tensors.replicas)
    for (const LayerTensors& layer : replica.layers)
      for (const Tensor& shard : layer.delays.ring.on) states.push_back(shard.flatten());
  return poplar::concat(states);
}

Tensor TileShards::unpadded() const {
  std::vector<Tensor> shards;
  for (const Tensor& shard : on) shards.push_back(shard.flatten());
  return poplar::concat(shards);
}

TileShards add_shards(poplar::Graph& graph, const LayerSpec& layer, const LayerPlan& where,
                      std::size_t rows, const Type& type, const std::string& name, bool remote) {
  const auto size = [&](std::size_t tile) { return rows * where.neurons(tile, layer).size(); };
  const bool halves = type == poplar::HALF || type == poplar::UNSIGNED_SHORT;
  const std::size_t line = halves ? 8 : 4;  // elements of 128 bits
  const auto padded = [&](std::size_t tile) { return ceil_div(size(tile), line) * line; };
  std::size_t total = 0;
  for (std::size_t tile = 0; tile < where.tiles; ++tile) total += padded(tile);
  TileShards result;
  result.flat = graph.addVariable(type, {total}, name);
  std::size_t begin = 0;
  for (std::size_t tile = 0; tile < where.tiles; begin += padded(tile), ++tile) {
    graph.setTileMapping(result.flat.slice(begin, begin + padded(tile)),
                         unsigned(remote ? where.partial_tile(0, tile) : where.first_tile + tile));
    const Tensor shard = result.flat.slice(begin, begin + size(tile));
    result.on.push_back(shard.reshape({rows, where.neurons(tile, layer).size()}));
  }
  return result;
}

Tensor add_by_sample(poplar::Graph& graph, const ListPlan& list, std::size_t batch,
                     const Type& type, std::vector<std::size_t> row, const std::string& name) {
  row.insert(row.begin(), batch);
  const Tensor result = graph.addVariable(type, row, name);
  for (const SampleRange& range : list.ranges)
    graph.setTileMapping(result.slice(range.samples.begin, range.samples.end, 0),
                         unsigned(range.tile));
  return result;
}

NetworkTensors add_tensors(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
                           Pass pass) {
  NetworkTensors t;
  for (std::size_t r = 0; r < plan.replicas.size(); ++r)
    t.replicas.push_back(Allocator(graph, network, plan, pass, r).add());
  if (plan.streamed && plan.checkpoints(network.steps) > 0)
    t.streamed =
        graph.addRemoteBuffer("checkpoints", FLOAT, states_before(network, plan, t).numElements(),
                              plan.checkpoints(network.steps));
  t.row = add_counter(graph, "row");
  t.first_step = add_counter(graph, "first_step");
  t.interval = add_counter(graph, "interval");
  t.list_step = add_counter(graph, "list_step");
  t.sequence = on_tile(graph, 0, UNSIGNED_INT, {2}, "sequence");
  if (network.optimizer != Optimizer::None)
    t.settings = on_tile(graph, 0, FLOAT, {kOptimizerSettings}, "settings");
  return t;
}

}  // namespace popsnn
