// Description of a network, independent of any device.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "neurons/cycles.hpp"
#include "neurons/options.hpp"

namespace popsnn {

enum class LayerKind { SparseLif, LeakyReadout };

// A neuron model of codelets/neurons/neuron_model.hpp: its struct and its numbers.
struct NeuronModel {
  std::string type = "popsnn::Lif";
  // Path of a custom neuron's header, which is compiled when a network is built; empty: one of the
  // project's codelets.
  std::string codelet;
  cycles::NeuronCycles numbers = cycles::kLif;
  std::size_t membrane = 0;  // which of its states

  std::string step_vertex(const std::string& id_type, const std::string& weight_type) const {
    return "popsnn::NeuronStep<" + type + "," + id_type + "," + weight_type + ">";
  }
  std::string grad_vertex() const { return "popsnn::NeuronStepGrad<" + type + ">"; }
};

// One layer: a linear map of spikes and its neurons. Parameters' values are data, not part of it.
struct LayerSpec {
  LayerKind kind = LayerKind::SparseLif;
  std::size_t inputs = 0;
  std::size_t neurons = 0;
  std::size_t capacity = 0;  // active neurons a sample and time step; SparseLif only
  unsigned delay = 0;        // 0 or 1 time steps between the input's spikes and this layer
  bool bias = true;          // false: the bias is zero
  bool recurrent = false;    // also reads its spikes of the time step before; SparseLif only
  bool learns = false;       // the gradient of the neurons' parameters is wanted
  // Bit masks of the learnable parameters: those that the device's optimizer updates, and the decay
  // factors, clamped to [0, 1].
  unsigned learnt = 0, decays = 0;
  bool half_weights = false;  // 16 bits for all weights; all else has 32
  bool observed = false;      // the loss has a gradient of its spikes; true for a last SparseLif
  float gain = 1.0f;
  NeuronModel model;  // SparseLif only
  Reset reset = Reset::Zero;
  bool detach_reset = true;
  Surrogate surrogate = Surrogate::SuperSpike;
  float surrogate_parameter = 10.0f;

  // A readout's neuron has one state, its membrane, and one parameter, its decay.
  std::size_t states() const { return kind == LayerKind::SparseLif ? model.numbers.states : 1; }
  std::size_t parameters() const {
    return kind == LayerKind::SparseLif ? model.numbers.parameters : 1;
  }
  std::size_t learnable() const {
    return kind == LayerKind::SparseLif ? model.numbers.learnable : 1;
  }
  std::size_t membrane() const { return kind == LayerKind::SparseLif ? model.membrane : 0; }
  // As in the names of vertices.
  const char* weight_type() const { return half_weights ? "half" : "float"; }
  std::size_t weight_bytes() const { return half_weights ? 2 : 4; }
  // Lists that it reads: its input's, and its own of the time step before.
  std::size_t sources() const { return recurrent ? 2 : 1; }
};

enum class Optimizer { None, Sgd, Adam };

// Values of state for each parameter: none, the momentum, or two moments.
std::size_t optimizer_copies(Optimizer optimizer);

// Numbers that the host sends with every update on the device, defined in sgd_update.cpp and
// adam_update.cpp.
constexpr std::size_t kOptimizerSettings = 7;

// A stack of layers, and the shapes that an executable is compiled for.
struct NetworkSpec {
  std::vector<LayerSpec> layers;   // only the last may be a LeakyReadout
  std::size_t steps = 0;           // T
  std::size_t batch = 0;           // B
  std::size_t input_capacity = 0;  // of the input's lists
  bool input_gradient = false;     // dL/dx of the active inputs is wanted
  Optimizer optimizer = Optimizer::None;
  // The initial states are inputs, and the final ones outputs; so are their gradients, in reverse.
  bool carries_state = false;
  bool traced = false;  // membranes of all time steps are wanted, even where tiles store only some

  // Rows of a weight matrix of layer `l`: its inputs, or itself.
  std::size_t source_size(std::size_t l, std::size_t source) const {
    return source == 0 ? layers[l].inputs : layers[l].neurons;
  }

  // Rows of all its weight matrices.
  std::size_t weight_rows(std::size_t l) const {
    return layers[l].inputs + (layers[l].recurrent ? layers[l].neurons : 0);
  }

  // Whether the spikes of a source of layer `l` need their gradient.
  bool sends_gradient(std::size_t l, std::size_t source) const {
    return l > 0 || source > 0 || input_gradient;
  }

  // Whether the gradient of any neurons' parameters is wanted.
  bool learns() const {
    return std::any_of(layers.begin(), layers.end(),
                       [](const LayerSpec& layer) { return layer.learns; });
  }

  // Throws std::invalid_argument, naming the layer, where the network is invalid.
  void check() const;
};

}  // namespace popsnn
