#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "tensors.hpp"

namespace popsnn {

// One optimizer step on the tiles of the weights and biases; empty without an optimizer.
poplar::program::Sequence build_update(poplar::Graph& graph, const NetworkSpec& network,
                                       const Plan& plan, const NetworkTensors& tensors);

// Sums the gradients of all replicas on the first one, as far as the host may read them; empty with
// one replica.
poplar::program::Sequence build_gradient_sums(poplar::Graph& graph, const NetworkSpec& network,
                                              const Plan& plan, const NetworkTensors& tensors);

}  // namespace popsnn
