#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "tensors.hpp"

namespace popsnn {

// One optimizer step on weights and biases where they lie; empty without an optimizer.
poplar::program::Sequence build_update(poplar::Graph& graph, const NetworkSpec& network,
                                       const Plan& plan, const NetworkTensors& tensors);

// The first replica's gradients become the sums of all, as far as the host may read them; empty
// with one replica.
poplar::program::Sequence build_gradient_sums(poplar::Graph& graph, const NetworkSpec& network,
                                              const Plan& plan, const NetworkTensors& tensors);

}  // namespace popsnn
