// Estimates of the vertices of popnn: the arithmetic of each, in vectors of the data path.
#pragma once
#include <poplar/Graph.hpp>

namespace popnn {

void registerCycles(poplar::Graph& graph);

}  // namespace popnn
