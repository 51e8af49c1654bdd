// The variables of a network on its device.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include <poplar/Graph.hpp>

#include "common/list_words.hpp"
#include "common/spike_records.hpp"
#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// Compacted spikes of the input or of a layer, on the tiles of their samples.
struct SpikeHistory {
  // Of the current time step: [batch, padded_capacity], [batch, 2].
  poplar::Tensor ids, counts;
  // [batch, 1 + steps, padded_capacity], [batch, 1 + steps, 2]
  poplar::Tensor ids_history, counts_history;
  // Backward only, of the current time step: where the workers' ranges of the list begin.
  poplar::Tensor bounds;  // [batch, kWorkerRanges + 1]
  // Backward only, where a weight gradient with them is dense:
  poplar::Tensor bits;      // [batch, bit_words]
  poplar::Tensor patterns;  // [groups, pattern_words]
};

// A flat variable in shards on a layer's tiles; a shard has `rows` rows of the tile's neurons and
// is aligned to 128 bits, the unit of loads from interleaved memory.
struct TileShards {
  poplar::Tensor flat;             // the shards and their padding, tile after tile
  std::vector<poplar::Tensor> on;  // by tile of the layer: [rows, neurons of the tile]
  poplar::Tensor rows_by_neurons() const { return poplar::concat(on, 1); }  // [rows, neurons]
  poplar::Tensor unpadded() const;                                          // tile after tile
};

// A parameter, its gradient, and the optimizer's copies: the momentum, or two moments. Each replica
// updates its range of every tile's shard, and has the copies of that range only.
struct Parameter {
  TileShards value, grad;
  std::vector<std::vector<poplar::Tensor>> state;  // by copy and tile: [range]
  // By tile [range], where an optimizer updates halves: rounding errors (masters.hpp).
  std::vector<poplar::Tensor> rest;
};

// A parameter of a layer's neurons that the device's optimizer updates, on the first replica for
// all.
struct Learnt {
  unsigned row = 0;                     // of the model's parameters
  float lowest = 0.0f, highest = 0.0f;  // infinite: none
  TileShards value;                     // rows: 1; not clamped
  TileShards grad;                      // rows: 1; first replica
  std::vector<TileShards> state;        // by copy, rows: 1; first replica
};

// Axonal delays of a layer's source, on tiles of the samples' arrivals and of the lists that fired.
struct Arrivals {
  // What arrives at a time step; no `ids_history`.
  SpikeHistory lists;
  poplar::Tensor bits;    // [batch, steps, sections, words] of the ids that arrive
  poplar::Tensor sizes;   // [batch, steps, sections, kWorkerRanges] ids in a range of the words
  poplar::Tensor delays;  // [tiles, neurons that fire], a copy on each tile
  poplar::Tensor fired_history;  // [batch, steps, padded_capacity] the lists that fired
  poplar::Tensor lengths;        // [batch, steps, 2] of fired_history
  poplar::Tensor buckets;        // [batch, 1] forward: that the next step needs, by count_arrivals
  // Backward: the list of the time step that is read next; [batch, padded_capacity], and [batch,
  // records] of which `lists` has counts and bounds.
  poplar::Tensor next_ids, records, next_records;
  // Where rows dL/ds are whole: dL/ds of what arrived later [batch, slots, neurons that fire], and
  // that of a list that fired [batch, padded_capacity].
  poplar::Tensor grads, waiting;
  // Where they are in parts, by sample and part: dL/ds of what fired, by the time step that fired
  // it [slots, row]; and the delays [batch, neurons that fire].
  std::vector<std::vector<poplar::Tensor>> part_grads;
  poplar::Tensor part_delays;
  poplar::Tensor part_slots;  // [2] INT, those of the time step before this one, and of this one
  // Where the delays learn:
  poplar::Tensor real_counts;  // [batch, 2] backward: of the list without neighbors; of `records`
  poplar::Tensor steps_grad;   // [batch, neurons that fire] dL/d(delays)
  // On the tiles of the lists that fired:
  poplar::Tensor fired_delays;  // [tiles, neurons that fire]
  // Forward: ids that arrive at once [batch, at_once_capacity], and their number [batch, 1].
  poplar::Tensor at_once, at_once_counts;
};

// Where the parts of a sample's records of a list of arrivals begin: counts, the workers' ranges,
// and where delays learn the counts without neighbors.
constexpr std::size_t kRecordBounds = kCountSize, kRecordReal = kRecordBounds + kWorkerRanges + 1;
constexpr std::size_t arrival_records(bool learns) {
  return kRecordReal + (learns ? std::size_t(kCountSize) : 0);
}

// Dendritic delays of a layer, by its own neurons' tiles.
struct DelayTensors {
  TileShards taps, tap_grad;         // rows: tap_rows of all sources
  TileShards ring;                   // rows: ring_slots * batch; sums for this step and later ones
  std::vector<TileShards> synapses;  // by source, uint16, rows: its neurons; where of each weight
  std::vector<TileShards> synapse_grad;  // likewise; where they learn
  TileShards checkpoints;                // rows: checkpoints * ring_slots * batch; not streamed
  TileShards current;                    // rows: batch; the ring's row of this time step
  std::vector<TileShards> products;      // by source that learns, rows: checkpoint_interval * batch
  TileShards grad_ring;                  // rows: ring_slots * batch; dL/d(current)
  std::vector<TileShards> product_grad;  // by source, rows: batch; of dendritic delays
  // A list for each sample that has its row of `current` alone: [batch], [batch, 2].
  poplar::Tensor ids, counts;
};

struct LayerTensors {
  poplar::Type weight_type() const { return weights[0].value.flat.elementType(); }
  // Of what the neurons' step sums.
  poplar::Type step_weight_type() const {
    return delays.current.on.empty() ? weight_type() : poplar::FLOAT;
  }
  // dL/d(product) of a source: rows: batch.
  const TileShards& grad_of(std::size_t source) const {
    const bool delayed =
        source < delays.product_grad.size() && !delays.product_grad[source].on.empty();
    return delayed ? delays.product_grad[source] : current_grad;
  }

  std::vector<Parameter> weights;     // by source; rows: the source's neurons
  Parameter bias;                     // rows: 1
  TileShards parameters;              // rows: the model's parameters
  TileShards parameter_grad;          // rows: learnable; where the layer learns
  TileShards parameter_grad_samples;  // rows: batch * learnable; where the layer learns
  std::vector<Learnt> learnt;
  TileShards states;  // rows: (1 + checkpoint_interval; a readout: steps) * batch * states
  // Where the layer has rows_ahead: the same, and behind it the rows of as many later time steps.
  TileShards states_ahead;
  TileShards checkpoints;   // rows: checkpoints * batch * states; SparseLif, not streamed
  TileShards state_grad;    // rows: batch * grad_states
  TileShards current_grad;  // rows: batch; with rows_ahead (1 + steps + rows_ahead) * batch
  TileShards final_grad;    // rows: batch * grad_states; where states are carried
  // By source: [tiles, batch, entries], those of the tiles of the neurons, and of others.
  std::vector<poplar::Tensor> partials, remote_partials;
  TileShards pattern_sums;         // rows: groups * pattern_rows; where a weight gradient is dense
  TileShards remote_weights;       // copies of weights[0] for remote partial sums
  DelayTensors delays;             // where the layer has a ring of currents
  poplar::Tensor delays_ahead;     // [tiles, inputs] where it has rows_ahead: of each input's delay
  std::vector<Arrivals> arrivals;  // by source; empty of one without axonal delays
  // LeakyReadout:
  TileShards output_grad;  // rows: steps * batch
  // SparseLif:
  SpikeHistory lists;
  poplar::Tensor masks;           // [tiles, mask rows, words]
  poplar::Tensor window;          // [batch, 3] of the current time step
  poplar::Tensor window_before;   // [batch, 3] of the one before; backward of an adjoint only
  poplar::Tensor window_history;  // [batch, 1 + steps, 3]
  poplar::Tensor drop_history;    // [batch, steps, 2]
  // [batch, neurons] dL/ds. Zero except between scatter and step; where rows are in parts, entries
  // that are not listed have any values.
  poplar::Tensor spike_grad;
  // Where they are: the list that the sums are for, [batch, padded_capacity] and [batch, 2].
  poplar::Tensor summed_ids, summed_counts;
  poplar::Tensor value_grad;  // [batch, steps, padded_capacity] from the host, where observed
};

// A layer's parameters by number: its sources' weights, then its bias.
inline const Parameter& parameter_at(const LayerTensors& layer, std::size_t which) {
  return which < layer.weights.size() ? layer.weights[which] : layer.bias;
}

// One replica's variables.
struct ReplicaTensors {
  SpikeHistory input;
  poplar::Tensor input_grad;  // [batch, steps, padded_capacity], where it is an output
  std::vector<LayerTensors> layers;

  // What a layer reads.
  const SpikeHistory& list_of(std::size_t l, std::size_t source) const {
    const std::vector<Arrivals>& arrivals = layers[l].arrivals;
    if (source < arrivals.size() && arrivals[source].lists.ids.valid())
      return arrivals[source].lists;
    return fired_list(l, source);
  }
  const SpikeHistory& fired_list(std::size_t l, std::size_t source) const {
    return source > 0 ? layers[l].lists : l == 0 ? input : layers[l - 1].lists;
  }
};

// The tile of counters: the last one, since the first has a list of the input.
inline unsigned counter_tile(const poplar::Graph& graph) {
  return graph.getTarget().getNumTiles() - 1;
}

struct NetworkTensors {
  std::vector<ReplicaTensors> replicas;
  poplar::RemoteBuffer streamed;  // [checkpoints] states_before, where the plan streams them
  // A counter is incremented in a compute set in which no vertex reads it.
  poplar::Tensor row;         // {} INT, of the states: read where neurons step
  poplar::Tensor list_step;   // {} INT, read where lists are made and fetched
  poplar::Tensor first_step;  // {} INT, of the checkpoint interval whose states are stored
  poplar::Tensor interval;    // {} INT, its number
  poplar::Tensor sequence;    // [2] UNSIGNED_INT: its seed, and its steps before this run
  poplar::Tensor settings;    // [kOptimizerSettings]
};

// The range of a tile's shard of a parameter that a replica updates, aligned to 8 bytes.
inline Range update_range(const poplar::Tensor& shard, std::size_t replica, std::size_t replicas) {
  const std::size_t size = shard.numElements();
  const Range fours = subrange({0, ceil_div(size, 4)}, replica, replicas);
  return {std::min(size, 4 * fours.begin), std::min(size, 4 * fours.end)};
}

// The states before a checkpoint interval, of all replicas and spiking layers, flat.
poplar::Tensor states_before(const NetworkSpec& network, const Plan& plan,
                             const NetworkTensors& tensors);

// The passes that a graph has variables for: both, or one alone, whose parameters are inputs, and
// in the backward pass also the tensors that forward saved (popsnn/passes.hpp).
enum class Pass { Both, Forward, Backward };

NetworkTensors add_tensors(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
                           Pass pass = Pass::Both);

// `rows` rows of a layer's neurons on its tiles; `remote`: on those of its remote partial sums.
TileShards add_shards(poplar::Graph& graph, const LayerSpec& layer, const LayerPlan& where,
                      std::size_t rows, const poplar::Type& type, const std::string& name,
                      bool remote = false);

// [batch, row...] with each sample on the tile of its list.
poplar::Tensor add_by_sample(poplar::Graph& graph, const ListPlan& list, std::size_t batch,
                             const poplar::Type& type, std::vector<std::size_t> row,
                             const std::string& name);

}  // namespace popsnn
