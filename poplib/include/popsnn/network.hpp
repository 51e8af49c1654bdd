// What a network is, before any device is thought of.
#pragma once
#include <cstddef>
#include <vector>

#include "neuron.hpp"

namespace popsnn {

enum class LayerKind { SparseLif, LeakyReadout };

// One layer: a linear map of spikes and its neurons. Parameters' values are data, not part of it.
struct LayerSpec {
  LayerKind kind = LayerKind::SparseLif;
  std::size_t inputs = 0;
  std::size_t neurons = 0;
  std::size_t capacity = 0;  // list entries a sample and step; SparseLif only
  unsigned delay = 0;        // 0 or 1 steps between the input's spikes and this layer
  bool bias = true;          // false: the bias stays what it was set to, zero
  float gain = 1.0f;
  Reset reset = Reset::Zero;
  bool detach_reset = true;
  Surrogate surrogate = Surrogate::SuperSpike;
  float surrogate_parameter = 10.0f;
};

enum class Optimizer { None, Sgd, Adam };

// Copies of each parameter that its state takes: none, the momentum, or two moments.
std::size_t optimizer_copies(Optimizer optimizer);

// Numbers that the host sends with every update on the device; sgd_update.cpp and adam_update.cpp
// say what they are.
constexpr std::size_t kOptimizerSettings = 7;

// A feed-forward stack, and the shape of the work that one executable does.
struct NetworkSpec {
  std::vector<LayerSpec> layers;   // only the last may be a LeakyReadout
  std::size_t steps = 0;           // T
  std::size_t batch = 0;           // B
  std::size_t input_capacity = 0;  // slots of the input's lists
  bool input_gradient = false;     // dL/dx of the listed inputs is wanted
  Optimizer optimizer = Optimizer::None;

  // True where what layer `l` reads needs its gradient.
  bool sends_gradient(std::size_t l) const { return l > 0 || input_gradient; }

  // Throws std::invalid_argument, naming the layer, where the network can't be.
  void check() const;
};

}  // namespace popsnn
