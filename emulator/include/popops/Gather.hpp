#ifndef popops_Gather_hpp
#define popops_Gather_hpp

#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <vector>

namespace popops {

struct GatherParams {
  GatherParams() = default;
  GatherParams(std::size_t maxElementsPerTile_) : maxElementsPerTile(maxElementsPerTile_) {}

  std::size_t maxElementsPerTile = 65535;
};

/// A tensor that gather() reads without exchange.
poplar::Tensor createGatherInput(poplar::Graph& graph, const poplar::Type& type,
                                 const std::vector<std::size_t>& operandShape, unsigned axis,
                                 GatherParams params = {},
                                 const poplar::DebugContext& debugContext = {});
poplar::Tensor createGatherInput(poplar::Graph& graph, const poplar::Type& type,
                                 const std::vector<std::size_t>& inputShape,
                                 const std::vector<std::size_t>& sliceSizes,
                                 std::vector<unsigned> startIndexMap,
                                 const poplar::DebugContext& debugContext = {});

/// `input` with its elements at `indices` along `axis`: the indices, flattened, replace
/// that dimension. One beyond the end gives zeros.
poplar::Tensor gather(poplar::Graph& graph, const poplar::Tensor& input,
                      const poplar::Tensor& indices, unsigned axis, poplar::program::Sequence& prog,
                      GatherParams params, const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& optionFlags = {});

/// XLA's Gather. Dimension `indexVectorDim` of `indices` holds where a slice of `sliceSizes` begins
/// along the dimensions `startIndexMap` of `input` (there is one such dimension, and an index each,
/// where it is the rank of the indices). Slices lose the dimensions `collapsedSliceDims`; the
/// others are dimensions `offsetDims` of the result, and those of the indices the rest, in order.
poplar::Tensor gather(poplar::Graph& graph, const poplar::Tensor& input,
                      const poplar::Tensor& indices, std::size_t indexVectorDim,
                      const std::vector<std::size_t>& offsetDims,
                      const std::vector<std::size_t>& sliceSizes,
                      const std::vector<std::size_t>& collapsedSliceDims,
                      const std::vector<unsigned>& startIndexMap, poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& optionFlags = {});

}  // namespace popops

#endif  // popops_Gather_hpp
