// The variables of a network on its device: what lies where.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include <poplar/Graph.hpp>

#include "common/spike_records.hpp"
#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// Spike lists of the input or of a layer, on the tiles of their samples.
struct SpikeLists {
  poplar::Tensor ids, counts;                  // [batch, slots], [batch, 2] of the current step
  poplar::Tensor ids_history, counts_history;  // [batch, 1 + steps, slots], [batch, 1 + steps, 2]
  poplar::Tensor shares;  // [batch, kShares + 1] of the current step, backward only
  // Backward only, where a weight gradient with them is dense:
  poplar::Tensor bits;      // [batch, bit_words]
  poplar::Tensor patterns;  // [groups, pattern_words]
};

// A flat variable that lies in pieces on a layer's tiles, `rows` rows of a tile's neurons each.
// Every piece begins on 128 bits, which loads from interleaved memory bring.
struct TilePieces {
  poplar::Tensor flat;             // the pieces and what pads them, tile after tile
  std::vector<poplar::Tensor> on;  // by tile of the layer: [rows, neurons of the tile]
  poplar::Tensor rows_by_neurons() const { return poplar::concat(on, 1); }  // [rows, neurons]
  poplar::Tensor unpadded() const;                                          // tile after tile
};

// A parameter, its gradient, and the optimizer's copies: the momentum, or two moments. Each replica
// updates its own stretch of every tile's piece, and keeps the copies of that alone.
struct Parameter {
  TilePieces value, grad;
  std::vector<std::vector<poplar::Tensor>> state;  // by copy and tile: [stretch]
  // By tile [stretch], where an optimizer updates halves: what rounding took (masters.hpp).
  std::vector<poplar::Tensor> rest;
};

// A parameter of a layer's neurons that the device's optimizer updates: the first replica does, for
// all.
struct Learnt {
  unsigned row = 0;  // of the model's parameters
  bool leak = false;
  TilePieces value;               // rows: 1; as the optimizer has it
  TilePieces grad;                // rows: 1; first replica
  std::vector<TilePieces> state;  // by copy, rows: 1; first replica
};

struct LayerTensors {
  poplar::Type weight_type() const { return weights[0].value.flat.elementType(); }

  std::vector<Parameter> weights;     // by source; rows: the source's neurons
  Parameter bias;                     // rows: 1
  TilePieces parameters;              // rows: the model's parameters
  TilePieces parameter_grad;          // rows: learnable; where the layer learns
  TilePieces parameter_grad_samples;  // rows: batch * learnable; where the layer learns
  std::vector<Learnt> learnt;
  TilePieces states;        // rows: (1 + steps of a segment; a readout's: all) * batch * states
  TilePieces checkpoints;   // rows: segments but the last * batch * states; SparseLif, on tiles
  TilePieces state_grad;    // rows: batch * states
  TilePieces current_grad;  // rows: batch
  TilePieces final_grad;    // rows: batch * states; where states are carried
  std::vector<poplar::Tensor> partials;  // by source: [tiles, batch, slots], where it is wanted
  TilePieces pattern_sums;   // rows: groups * pattern_rows; where a weight gradient is dense
  TilePieces share_weights;  // copies of weights[0] where shares are worked out apart
  // LeakyReadout:
  TilePieces output_grad;  // rows: steps * batch
  // SparseLif:
  SpikeLists lists;
  poplar::Tensor masks;           // [tiles, mask rows, words]
  poplar::Tensor window;          // [batch, 3] of the current step
  poplar::Tensor window_history;  // [batch, 1 + steps, 3]
  poplar::Tensor drop_history;    // [batch, steps, 2]
  poplar::Tensor spike_grad;      // [batch, neurons] dL/ds, zero but between scatter and step
  poplar::Tensor slot_grad;       // [batch, steps, slots] from the host, where observed
};

// One replica's variables.
struct ReplicaTensors {
  SpikeLists input;
  poplar::Tensor input_grad;  // [batch, steps, slots] where wanted
  std::vector<LayerTensors> layers;

  const SpikeLists& list_of(std::size_t l, std::size_t source) const {
    return source > 0 ? layers[l].lists : l == 0 ? input : layers[l - 1].lists;
  }
};

struct NetworkTensors {
  std::vector<ReplicaTensors> replicas;
  poplar::RemoteBuffer streamed;  // [segments but the last] states_before, where the plan says so
  // Each counter goes on in a compute set in which nobody reads it.
  poplar::Tensor row;         // {} INT, of the states: read where neurons step
  poplar::Tensor list_step;   // {} INT, read where lists are made and fetched
  poplar::Tensor first_step;  // {} INT, of the segment whose states are kept
  poplar::Tensor segment;     // {} INT, its number
  poplar::Tensor sequence;    // [2] UNSIGNED_INT: its seed, and its steps before this run
  poplar::Tensor settings;    // [kOptimizerSettings]
};

// The stretch of a tile's piece of a parameter that a replica updates; of halves too it begins on 8
// bytes.
inline Range stretch_of(const poplar::Tensor& piece, std::size_t replica, std::size_t replicas) {
  const std::size_t size = piece.numElements();
  const Range fours = part_of({0, ceil_div(size, 4)}, replica, replicas);
  return {std::min(size, 4 * fours.begin), std::min(size, 4 * fours.end)};
}

// The states before a segment of all replicas and layers that spike, flat.
poplar::Tensor states_before(const NetworkSpec& network, const Plan& plan,
                             const NetworkTensors& tensors);

// Whose variables a graph has: those of both passes, or of one alone, which is given the
// parameters, and back what forward has kept (popsnn/passes.hpp).
enum class Pass { Both, Forward, Backward };

NetworkTensors add_tensors(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
                           Pass pass = Pass::Both);

// `rows` rows of a layer's neurons on its tiles; of shares_apart, where those are worked out.
TilePieces add_pieces(poplar::Graph& graph, const LayerSpec& layer, const LayerPlan& where,
                      std::size_t rows, const poplar::Type& type, const std::string& name,
                      bool of_shares = false);

// [batch, row...] with each sample on the tile of its list.
poplar::Tensor add_by_sample(poplar::Graph& graph, const ListPlan& list, std::size_t batch,
                             const poplar::Type& type, std::vector<std::size_t> row,
                             const std::string& name);

}  // namespace popsnn
