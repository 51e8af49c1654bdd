// 0, 1, ..., n - 1, to compare labels with.
#pragma once
#include <poplar/Graph.hpp>

namespace popops {

// A constant [n] of unsigned int.
poplar::Tensor classIndices(poplar::Graph& graph, std::size_t n, const poplar::DebugContext& dc);

// Labels [N] as [N, 1] of unsigned int, to broadcast against [N, C]. Throws where they are no
// integers, or not one for each row of `rows` [N, C].
poplar::Tensor labelColumn(const poplar::Tensor& labels, const poplar::Tensor& rows,
                           const char* operation);

}  // namespace popops
