#pragma once
#include <string>

#include <poplar/Graph.hpp>

#include "popsnn/network.hpp"

namespace popsnn {

// Adds the project's codelets, which are compiled at the path `codelets` with their sources next to
// it, their cycle estimators, and the codelets of the custom neurons of `network`; codelets that
// `graph` already has are skipped.
void add_codelets(poplar::Graph& graph, const NetworkSpec& network, const std::string& codelets);

}  // namespace popsnn
