// The variables of a network on its device: what lies where.
#pragma once
#include <vector>

#include <poplar/Graph.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// Spike lists of the input or of a layer, on the tiles of their samples.
struct SpikeLists {
  std::size_t slots = 0;
  poplar::Tensor ids, counts;                  // [batch, slots], [batch, 2] of the current step
  poplar::Tensor ids_history, counts_history;  // [batch, steps, slots], [batch, steps, 2]
  poplar::Tensor shares;  // [batch, kShares + 1] of the current step, backward only
};

// A flat variable that lies in pieces on a layer's tiles, `rows` rows of a tile's neurons each.
struct TilePieces {
  poplar::Tensor flat;             // [rows * neurons], tile after tile
  std::vector<poplar::Tensor> on;  // by tile of the layer: [rows, neurons of the tile]
  poplar::Tensor rows_by_neurons() const { return poplar::concat(on, 1); }  // [rows, neurons]
};

struct LayerTensors {
  TilePieces weights, weight_grad;                   // rows: inputs
  TilePieces bias, bias_grad, beta;                  // rows: 1
  TilePieces threshold, grad_threshold;              // rows: 1; SparseLif
  TilePieces membrane;                               // rows: steps * batch
  TilePieces membrane_grad, current_grad;            // rows: batch
  TilePieces output_grad;                            // rows: steps * batch; LeakyReadout
  std::vector<TilePieces> weight_state, bias_state;  // optimizer's: momentum or two moments
  poplar::Tensor partials;                           // [tiles, batch, input slots]
  // SparseLif:
  SpikeLists lists;
  poplar::Tensor masks;           // [tiles, batch, 2, words]
  poplar::Tensor window;          // [batch, 3] of the current step
  poplar::Tensor window_history;  // [batch, steps, 3]
  poplar::Tensor drop_history;    // [batch, steps, 2]
  poplar::Tensor spike_grad;      // [batch, neurons] dL/ds at the current step
  poplar::Tensor slot_grad;       // [batch, steps, slots] from the host; last layer only
};

struct NetworkTensors {
  SpikeLists input;
  poplar::Tensor input_grad;  // [batch, steps, slots] where wanted
  std::vector<LayerTensors> layers;
  // Two counters, so that a compute set that reads one can set the other.
  poplar::Tensor step;       // {} INT, read where membranes step
  poplar::Tensor list_step;  // {} INT, read where lists are made and fetched
  poplar::Tensor seed;       // {} UNSIGNED_INT
  poplar::Tensor settings;   // [6] optimizer's

  // The lists that layer `l` reads.
  const SpikeLists& inputs_of(std::size_t l) const { return l == 0 ? input : layers[l - 1].lists; }
};

NetworkTensors add_tensors(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan);

}  // namespace popsnn
