// Common code of dynamic and multiple slices: a tensor as entries of one dimension, and the
// vertices that read or write some of its entries, each on the tile where the entries lie.
#pragma once
#include <functional>
#include <poplar/Graph.hpp>
#include <string>
#include <vector>

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

// Which dimensions are sliced first, as in poplibs' bestSliceOrder: those that leave the least of
// `shape`.
std::vector<std::size_t> sliceOrder(const std::vector<std::size_t>& shape,
                                    const std::vector<std::size_t>& dims,
                                    const std::vector<std::size_t>& sizes);

// What offsets beyond the end are. As in poplibs: the first element for a slice of one offset, and
// nothing for many, unless options say otherwise.
struct OffsetOptions {
  bool remap = false;     // remapOutOfBoundIndices: offset 0
  bool padding = false;   // paddingIndexUsed: the size is the offset of zeros
  bool validate = false;  // validateIndices: other ones end the run

  explicit OffsetOptions(const poplar::OptionFlags& options);
};

// Tensors of QUARTER of several variables: all take the metadata of the first one.
poplar::Tensor withOneMetadata(poplar::Tensor t);

// Throws where offsets are no integers, or not `n` of them.
void checkOffsets(const poplar::Tensor& offsets, std::size_t n, const char* operation);

// The offsets (N,) as the vertices take them.
poplar::Tensor asOffsets(const poplar::Tensor& offsets);

}  // namespace popops
