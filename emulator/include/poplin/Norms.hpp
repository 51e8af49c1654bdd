#ifndef poplin_Norms_hpp
#define poplin_Norms_hpp

#include <functional>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace poplin {

// Activations are [N, C, F...], with a field of any number of dimensions; statistics and
// parameters are [C]. All throw poputil::poplibs_error for activations of fewer than two
// dimensions. Sums are in float, whatever the type of partial results.

poplar::Tensor createNormGamma(poplar::Graph& graph, const poplar::Tensor& acts,
                               const poplar::Type& type,
                               const poplar::DebugContext& debugContext = {});
poplar::Tensor createNormGamma(poplar::Graph& graph, const poplar::Tensor& acts,
                               const poplar::DebugContext& debugContext = {});
poplar::Tensor createNormBeta(poplar::Graph& graph, const poplar::Tensor& acts,
                              const poplar::Type& type,
                              const poplar::DebugContext& debugContext = {});
poplar::Tensor createNormBeta(poplar::Graph& graph, const poplar::Tensor& acts,
                              const poplar::DebugContext& debugContext = {});
/// Gamma and beta.
std::pair<poplar::Tensor, poplar::Tensor> createNormParams(
    poplar::Graph& graph, const poplar::Tensor& acts,
    const poplar::DebugContext& debugContext = {});

/// The mean over N and F, and 1 / sqrt((variance + eps) * n / (n - 1)), where the last factor is
/// for the unbiased estimate of n elements. The stable algorithm subtracts the mean before it
/// squares.
std::pair<poplar::Tensor, poplar::Tensor> normStatistics(
    poplar::Graph& graph, const poplar::Tensor& actsUngrouped, float eps,
    poplar::program::Sequence& prog, bool unbiasedVarEstimate, bool stableAlgo = false,
    const poplar::Type& partialsType = poplar::FLOAT,
    const poplar::DebugContext& debugContext = {});

/// Appends what sums tensors, which are independent, over groups of `groupSize` replicas.
using DistributedNormReduceCallback = std::function<std::vector<poplar::Tensor>(
    poplar::Graph& replicatedGraph, const std::vector<poplar::Tensor>& inputsToReduce,
    poplar::program::Sequence& prog, unsigned groupSize, const poplar::DebugContext& debugContext,
    const poplar::OptionFlags& options)>;

/// Statistics over `normSize` samples, of which each replica has N: the callback sums over them
/// where there are more. `normSize` is a multiple of N.
std::pair<poplar::Tensor, poplar::Tensor> distributedNormStatistics(
    poplar::Graph& replicatedGraph, const poplar::Tensor& actsUngrouped, float eps,
    poplar::program::Sequence& prog, bool unbiasedVarEstimate,
    DistributedNormReduceCallback allReduceCallback, unsigned normSize, bool stableAlgo = false,
    const poplar::Type& partialsType = poplar::FLOAT,
    const poplar::DebugContext& debugContext = {});

/// (acts - mean) * iStdDev
poplar::Tensor normWhiten(poplar::Graph& graph, const poplar::Tensor& acts,
                          const poplar::Tensor& mean, const poplar::Tensor& iStdDev,
                          poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {});
/// actsWhitened * gamma + beta
poplar::Tensor normalise(poplar::Graph& graph, const poplar::Tensor& actsWhitened,
                         const poplar::Tensor& gamma, const poplar::Tensor& beta,
                         poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {});

/// The gradients of gamma and beta, given that of the output.
std::pair<poplar::Tensor, poplar::Tensor> normParamGradients(
    poplar::Graph& graph, const poplar::Tensor& actsWhitened, const poplar::Tensor& gradsIn,
    poplar::program::Sequence& prog, const poplar::Type& partialsType = poplar::FLOAT,
    const poplar::DebugContext& debugContext = {});
/// The gradient of the whitened activations: gradsIn * gamma
poplar::Tensor normGradients(poplar::Graph& graph, const poplar::Tensor& gradsIn,
                             const poplar::Tensor& gamma, poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {});
/// The gradient of the activations, through the statistics too, given that of the whitened ones.
poplar::Tensor normStatisticsGradients(poplar::Graph& graph, const poplar::Tensor& actsWhitened,
                                       const poplar::Tensor& gradsIn,
                                       const poplar::Tensor& invStdDev,
                                       poplar::program::Sequence& prog,
                                       const poplar::Type& partialsType = poplar::FLOAT,
                                       const poplar::DebugContext& debugContext = {});
poplar::Tensor distributedNormStatisticsGradients(
    poplar::Graph& replicatedGraph, const poplar::Tensor& actsWhitened,
    const poplar::Tensor& gradsIn, const poplar::Tensor& invStdDev, poplar::program::Sequence& prog,
    poplin::DistributedNormReduceCallback reduceCallback, unsigned normSize,
    const poplar::Type& partialsType = poplar::FLOAT,
    const poplar::DebugContext& debugContext = {});

}  // namespace poplin

#endif  // poplin_Norms_hpp
