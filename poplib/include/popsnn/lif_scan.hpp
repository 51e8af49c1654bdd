// LIF neurons that are driven by currents, all time steps at once, inside of a larger graph.
#pragma once
#include <cstddef>
#include <string>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "neurons/options.hpp"

namespace popsnn {

struct LifOptions {
  Reset reset = Reset::Zero;
  bool detach_reset = true;
  Surrogate surrogate = Surrogate::SuperSpike;
  float surrogate_parameter = 10.0f;
};

struct LifScan {
  poplar::Tensor spikes, membrane;  // [steps, batch, neurons]
};

struct LifScanGrad {
  poplar::Tensor current;     // [steps, batch, neurons]
  poplar::Tensor parameters;  // [2, neurons] of the decay and the threshold
};

// A variable [steps, batch, neurons] FLOAT in the layout that these functions read, with its
// neurons distributed over the tiles.
poplar::Tensor add_scanned(poplar::Graph& graph, std::size_t steps, std::size_t batch,
                           std::size_t neurons, const std::string& name);

// From rest. `current`: [steps, batch, neurons]; `parameters`: [3, neurons], the decay, the
// threshold and the gradient threshold.
LifScan lif_scan(poplar::Graph& graph, const poplar::Tensor& current,
                 const poplar::Tensor& parameters, const LifOptions& options,
                 poplar::program::Sequence& program);

LifScanGrad lif_scan_grad(poplar::Graph& graph, const poplar::Tensor& spike_grad,
                          const poplar::Tensor& membrane, const poplar::Tensor& parameters,
                          const LifOptions& options, poplar::program::Sequence& program);

}  // namespace popsnn
