// Common code of dynamic and multiple slices: a tensor as entries of one dimension, and the
// vertices that read or write some of its entries, each on the tile where the entries lie.
#pragma once
#include <functional>
#include <poplar/Graph.hpp>
#include <string>

namespace popops {

// A vertex of codelets/slice.cpp.
struct SliceVertex {
  const char* operation;  // who asks, for messages
  std::string type;
  const char* field;  // the one that takes the rows of slices
};

// Adds the vertices that move between `base`, sliced along `dim`, and `slices` [N, rest], where
// rest are the other elements of `base` in order. `offsets` (N,) or (1,) are unsigned. finish(v)
// sets what else a vertex has.
void addSliceVertices(poplar::Graph& graph, const SliceVertex& vertex, const poplar::Tensor& base,
                      std::size_t dim, const poplar::Tensor& slices, const poplar::Tensor& offsets,
                      poplar::ComputeSet cs,
                      const std::function<void(const poplar::VertexRef&)>& finish);

// Throws where offsets are no integers, or not `n` of them.
void checkOffsets(const poplar::Tensor& offsets, std::size_t n, const char* operation);

// The offsets (N,) as the vertices take them.
poplar::Tensor asOffsets(const poplar::Tensor& offsets);

}  // namespace popops
