#ifndef popops_NormaliseImage_hpp
#define popops_NormaliseImage_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popops {

/// An image of three channels, the innermost dimension, of UNSIGNED_CHAR, HALF or FLOAT: whole
/// pixels on each tile.
poplar::Tensor createNormaliseImageInput(poplar::Graph& graph, const poplar::Type& type,
                                         const poplar::ArrayRef<std::size_t> shape,
                                         const poplar::DebugContext& debugContext = {});

/// (tIn[..., c] * inScale - offsets[c]) * scales[c], and a fourth channel of zeros. The result is
/// of the type of `tIn`, or HALF for UNSIGNED_CHAR, and `offsets` {3} and `scales` {3} are of that.
poplar::Tensor normaliseImage(poplar::Graph& graph, poplar::program::Sequence& seq,
                              poplar::Tensor tIn, float inScale, poplar::Tensor offsets,
                              poplar::Tensor scales, const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_NormaliseImage_hpp
