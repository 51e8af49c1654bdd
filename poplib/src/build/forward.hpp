#pragma once
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "tensors.hpp"

namespace popsnn {

struct ForwardPrograms {
  poplar::program::Sequence program;
  std::vector<poplar::program::Sequence> neurons;  // by stage: neurons step from whole lists
};

// All time steps forward, from the input's lists in their history; three compute sets a stage and
// time step, and one more where spikes arrive late. `interval_end` runs after every checkpoint
// interval but the last.
ForwardPrograms build_forward(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
                              const NetworkTensors& tensors,
                              const poplar::program::Sequence& interval_end);

// The programs in which neurons step from whole lists, by stage: for a backward pass that
// recomputes states in a graph of its own.
std::vector<poplar::program::Sequence> build_neurons(poplar::Graph& graph,
                                                     const NetworkSpec& network, const Plan& plan,
                                                     const NetworkTensors& tensors);

}  // namespace popsnn
