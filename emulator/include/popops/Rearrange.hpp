#ifndef popops_Rearrange_hpp
#define popops_Rearrange_hpp

#include <cstddef>
#include <functional>
#include <gccs/CompilerFeatures.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <poputil/VarStructure.hpp>
#include <utility>
#include <vector>

namespace popops {
namespace rearrange {

/// Whether the device has a codelet of its own that transposes matrices of these sizes.
bool canUseFastTranspose(const poplar::Target& target, const poplar::Type& type, unsigned numRows,
                         unsigned numColumns, unsigned numTranspositions);

/// Adds to `cs` the vertices that transpose matrices [rows, cols]: for each index in `mapping`, on
/// its tile, the first tensor of getInOut(index) to the second one, both flattened.
void addTransposeVertices(
    poplar::Graph& graph, const poplar::ComputeSet& cs, const poplar::Type& dType, unsigned rows,
    unsigned cols, const poplar::Graph::TileToTensorMapping& mapping,
    std::function<std::pair<const poplar::Tensor, const poplar::Tensor>(std::size_t)> getInOut,
    const poplar::DebugContext& debugContext = {});

/// A new tensor, with the last two dimensions of `in` exchanged, that `cs` fills.
poplar::Tensor partialTranspose(poplar::Graph& graph, const poplar::Tensor& in,
                                const poplar::ComputeSet& cs,
                                const poplar::DebugContext& debugContext = {});

/// The smallest groups that the device transposes between.
unsigned getMinimumRegroupGrainSize(const poplar::Type& type);

// Rearranges a tensor so that groups of a dimension are stored in a row: `from` and `to` say of
// which. First come the copies, then the transpositions of a compute set. IfPossible: where the
// innermost groups are of another dimension. IfBeneficial: where those of a reference, or groups of
// the last dimension, are of another one and both have the size that is transposed at least.

poplar::Tensor regroupTensor(poplar::Graph& graph, const poplar::Tensor& t,
                             poplar::program::Sequence& copies,
                             const poplar::ComputeSet& transposeCS,
                             const poputil::GroupingInfo& from, const poputil::GroupingInfo& to,
                             const poplar::DebugContext& debugContext = {});
poplar::Tensor regroupTensor(poplar::Graph& graph, const poplar::Tensor& t,
                             std::vector<poplar::program::Copy>& copies,
                             const poplar::ComputeSet& transposeCS,
                             const poputil::GroupingInfo& from, const poputil::GroupingInfo& to,
                             const poplar::DebugContext& debugContext = {});
poplar::Tensor regroupIfPossible(poplar::Graph& graph, const poplar::Tensor& t,
                                 poplar::program::Sequence& prog, const poputil::GroupingInfo& to,
                                 const poplar::DebugContext& debugContext = {});
poplar::Tensor regroupIfBeneficial(poplar::Graph& graph, const poplar::Tensor& in,
                                   const poplar::Tensor& ref, poplar::program::Sequence& prog,
                                   const poplar::DebugContext& debugContext = {});
poplar::Tensor regroupIfBeneficial(poplar::Graph& graph, const poplar::Tensor& in,
                                   const poplar::Tensor& ref,
                                   std::vector<poplar::program::Copy>& copies,
                                   poplar::ComputeSet transposeCS,
                                   const poplar::DebugContext& debugContext = {});
poplar::Tensor regroupIfBeneficial(poplar::Graph& graph, const poplar::Tensor& in,
                                   std::size_t preferredGrouping, poplar::program::Sequence& prog,
                                   const poplar::DebugContext& debugContext = {});

}  // namespace rearrange
}  // namespace popops

#endif  // popops_Rearrange_hpp
