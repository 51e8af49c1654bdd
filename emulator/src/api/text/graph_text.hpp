#pragma once
#include <ostream>

#include "api/graph_data.hpp"

namespace poplar {
namespace emulator {

// The variables, compute sets and vertices of a graph.
void writeJson(std::ostream& out, const GraphData& data);

}  // namespace emulator
}  // namespace poplar
