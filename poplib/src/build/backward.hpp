#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "tensors.hpp"

namespace popsnn {

// All steps back, from the output's gradient on its tiles to weight gradients on theirs (and the
// input's where wanted); four compute sets a stage and step. `first_step_end` runs when the current
// gradients are those of the first step.
poplar::program::Sequence build_backward(poplar::Graph& graph, const NetworkSpec& network,
                                         const Plan& plan, const NetworkTensors& tensors,
                                         const std::vector<poplar::ComputeSet>& forward_neurons,
                                         const poplar::program::Sequence& first_step_end);

}  // namespace popsnn
