// The passes of a network as parts of a graph that others build: tensors come in and go out in the
// order of the network, whatever its plan.
//
// Back, a pass needs what forward has left on the tiles. Forward gives it away as views, which cost
// nothing: what comes back where the plan has it is used where it lies, and copied there if not.
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

// A layer's parameters, or their gradients. Parameters are FLOAT; of half_weights a pass makes its
// own copies of 16 bits.
struct LayerValues {
  std::vector<poplar::Tensor> weights;  // by source: [the source's neurons, neurons]
  poplar::Tensor bias;                  // [1, neurons], where the layer has one
  poplar::Tensor
      parameters;  // [parameters, neurons]; gradients: [learnable, neurons], if it learns
};

enum class Keep { InputIds, InputCounts, Ids, Counts, Windows, States, Checkpoints };

// One of the tensors that a backward pass takes from its forward pass.
struct Kept {
  Keep what;
  std::size_t layer;  // 0 for the input's
  poplar::Type type;
  std::vector<std::size_t> shape;
};

// All of them, in order, of lists: [1 + steps, batch, slots], [1 + steps, batch, 2] and [1 + steps,
// batch, 3]; of states: [1 + segment, batch, states, neurons], [checkpoints, batch, states,
// neurons]. A readout keeps the states of all steps. `segment`: steps whose states are kept at
// once.
std::vector<Kept> kept_tensors(const NetworkSpec& network, std::size_t segment);

struct ForwardPass {
  poplar::Tensor readout;             // [steps, batch, neurons]; of a last LeakyReadout
  GivenLists spikes;                  // of a last SparseLif, in `capacity` places
  poplar::Tensor values;              // [steps, batch, capacity]: 1 where a neuron fired
  std::vector<poplar::Tensor> kept;   // in the order of kept_tensors
  std::vector<poplar::Tensor> drops;  // by layer that spikes: [steps, batch, 2] UNSIGNED_INT
};

struct BackwardPass {
  std::vector<LayerValues> layers;  // gradients
  poplar::Tensor input;             // [steps, batch, input_capacity], where it is wanted
};

// Parts of one graph for one network, which has no optimizer and carries no states, and whose plan
// streams no checkpoints.
class Passes {
 public:
  // Throws std::invalid_argument where the network is another.
  Passes(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan);

  // Variables that lie where the plan has them: of the given lists [steps, batch, row] INT, of a
  // layer's parameter [rows, neurons] FLOAT, in the first replica, and what is kept.
  poplar::Tensor add_given(std::size_t row, const std::string& name);
  poplar::Tensor add_parameter(std::size_t layer, std::size_t rows, const std::string& name);
  poplar::Tensor add_kept(const Kept& kept, const std::string& name);

  // `sequence`: [2] INT, its seed, and its steps before these.
  ForwardPass forward(const GivenLists& input, const poplar::Tensor& sequence,
                      const std::vector<LayerValues>& layers, poplar::program::Sequence& program);

  // `out_grad`: of the readout, or of the values.
  BackwardPass backward(const std::vector<poplar::Tensor>& kept, const poplar::Tensor& out_grad,
                        const std::vector<LayerValues>& layers, poplar::program::Sequence& program);

 private:
  poplar::Graph& graph_;
  const NetworkSpec& network_;
  const Plan& plan_;
};

}  // namespace popsnn
