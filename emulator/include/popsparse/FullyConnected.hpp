#ifndef popsparse_FullyConnected_hpp
#define popsparse_FullyConnected_hpp

#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <popsparse/FullyConnectedParams.hpp>
#include <popsparse/PlanningCache.hpp>
#include <popsparse/SparseTensor.hpp>
#include <tuple>

namespace popsparse {
namespace dynamic {

/// Options: availableMemoryProportion, metaInfoBucketOversizeProportion (0.3: how many more values
/// than the ratio of the parameters there is room for), doGradAPass, doGradWPass, partialsType,
/// sharedBuckets, enableStructuredRearrangements, planConstraints and those of the partitioner.
SparseTensor createFullyConnectedWeights(poplar::Graph& graph, const poplar::Type& inputType,
                                         const FullyConnectedParams& params,
                                         const poplar::DebugContext& debugContext = {},
                                         const poplar::OptionFlags& options = {},
                                         PlanningCache* cache = nullptr);
/// [batch, input channels]
poplar::Tensor createFullyConnectedInput(poplar::Graph& graph, const poplar::Type& inputType,
                                         const FullyConnectedParams& params,
                                         const poplar::DebugContext& debugContext = {},
                                         const poplar::OptionFlags& options = {},
                                         PlanningCache* cache = nullptr);

/// The outputs [batch, output channels] of `activations` [batch, input channels].
poplar::Tensor fullyConnectedFwd(poplar::Graph& graph, const SparseTensor& weights,
                                 const poplar::Tensor& activations,
                                 const FullyConnectedParams& fcParams,
                                 poplar::program::Sequence& prog,
                                 const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {},
                                 PlanningCache* cache = nullptr);
/// The gradient of the activations.
poplar::Tensor fullyConnectedGradA(poplar::Graph& graph, const SparseTensor& weights,
                                   const poplar::Tensor& gradients,
                                   const FullyConnectedParams& fcParams,
                                   poplar::program::Sequence& prog,
                                   const poplar::DebugContext& debugContext = {},
                                   const poplar::OptionFlags& options = {},
                                   PlanningCache* cache = nullptr);
/// The gradient of the values of the weights, as those lie.
poplar::Tensor fullyConnectedSparseGradW(
    poplar::Graph& graph, const poplar::Tensor sparsityMetaInfo, const poplar::Tensor& gradA,
    const poplar::Tensor& activations, const FullyConnectedParams& fcParams,
    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);
/// In how many steps a dense gradient of the weights is computed: in one.
std::tuple<unsigned, unsigned, unsigned> fullyConnectedDenseGradWSerialSplits(
    const poplar::Graph& graph, const poplar::Type& inputType, const FullyConnectedParams& fcParams,
    const poplar::OptionFlags& options_ = {}, PlanningCache* cache = nullptr);

}  // namespace dynamic
}  // namespace popsparse

#endif  // popsparse_FullyConnected_hpp
