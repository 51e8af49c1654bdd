#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "tensors.hpp"

namespace popsnn {

// All time steps backward, from the output's gradient on its tiles to weight gradients on theirs,
// and to the input's gradient where it is an output; four compute sets a stage and time step.
// `first_step_end` runs after the first time step.
poplar::program::Sequence build_backward(
    poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
    const NetworkTensors& tensors, const std::vector<poplar::program::Sequence>& forward_neurons,
    const poplar::program::Sequence& first_step_end);

}  // namespace popsnn
