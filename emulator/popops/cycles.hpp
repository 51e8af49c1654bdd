// Estimates for the vertices of popops.
#pragma once
#include <poplar/Graph.hpp>

namespace popops {

void registerCycles(poplar::Graph& graph);

}  // namespace popops
