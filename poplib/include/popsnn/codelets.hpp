#pragma once
#include <string>

#include <poplar/Graph.hpp>

#include "popsnn/network.hpp"

namespace popsnn {

// Adds the project's codelets, compiled ones at the path `codelets` whose sources lie beside them,
// with what they cost, and those of the neuron models that `network` brings; what `graph` has
// already is left.
void add_codelets(poplar::Graph& graph, const NetworkSpec& network, const std::string& codelets);

}  // namespace popsnn
