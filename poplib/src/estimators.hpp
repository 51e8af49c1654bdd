#pragma once
#include <poplar/Graph.hpp>

namespace popsnn {

// Tells the graph what a vertex of each of the project's codelets costs (codelets/*.cycles.hpp), so
// that a profile needs no device.
void add_estimators(poplar::Graph& graph);

}  // namespace popsnn
