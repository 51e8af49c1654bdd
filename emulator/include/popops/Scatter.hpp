#ifndef popops_Scatter_hpp
#define popops_Scatter_hpp

#include <functional>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <vector>

namespace popops {

/// XLA's Scatter: writes slices of `updates` into `operand`. Dimension `indexVectorDim` of
/// `indices` holds where a slice goes along the dimensions `scatterDimsToOperandDims` of the
/// operand. Dimensions `updateWindowDims` of the updates are those of a slice, without the
/// dimensions `insertWindowDims` of the operand, along which it has one element.
void scatter(poplar::Graph& graph, const poplar::Tensor& operand, const poplar::Tensor& indices,
             const poplar::Tensor& updates, std::size_t indexVectorDim,
             std::vector<unsigned> updateWindowDims, std::vector<std::size_t> insertWindowDims,
             std::vector<unsigned> scatterDimsToOperandDims, poplar::program::Sequence& prog,
             const poplar::DebugContext& debugContext = {},
             const poplar::OptionFlags& optionFlags = {});

/// Makes what is written from what is there and the update, both slices of the operand's rank.
using UpdateComputationFunc = std::function<poplar::Tensor(
    poplar::Graph&, poplar::Tensor&, poplar::Tensor&, poplar::program::Sequence&)>;

void scatter(poplar::Graph& graph, const poplar::Tensor& operand, const poplar::Tensor& indices,
             const poplar::Tensor& updates, std::size_t indexVectorDim,
             std::vector<unsigned> updateWindowDims, std::vector<std::size_t> insertWindowDims,
             std::vector<unsigned> scatterDimsToOperandDims,
             UpdateComputationFunc& updateComputation, poplar::program::Sequence& prog,
             const poplar::DebugContext& debugContext = {},
             const poplar::OptionFlags& optionFlags = {});

}  // namespace popops

#endif  // popops_Scatter_hpp
