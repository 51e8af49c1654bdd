#pragma once
#include <poplar/Graph.hpp>

#include "popsnn/network.hpp"

namespace popsnn {
namespace ops {

// Adds the project's codelets, which lie beside this library, and those of the neuron models that
// `network` brings; once for a graph, however many operators ask.
void add_own_codelets(poplar::Graph& graph, const NetworkSpec& network = NetworkSpec());

}  // namespace ops
}  // namespace popsnn
