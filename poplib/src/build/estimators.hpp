#pragma once
#include <poplar/Graph.hpp>

#include "popsnn/network.hpp"

namespace popsnn {

// Registers the cycle estimators of the project's codelets (codelets/*/cycles.hpp), so that a
// profile needs no device. They assume that as many neurons fire as the capacities of `network`
// allow.
void add_estimators(poplar::Graph& graph, const NetworkSpec& network);

}  // namespace popsnn
