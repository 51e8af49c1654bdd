#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "tensors.hpp"

namespace popsnn {

// All steps forward, from the input's lists in their history; two compute sets a stage and step.
poplar::program::Sequence build_forward(poplar::Graph& graph, const NetworkSpec& network,
                                        const Plan& plan, const NetworkTensors& tensors);

}  // namespace popsnn
