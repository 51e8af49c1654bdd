// The passes of a network inside of a larger graph: inputs and outputs are in the order of the
// network, whatever its plan.
//
// The backward pass needs tensors of the forward pass, which returns them as views, at no cost. The
// backward pass uses a saved tensor in place if it has the layout of the plan, and copies it
// otherwise.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"
#include "popsnn/spikes.hpp"

namespace popsnn {

// A layer's parameters, or their gradients. Parameters are FLOAT; for half_weights a pass makes
// copies of 16 bits.
struct LayerValues {
  std::vector<poplar::Tensor> weights;  // by source: [the source's neurons, neurons]
  poplar::Tensor bias;                  // [1, neurons], where the layer has one
  poplar::Tensor
      parameters;       // [parameters, neurons]; gradients: [learnable, neurons], if it learns
  poplar::Tensor taps;  // [tap_rows, neurons], where dendrites have delays
  // Whole numbers by source, FLOAT: axonal delays [its neurons], or those of each weight [its
  // neurons, neurons]. Gradients: of those that learn.
  std::vector<poplar::Tensor> delay_steps;
};

enum class SavedKind {
  InputIds,
  InputCounts,
  Ids,
  Counts,
  Windows,
  States,
  Checkpoints,
  // Of delays: products of sources whose taps learn, and rings of currents at checkpoints; of
  // arrivals their bits and lengths, and the lists that fired as their tiles have them.
  Products,
  RingCheckpoints,
  ArrivalBits,
  ArrivalSizes,
  ArrivalCounts,
  FiredIds,
  FiredCounts
};

// A tensor that a backward pass needs from its forward pass.
struct SavedTensor {
  SavedKind what;
  std::size_t layer;  // 0 for the input's
  poplar::Type type;
  std::vector<std::size_t> shape;
  std::size_t source = 0;  // of arrivals; of products the number among those whose taps learn
};

// All saved tensors, in order. Lists: [1 + steps, batch, padded_capacity], [1 + steps, batch, 2]
// and [1 + steps, batch, 3]; states: [1 + checkpoint_interval, batch, states, neurons] and
// [checkpoints, batch, states, neurons]. A readout saves the states of all time steps. Of delays:
// products [checkpoint_interval, batch, 1, neurons], rings [checkpoints * slots, batch, 1,
// neurons], and by sample [steps or 1 + steps, batch, row].
std::vector<SavedTensor> saved_tensors(const NetworkSpec& network, std::size_t checkpoint_interval);

struct ForwardPass {
  poplar::Tensor readout;             // [steps, batch, neurons]; of a last LeakyReadout
  SpikeIndices spikes;                // of a last SparseLif, with `capacity` entries
  poplar::Tensor values;              // [steps, batch, capacity]: 1 where a neuron fired
  std::vector<poplar::Tensor> saved;  // in the order of saved_tensors
  std::vector<poplar::Tensor> drops;  // by layer that spikes: [steps, batch, 2] UNSIGNED_INT
};

struct BackwardPass {
  std::vector<LayerValues> layers;  // gradients
  poplar::Tensor input;             // [steps, batch, input_capacity], if input_gradient
};

// The passes of a network without optimizer and carried states, whose plan streams no checkpoints.
class Passes {
 public:
  // Throws std::invalid_argument for any other network or plan.
  Passes(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan);

  // Variables in the layout of the plan: of the input's lists [steps, batch, row] INT, of a layer's
  // parameter [rows, neurons] FLOAT, on the first replica, and of a saved tensor.
  poplar::Tensor add_indices(std::size_t row, const std::string& name);
  poplar::Tensor add_parameter(std::size_t layer, std::size_t rows, const std::string& name);
  poplar::Tensor add_saved(const SavedTensor& saved, const std::string& name);

  // `sequence`: [2] INT, its seed, and its time steps before these.
  ForwardPass forward(const SpikeIndices& input, const poplar::Tensor& sequence,
                      const std::vector<LayerValues>& layers, poplar::program::Sequence& program);

  // `out_grad`: of the readout, or of the values.
  BackwardPass backward(const std::vector<poplar::Tensor>& saved, const poplar::Tensor& out_grad,
                        const std::vector<LayerValues>& layers, poplar::program::Sequence& program);

 private:
  poplar::Graph& graph_;
  const NetworkSpec& network_;
  const Plan& plan_;
};

}  // namespace popsnn
