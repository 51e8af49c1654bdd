// Estimates for the vertices of poplin.
#pragma once
#include <poplar/Graph.hpp>

namespace poplin {

void registerCycles(poplar::Graph& graph);

}  // namespace poplin
