// From network and plan to Poplar programs, and the host streams that each of them needs.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// The engine's programs, in this order.
enum class ProgramId : unsigned {
  WriteParameters,  // weights and biases to their tiles
  WriteNeurons,     // the neurons' parameters
  ReadParameters,   // weights and biases
  Forward,          // input lists -> all steps -> readout
  Backward,         // output gradient -> all steps backward -> gradients on their tiles
  ReadGradients,    // gradients of weights, biases and of the neurons' parameters that learn
  ReadCounts,       // list lengths and drops of every spiking layer
  ReadSpikes,       // the lists of every spiking layer
  ReadMembranes,    // every layer's membrane at every step
  ReadStates,       // states after the last step, and the gradients of those before the first
  Update,           // optimizer step on the device
  ReadOptimizer,    // optimizer state out, for a checkpoint
  WriteOptimizer,   // and in: before the first update too
  Count
};

const char* program_name(ProgramId id);

// One host buffer that a program reads or fills, row-major. Names end in the layer's index.
struct HostStream {
  std::string name;
  poplar::Type type;
  std::vector<std::size_t> shape;
  bool to_device;
};

// The engine's handle of the stream `name` of a program.
std::string stream_handle(ProgramId id, const std::string& name);

struct BuiltNetwork {
  std::vector<poplar::program::Program> programs;  // by ProgramId
  std::vector<std::vector<HostStream>> streams;    // by ProgramId
};

// Builds every program of `network`; `graph` holds the project's and popops' codelets already.
// Counts cycles as `PlanOptions` says.
BuiltNetwork build_network(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
                           bool count_cycles = false);

}  // namespace popsnn
