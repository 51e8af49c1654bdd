#pragma once
#include <string>

#include <poplar/Graph.hpp>

#include "popsnn/network.hpp"

namespace popsnn {

// Compiles the neuron models of `network` that lie outside of the project, against the sources
// beside the compiled `codelets`. Throws poplar::graph_program_compilation_error with popc's
// messages.
void add_neuron_codelets(poplar::Graph& graph, const NetworkSpec& network,
                         const std::string& codelets);

}  // namespace popsnn
