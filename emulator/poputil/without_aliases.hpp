#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>
#include <utility>

namespace poputil {

// A tensor and its clone for a Copy between them: each element once where both have aliases, as a
// Copy writes no element twice.
std::pair<poplar::Tensor, poplar::Tensor> withoutAliases(const poplar::Graph& graph,
                                                         const poplar::Tensor& t,
                                                         const poplar::Tensor& clone);

}  // namespace poputil
