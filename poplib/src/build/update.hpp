#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "tensors.hpp"

namespace popsnn {

// One optimizer step on the tiles of the weights and biases; empty without an optimizer.
poplar::program::Sequence build_update(poplar::Graph& graph, const NetworkSpec& network,
                                       const Plan& plan, const NetworkTensors& tensors);

// Sums the gradients of all replicas, as far as the host may read them: of weights and biases each
// replica its range, of all else the first one. Empty with one replica.
poplar::program::Sequence build_gradient_sums(poplar::Graph& graph, const NetworkSpec& network,
                                              const Plan& plan, const NetworkTensors& tensors);

// The gradient of a layer's parameter `which` of `parameter_at`, of the ranges that replicas have
// summed: [rows, neurons].
poplar::Tensor summed_gradient(const NetworkTensors& tensors, std::size_t l, std::size_t which);

}  // namespace popsnn
