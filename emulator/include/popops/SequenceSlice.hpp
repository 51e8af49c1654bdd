#ifndef popops_SequenceSlice_hpp
#define popops_SequenceSlice_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poputil/DebugInfo.hpp>

namespace popops {

/// Copies tN[i] rows of `tIn`, from row tInOffset[i] on, to `tOut` from row tOutOffset[i] on, for
/// each i in order, until a tN[i] is 0. What lies outside of either tensor is left out. The rows of
/// both have equally many elements. With `zeroUnused`, the other elements of `tOut` become zero,
/// else they stay.
void sequenceSlice(poplar::Graph& graph, const poplar::Tensor& tIn, const poplar::Tensor& tOut,
                   const poplar::Tensor& tN, const poplar::Tensor& tInOffset,
                   const poplar::Tensor& tOutOffset, bool zeroUnused,
                   poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_SequenceSlice_hpp
