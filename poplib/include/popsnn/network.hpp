// What a network is, before any device is thought of.
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
  // Path of the header that defines it, which is compiled when a network is built; empty: it is one
  // of the project's codelets.
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
  std::size_t capacity = 0;  // list entries a sample and step; SparseLif only
  unsigned delay = 0;        // 0 or 1 steps between the input's spikes and this layer
  bool bias = true;          // false: the bias stays what it was set to, zero
  bool recurrent = false;    // reads its own spikes of the step before too; SparseLif only
  bool learns = false;       // the gradient of the neurons' parameters is wanted
  // Of the parameters that may learn, by bits: which ones the device's optimizer updates, and which
  // of them are leaks, held in [0, 1].
  unsigned learnt = 0, leaks = 0;
  bool half_weights = false;  // of 16 bits, recurrent ones too; all else has 32
  bool observed = false;      // the loss has a gradient of its spikes; true of a last SparseLif
  float gain = 1.0f;
  NeuronModel model;  // SparseLif only
  Reset reset = Reset::Zero;
  bool detach_reset = true;
  Surrogate surrogate = Surrogate::SuperSpike;
  float surrogate_parameter = 10.0f;

  // A readout's neuron has one state, its membrane, and one parameter, its leak.
  std::size_t states() const { return kind == LayerKind::SparseLif ? model.numbers.states : 1; }
  std::size_t parameters() const {
    return kind == LayerKind::SparseLif ? model.numbers.parameters : 1;
  }
  std::size_t learnable() const {
    return kind == LayerKind::SparseLif ? model.numbers.learnable : 1;
  }
  std::size_t membrane() const { return kind == LayerKind::SparseLif ? model.membrane : 0; }
  // In codelets' names.
  const char* weight_type() const { return half_weights ? "half" : "float"; }
  std::size_t weight_bytes() const { return half_weights ? 2 : 4; }
  // Lists that it reads: its input's, and its own of the step before.
  std::size_t sources() const { return recurrent ? 2 : 1; }
};

enum class Optimizer { None, Sgd, Adam };

// Copies of each parameter that its state takes: none, the momentum, or two moments.
std::size_t optimizer_copies(Optimizer optimizer);

// Numbers that the host sends with every update on the device; sgd_update.cpp and adam_update.cpp
// say what they are.
constexpr std::size_t kOptimizerSettings = 7;

// A stack of layers, and the shape of the work that one executable does.
struct NetworkSpec {
  std::vector<LayerSpec> layers;   // only the last may be a LeakyReadout
  std::size_t steps = 0;           // T
  std::size_t batch = 0;           // B
  std::size_t input_capacity = 0;  // slots of the input's lists
  bool input_gradient = false;     // dL/dx of the listed inputs is wanted
  Optimizer optimizer = Optimizer::None;
  // States come in before the first step, their gradients go out; and the other way round after
  // the last.
  bool carries_state = false;
  bool traced = false;  // membranes of all steps are wanted, where tiles keep only some of them too

  // Rows of a weight matrix of layer `l`: its inputs, or itself.
  std::size_t source_size(std::size_t l, std::size_t source) const {
    return source == 0 ? layers[l].inputs : layers[l].neurons;
  }

  // Of all its weight matrices.
  std::size_t weight_rows(std::size_t l) const {
    return layers[l].inputs + (layers[l].recurrent ? layers[l].neurons : 0);
  }

  // True where what a source of layer `l` tells needs its gradient.
  bool sends_gradient(std::size_t l, std::size_t source) const {
    return l > 0 || source > 0 || input_gradient;
  }

  // Whether the gradient of any neurons' parameters is wanted.
  bool learns() const {
    return std::any_of(layers.begin(), layers.end(),
                       [](const LayerSpec& layer) { return layer.learns; });
  }

  // Throws std::invalid_argument, naming the layer, where the network can't be.
  void check() const;
};

}  // namespace popsnn
