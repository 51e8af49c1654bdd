// Casts from and to numbers of 8 bits, which have vertices of their own: no other operation
// computes with them.
#pragma once
#include <poplar/Graph.hpp>

namespace popops {

bool isQuarterCast(const poplar::Tensor& src, const poplar::Tensor& dst);
// Throws `poplibs_error` for QUARTER: a cast to it needs metadata.
void checkQuarterHasMetadata(const poplar::Type& dstType);
// With the metadata of the tensors of QUARTER as they are when the vertices run.
void addQuarterCast(poplar::Graph& graph, const poplar::Tensor& src, const poplar::Tensor& dst,
                    poplar::ComputeSet cs);

}  // namespace popops
