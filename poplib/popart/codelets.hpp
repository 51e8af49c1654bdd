#pragma once
#include <poplar/Graph.hpp>

#include "popsnn/network.hpp"

namespace popsnn {
namespace ops {

// Adds the project's codelets, which lie next to this library, and those of the custom neurons of
// `network`; once for a graph, however many operators call it.
void add_own_codelets(poplar::Graph& graph, const NetworkSpec& network = NetworkSpec());

}  // namespace ops
}  // namespace popsnn
