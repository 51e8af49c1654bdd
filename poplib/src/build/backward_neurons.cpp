#include "backward_neurons.hpp"

#include <algorithm>
#include <string>

#include <poputil/VertexTemplates.hpp>

#include "build/code/code_counter.hpp"
#include "plan/reductions.hpp"

namespace popsnn {

using poplar::ComputeSet;
using poplar::Tensor;

void BackwardNeurons::collect_gradients(std::vector<Tensor>& zero) const {
  for (std::size_t l = 0; l < network_.layers.size(); ++l) {
    const LayerTensors& t = tensors_.layers[l];
    for (const Parameter& weights : t.weights) zero.push_back(weights.grad.flat);
    zero.push_back(t.bias.grad.flat);
    zero.push_back(t.state_grad.flat);
    if (network_.layers[l].rows_ahead > 0)  // of the time steps after the last one
      for (const Tensor& shard : t.current_grad.on)
        zero.push_back(shard.slice((1 + network_.steps) * where_.batch(), shard.dim(0)).flatten());
    if (network_.layers[l].has_ring()) zero.push_back(t.delays.grad_ring.flat);
    if (network_.layers[l].learnt_delays != 0) zero.push_back(t.delays.tap_grad.flat);
    for (const TileShards& grad : t.delays.synapse_grad)
      if (!grad.on.empty()) zero.push_back(grad.flat);
    if (network_.layers[l].learns) zero.push_back(t.parameter_grad_samples.flat);
    if (spikes(l)) zero.push_back(t.spike_grad.flatten());
  }
  if (network_.input_gradient) zero.push_back(tensors_.input_grad.flatten());
}

void BackwardNeurons::collect_copies(Copies& copies) const {
  for (std::size_t l = 0; l < network_.layers.size(); ++l) {
    const LayerTensors& t = tensors_.layers[l];
    if (where_.layers[l].remote_partials(0)) {
      copies.from.push_back(t.weights[0].value.unpadded());
      copies.to.push_back(t.remote_weights.unpadded());
    }
    if (network_.carries_state && network_.layers[l].has_adjoint()) {
      copies.from.push_back(t.final_grad.unpadded());
      copies.to.push_back(t.state_grad.unpadded());
    }
  }
}

void BackwardNeurons::add_restore(ComputeSet compute_set) {
  for (std::size_t l = 0; l < network_.layers.size(); ++l) {
    const LayerTensors& t = tensors_.layers[l];
    const auto load = [&](std::size_t tile, const TileShards& rows, const Tensor& row) {
      add_vertex(graph_, compute_set, "popsnn::LoadRow", tile_of(l, tile),
                 {{"rows", rows.on[tile]}, {"row", row}, {"at", shared_.interval}},
                 {{"size", row.numElements()}});
    };
    for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile) {
      if (network_.layers[l].has_ring()) load(tile, t.delays.checkpoints, t.delays.ring.on[tile]);
      if (spikes(l)) load(tile, t.checkpoints, t.states.on[tile].slice(0, state_row(l)));
    }
  }
}

void BackwardNeurons::add_neurons(ComputeSet compute_set, unsigned stage) {
  for (std::size_t l : layers_of(stage)) {
    if (network_.layers[l].kind == LayerKind::LeakyReadout)
      add_readout_step(compute_set, l);
    else
      add_neuron_step(compute_set, l);
  }
}

void BackwardNeurons::add_final_grad(ComputeSet compute_set, unsigned stage) {
  for (std::size_t l : layers_of(stage)) {
    const LayerSpec& layer = network_.layers[l];
    if (layer.has_adjoint()) continue;
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

bool BackwardNeurons::add_delays(ComputeSet compute_set, unsigned stage) {
  bool any = false;
  for (std::size_t l : layers_of(stage)) {
    const LayerSpec& layer = network_.layers[l];
    if (!layer.has_ring()) continue;
    any = true;
    const LayerTensors& t = tensors_.layers[l];
    std::vector<unsigned> tap_rows;
    for (std::size_t source = 0; source < layer.sources(); ++source)
      tap_rows.push_back(layer.tap_rows(source));
    for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile) {
      Rows tap_grad = {"tap_grad", {}}, bias_grad = {"bias_grad", {}};
      if (layer.learnt_delays != 0) tap_grad.tensors.push_back(t.delays.tap_grad.on[tile]);
      if (layer.bias && layer.delays(0)) bias_grad.tensors.push_back(t.bias.grad.on[tile]);
      add_vertex(graph_, compute_set, "popsnn::DelayGrad", tile_of(l, tile),
                 {{"current_grad", t.current_grad.on[tile]},
                  {"row", shared_.row},
                  {"first_step", shared_.first_step},
                  {"ring", t.delays.grad_ring.on[tile]}},
                 {{"tap_rows", tap_rows},
                  {"batch", where_.batch()},
                  {"neurons", neurons_of(l, tile)},
                  {"slots", layer.ring_slots()},
                  {"learnt", layer.learnt_delays},
                  {"biased", bias_grad.tensors.size()}},
                 {taps_of(l, tile), by_source("product_grad", t.delays.product_grad, tile),
                  by_source("products", t.delays.products, tile), tap_grad, bias_grad});
    }
  }
  return any;
}

void BackwardNeurons::add_pattern_sums(ComputeSet compute_set, unsigned stage) {
  for (std::size_t l : layers_of(stage)) {
    if (!dense(l, 0) && !dense(l, 1)) continue;
    const LayerTensors& t = tensors_.layers[l];
    for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile)
      add_vertex(graph_, compute_set, "popsnn::PatternSums", tile_of(l, tile),
                 {{"current_grad", t.current_grad.on[tile]}, {"sums", t.pattern_sums.on[tile]}},
                 {{"batch", where_.batch()}, {"neurons", neurons_of(l, tile)}});
  }
}

void BackwardNeurons::add_products(ComputeSet compute_set, unsigned stage, unsigned bucket) {
  for (std::size_t l : layers_of(stage))
    for (std::size_t source = 0; source < network_.layers[l].sources(); ++source)
      for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile)
        add_tile_products(compute_set, l, source, tile, bucket);
}

EntrySums BackwardNeurons::add_reduction(ComputeSet compute_set, unsigned stage, unsigned bucket) {
  EntrySums sums;
  for (const Reduction& reduction : reductions(network_, where_, stage, bucket))
    sums[{reduction.layer, reduction.source}] = reduce(compute_set, reduction, bucket);
  return sums;
}

void BackwardNeurons::add_parameter_sums(ComputeSet compute_set) {
  for (std::size_t l = 0; l < network_.layers.size(); ++l) {
    if (!network_.layers[l].learns) continue;
    const LayerTensors& t = tensors_.layers[l];
    for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile)
      add_vertex(graph_, compute_set, "popsnn::SumSamples", tile_of(l, tile),
                 {{"rows", t.parameter_grad_samples.on[tile]}, {"sum", t.parameter_grad.on[tile]}},
                 {{"batch", where_.batch()},
                  {"size", network_.layers[l].learnable() * neurons_of(l, tile)}});
  }
}

void BackwardNeurons::add_readout_step(ComputeSet compute_set, std::size_t l) {
  const LayerTensors& t = tensors_.layers[l];
  const char* const type =
      network_.layers[l].rows_ahead > 0 ? "popsnn::LiStepGradAhead" : "popsnn::LiStepGrad";
  for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile)
    add_vertex(graph_, compute_set, type, tile_of(l, tile),
               {{"output_grad", t.output_grad.on[tile]},
                {"row", shared_.row},
                {"first_step", shared_.first_step},
                {"states", t.states.on[tile]},
                {"parameters", t.parameters.on[tile]},
                {"state_grad", t.state_grad.on[tile]},
                {"current_grad", t.current_grad.on[tile]}},
               {{"batch", where_.batch()},
                {"neurons", neurons_of(l, tile)},
                {"learnt", unsigned(network_.layers[l].learns)},
                {"gain", network_.layers[l].gain}},
               {parameter_grad(l, tile)});
}

void BackwardNeurons::add_neuron_step(ComputeSet compute_set, std::size_t l) {
  const LayerSpec& layer = network_.layers[l];
  const LayerTensors& t = tensors_.layers[l];
  for (std::size_t tile = 0; tile < where_.layers[l].tiles; ++tile) {
    const Range neurons = where_.layers[l].neurons(tile, layer);
    std::vector<Edge> edges = {{"spike_grad", t.spike_grad.slice(neurons.begin, neurons.end, 1)},
                               {"window", t.window},
                               {"row", shared_.row},
                               {"states", t.states.on[tile]},
                               {"parameters", t.parameters.on[tile]},
                               {"state_grad", t.state_grad.on[tile]},
                               {"current_grad", t.current_grad.on[tile]}};
    std::vector<State> state = {{"batch", where_.batch()},
                                {"neurons", neurons.size()},
                                {"learnt", unsigned(layer.learns)},
                                {"first_neuron", neurons.begin},
                                {"layer_size", layer.neurons},
                                {"surrogate_parameter", layer.surrogate_parameter},
                                {"gain", layer.gain}};
    if (layer.has_adjoint()) {
      edges.push_back({"window_before", t.window_before});
    } else {  // an adjoint's text has its reset
      state.push_back({"reset", unsigned(layer.reset)});
      state.push_back({"detach_reset", unsigned(layer.detach_reset)});
    }
    add_vertex(graph_, compute_set, layer.model.grad_vertex(layer.surrogate, layer.reads()),
               tile_of(l, tile), edges, state, {parameter_grad(l, tile)});
  }
}

Rows BackwardNeurons::parameter_grad(std::size_t l, std::size_t tile) const {
  Rows rows = {"parameter_grad", {}};
  if (network_.layers[l].learns)
    rows.tensors.push_back(tensors_.layers[l].parameter_grad_samples.on[tile]);
  return rows;
}

void BackwardNeurons::add_delay_edges(std::size_t l, std::size_t tile,
                                      std::vector<Edge>& edges) const {
  if (network_.layers[l].rows_ahead == 0) return;
  edges.push_back({"delays", tensors_.layers[l].delays_ahead[tile]});
  edges.push_back({"row", shared_.row});
}

void BackwardNeurons::add_weight_grad(ComputeSet compute_set, std::size_t l, std::size_t source,
                                      std::size_t tile, unsigned bucket) {
  const LayerTensors& t = tensors_.layers[l];
  const SpikeHistory& lists = tensors_.list_of(l, source);
  const Tensor& weight_grad = t.weights[source].grad.on[tile];
  Rows bias_grad = {"bias_grad", {}};
  const LayerSpec& layer = network_.layers[l];
  if (source == 0 && layer.bias && !layer.delays(0))
    bias_grad.tensors.push_back(t.bias.grad.on[tile]);
  if (dense(l, source)) {
    add_vertex(graph_, compute_set, "popsnn::PatternGrad", tile_of(l, tile),
               {{"patterns", lists.patterns},
                {"sums", t.pattern_sums.on[tile]},
                {"weight_grad", weight_grad}},
               {{"batch", where_.batch()},
                {"inputs", network_.source_size(l, source)},
                {"neurons", neurons_of(l, tile)},
                {"biased", bias_grad.tensors.size()}},
               {bias_grad});
    return;
  }
  const char* const name = layer.rows_ahead > 0 ? "popsnn::WeightGradAhead" : "popsnn::WeightGrad";
  std::vector<Edge> edges = {{"ids", ids_of(l, source, bucket)},
                             {"bounds", lists.bounds},
                             {"current_grad", t.grad_of(source).on[tile]},
                             {"weight_grad", weight_grad}};
  add_delay_edges(l, tile, edges);
  add_vertex(graph_, compute_set, poputil::templateVertex(name, id_type_), tile_of(l, tile), edges,
             {{"batch", where_.batch()},
              {"padded_capacity", where_.capacity_of(l, source, bucket)},
              {"neurons", neurons_of(l, tile)},
              {"biased", bias_grad.tensors.size()}},
             {bias_grad});
}

void BackwardNeurons::add_tile_products(ComputeSet compute_set, std::size_t l, std::size_t source,
                                        std::size_t tile, unsigned bucket) {
  if (network_.layers[l].delays_weights(source)) {
    add_synaptic_grad(compute_set, l, source, tile, bucket);
    return;
  }
  add_weight_grad(compute_set, l, source, tile, bucket);
  if (!network_.sends_gradient(l, source)) return;
  const LayerTensors& t = tensors_.layers[l];
  const std::size_t own = where_.own_entries(l, source, bucket);
  const std::size_t capacity = where_.capacity_of(l, source, bucket);
  if (own > 0)
    add_partial(compute_set, l, source, tile, bucket, {0, own}, t.weights[source].value,
                t.partials[source], tile_of(l, tile));
  if (own < capacity)
    add_partial(compute_set, l, source, tile, bucket, {own, capacity}, t.remote_weights,
                t.remote_partials[source], where_.layers[l].partial_tile(source, tile));
}

void BackwardNeurons::add_partial(ComputeSet compute_set, std::size_t l, std::size_t source,
                                  std::size_t tile, unsigned bucket, const Range& entries,
                                  const TileShards& weights, const Tensor& partials,
                                  std::size_t at) {
  const LayerTensors& t = tensors_.layers[l];
  const std::string type =
      network_.layers[l].rows_ahead > 0
          ? poputil::templateVertex("popsnn::InputSpikeGradAhead", id_type_)
          : poputil::templateVertex("popsnn::InputSpikeGrad", id_type_, t.weight_type());
  std::vector<Edge> edges = {
      {"ids", ids_of(l, source, bucket)},
      {"counts", tensors_.list_of(l, source).counts},
      {"weights", weights.on[tile]},
      {"current_grad", t.grad_of(source).on[tile]},
      {"partial", partials[tile].flatten().slice(0, where_.batch() * entries.size())}};
  add_delay_edges(l, tile, edges);
  add_vertex(graph_, compute_set, type, at, edges,
             {{"batch", where_.batch()},
              {"padded_capacity", where_.capacity_of(l, source, bucket)},
              {"first", entries.begin},
              {"entries", entries.size()},
              {"neurons", neurons_of(l, tile)}});
}

void BackwardNeurons::add_synaptic_grad(ComputeSet compute_set, std::size_t l, std::size_t source,
                                        std::size_t tile, unsigned bucket) {
  const LayerSpec& layer = network_.layers[l];
  const LayerTensors& t = tensors_.layers[l];
  const SpikeHistory& lists = tensors_.list_of(l, source);
  const std::size_t capacity = where_.capacity_of(l, source, bucket);
  Rows steps_grad = {"steps_grad", {}}, partial = {"partial", {}};
  if (layer.learns_synapses(source))
    steps_grad.tensors.push_back(t.delays.synapse_grad[source].on[tile]);
  if (network_.sends_gradient(l, source))
    partial.tensors.push_back(
        t.partials[source][tile].flatten().slice(0, where_.batch() * capacity));
  add_vertex(graph_, compute_set,
             poputil::templateVertex("popsnn::SynapticGrad", id_type_, t.weight_type()),
             tile_of(l, tile),
             {{"ids", ids_of(l, source, bucket)},
              {"counts", lists.counts},
              {"bounds", lists.bounds},
              {"weights", t.weights[source].value.on[tile]},
              {"steps", t.delays.synapses[source].on[tile]},
              {"ring", t.delays.grad_ring.on[tile]},
              {"row", shared_.row},
              {"first_step", shared_.first_step},
              {"weight_grad", t.weights[source].grad.on[tile]}},
             {{"batch", where_.batch()},
              {"padded_capacity", capacity},
              {"neurons", neurons_of(l, tile)},
              {"slots", layer.ring_slots()},
              {"longest", layer.longest_delay(source)},
              {"learns", steps_grad.tensors.size()},
              {"sends", partial.tensors.size()}},
             {steps_grad, partial});
}

Tensor BackwardNeurons::reduce(ComputeSet compute_set, const Reduction& how, unsigned bucket) {
  const std::size_t l = how.layer, batch = where_.batch();
  const std::size_t capacity = where_.capacity_of(l, how.source, bucket);
  const std::size_t entry_ranges = how.entry_ranges(capacity);
  const std::size_t own = where_.own_entries(l, how.source, bucket);
  const auto first_rows = [&](const std::vector<Tensor>& by_source, std::size_t entries) {
    return by_source[how.source]
        .flatten(1, 3)
        .slice(0, batch * entries, 1)
        .reshape({where_.layers[l].tiles, batch, entries});
  };
  std::vector<Tensor> ranges;
  if (own > 0) ranges.push_back(first_rows(tensors_.layers[l].partials, own));
  if (own < capacity)
    ranges.push_back(first_rows(tensors_.layers[l].remote_partials, capacity - own));
  const Tensor partials = poplar::concat(ranges, 2);
  const Tensor sums =
      graph_.addVariable(poplar::FLOAT, {how.tile_ranges, batch, capacity},
                         "layer" + std::to_string(l) + "/sums" + std::to_string(how.source));
  for (std::size_t b = 0; b < batch; ++b)
    for (std::size_t s = 0; s < entry_ranges; ++s) {
      const std::size_t tile = how.tile(b * entry_ranges + s);
      const Range entries = {2 * how.pairs * s, std::min(capacity, 2 * how.pairs * (s + 1))};
      for (std::size_t r = 0; r < how.tile_ranges; ++r) {
        const Range tiles = subrange({0, where_.layers[l].tiles}, r, how.tile_ranges);
        const Tensor sum = sums[r][b].slice(entries.begin, entries.end);
        graph_.setTileMapping(sum, unsigned(tile));
        add_vertex(graph_, compute_set, "popsnn::ReducePartials", tile,
                   {{"partials", partials.slice(tiles.begin, tiles.end)
                                     .slice(b, b + 1, 1)
                                     .slice(entries.begin, entries.end, 2)},
                    {"sums", sum}},
                   {{"tiles", tiles.size()}, {"entries", entries.size()}});
      }
    }
  return sums;
}

void count_backward_code(CodeCounter& code, const ReplicaPlan& replica, std::size_t l) {
  const NetworkSpec& network = code.network();
  const LayerSpec& layer = network.layers[l];
  const LayerPlan& where = replica.layers[l];
  for (std::size_t t = 0; t < where.tiles; ++t) {
    const std::size_t tile = where.first_tile + t;
    const bool ahead = layer.rows_ahead > 0;
    code.add(tile, {code.spikes(l)
                        ? layer.model.grad_vertex(layer.surrogate, layer.reads())
                        : std::string(ahead ? "popsnn::LiStepGradAhead" : "popsnn::LiStepGrad")});
    if (code.saves(l)) code.add(tile, {"popsnn::LoadRow"});
    if (layer.has_ring()) code.add(tile, {"popsnn::DelayGrad"});
    if (network.carries_state && !layer.has_adjoint()) code.add(tile, {"popsnn::AddFinalGrad"});
    if (layer.learns) code.add(tile, {"popsnn::SumSamples"});
    for (std::size_t source = 0; source < layer.sources(); ++source) {
      if (layer.delays_weights(source)) {
        code.add(tile, {code.by_id_and_weight("SynapticGrad", layer.weight_type())});
        continue;
      }
      if (where.dense[source])
        code.add(tile, {"popsnn::PatternGrad", "popsnn::PatternSums"});
      else
        code.add(tile, {code.by_id(ahead ? "WeightGradAhead" : "WeightGrad")});
      if (!network.sends_gradient(l, source)) continue;
      const std::string sums = ahead ? code.by_id("InputSpikeGradAhead")
                                     : code.by_id_and_weight("InputSpikeGrad", layer.weight_type());
      if (replica.own_entries(l, source, 0) > 0) code.add(tile, {sums});
      const unsigned remote = replica.first_remote(l, source);
      if (replica.own_entries(l, source, remote) < replica.capacity_of(l, source, remote))
        code.add(where.partial_tile(source, t), {sums});
    }
  }
}

void count_reduction_code(CodeCounter& code, const ReplicaPlan& replica) {
  for (unsigned stage = 0; stage < code.plan().stages; ++stage)
    for (unsigned bucket = 0; bucket < code.plan().backward_sizes; ++bucket)
      for (const Reduction& how : reductions(code.network(), replica, stage, bucket)) {
        const std::size_t capacity = replica.capacity_of(how.layer, how.source, bucket);
        const std::size_t vertices = replica.batch() * how.entry_ranges(capacity);
        for (std::size_t i = 0; i < vertices; ++i) {
          code.add(how.tile(i), {"popsnn::ReducePartials"});
          code.add_messages(how.tile(i), replica.layers[how.layer].tiles);
        }
      }
}

}  // namespace popsnn
