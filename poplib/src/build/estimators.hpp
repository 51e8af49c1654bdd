#pragma once
#include <poplar/Graph.hpp>

#include "popsnn/network.hpp"

namespace popsnn {

// Tells the graph what a vertex of each of the project's codelets costs (codelets/*/cycles.hpp),
// so that a profile needs no device. As many neurons are taken to fire as the lists of `network`
// have places for.
void add_estimators(poplar::Graph& graph, const NetworkSpec& network);

}  // namespace popsnn
