#ifndef popnn_Norms_hpp
#define popnn_Norms_hpp

#include <cstddef>
#include <cstdint>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <utility>

namespace popnn {

/// Floating point operations of a normalisation of so many activations.
std::uint64_t getNormFwdFlops(std::size_t statisticsSize, std::size_t numActsElements,
                              bool computeStats = true);
std::uint64_t getNormBwdFlops(std::size_t statisticsSize, std::size_t numActsElements);
std::uint64_t getNormWuFlops(std::size_t paramsSize, std::size_t numActsElements);

/// Parameters [C] for activations [N, C, F...], of their type. Throw poputil::poplibs_error for
/// activations of fewer than two dimensions.
poplar::Tensor createNormGamma(poplar::Graph& graph, const poplar::Tensor& acts,
                               const poplar::DebugContext& debugContext = {});
poplar::Tensor createNormBeta(poplar::Graph& graph, const poplar::Tensor& acts,
                              const poplar::DebugContext& debugContext = {});
/// Gamma and beta.
std::pair<poplar::Tensor, poplar::Tensor> createNormParams(
    poplar::Graph& graph, const poplar::Tensor acts, const poplar::DebugContext& debugContext = {});

}  // namespace popnn

#endif  // popnn_Norms_hpp
