#pragma once
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "tensors.hpp"

namespace popsnn {

struct ForwardPrograms {
  poplar::program::Sequence program;
  std::vector<poplar::ComputeSet> neurons;  // by stage: neurons step from whole lists
};

// All steps forward, from the input's lists in their history; three compute sets a stage and step.
// `segment_end` runs after every segment of steps but the last.
ForwardPrograms build_forward(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
                              const NetworkTensors& tensors,
                              const poplar::program::Sequence& segment_end);

// The compute sets in which neurons step from whole lists, by stage: for a backward pass that works
// segments out again in a graph of its own.
std::vector<poplar::ComputeSet> build_neurons(poplar::Graph& graph, const NetworkSpec& network,
                                              const Plan& plan, const NetworkTensors& tensors);

}  // namespace popsnn
