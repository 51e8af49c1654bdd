#ifndef popnn_InstanceNorm_hpp
#define popnn_InstanceNorm_hpp

#include <popnn/GroupNorm.hpp>
#include <poputil/DebugInfo.hpp>  // as in the SDK
#include <poputil/exceptions.hpp>

namespace popnn {
namespace in {

// Each channel of each sample is a group: see GroupNorm.hpp.

inline std::pair<poplar::Tensor, poplar::Tensor> instanceNormStatistics(
    poplar::Graph& graph, const poplar::Tensor acts, float eps, poplar::program::Sequence& prog,
    bool unbiasedVarEstimate, bool stableAlgo, const poplar::Type& partialsType = poplar::FLOAT,
    const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {
  if (acts.rank() < 2) {
    throw poputil::poplibs_error("Norm supported for tensors of rank > 1, got " +
                                 acts.shapeToString());
  }
  return gn::groupNormStatistics(graph, acts, eps, prog, static_cast<unsigned>(acts.dim(1)),
                                 unbiasedVarEstimate, stableAlgo, partialsType, debugContext,
                                 options);
}

/// (acts - mean) * invStdDev
inline poplar::Tensor instanceNormWhiten(poplar::Graph& graph, const poplar::Tensor& acts,
                                         const poplar::Tensor& mean,
                                         const poplar::Tensor& invStdDev,
                                         poplar::program::Sequence& prog,
                                         const poplar::DebugContext& debugContext = {},
                                         const poplar::OptionFlags& options = {}) {
  return gn::groupNormWhiten(graph, acts, mean, invStdDev, prog, debugContext, options);
}

/// The normalised activations, whitened * gamma + beta, and the whitened ones.
inline std::pair<poplar::Tensor, poplar::Tensor> instanceNormalise(
    poplar::Graph& graph, const poplar::Tensor& acts, const poplar::Tensor& gamma,
    const poplar::Tensor& beta, const poplar::Tensor& mean, const poplar::Tensor& invStdDev,
    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {}) {
  return gn::groupNormalise(graph, acts, gamma, beta, mean, invStdDev, prog, debugContext, options);
}

/// The gradients of gamma and beta, given that of the output, from the activations or the whitened
/// ones.
inline std::pair<poplar::Tensor, poplar::Tensor> instanceNormParamGradients(
    poplar::Graph& graph, const poplar::Tensor& acts, const poplar::Tensor& gradsIn,
    const poplar::Tensor& mean, const poplar::Tensor& iStdDev, poplar::program::Sequence& prog,
    const poplar::Type& partialsType = poplar::FLOAT, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {}) {
  return gn::groupNormParamGradients(graph, acts, gradsIn, mean, iStdDev, prog, partialsType,
                                     debugContext, options);
}
inline std::pair<poplar::Tensor, poplar::Tensor> instanceNormParamGradients(
    poplar::Graph& graph, const poplar::Tensor& actsWhitened, const poplar::Tensor& gradsIn,
    poplar::program::Sequence& prog, const poplar::Type& partialsType = poplar::FLOAT,
    const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {
  return gn::groupNormParamGradients(graph, actsWhitened, gradsIn, prog, partialsType, debugContext,
                                     options);
}

/// The gradient of the activations, through the statistics too, given that of the output.
inline poplar::Tensor instanceNormGradients(
    poplar::Graph& graph, const poplar::Tensor& acts, const poplar::Tensor& gradsIn,
    const poplar::Tensor& mean, const poplar::Tensor& invStdDev, const poplar::Tensor& gamma,
    poplar::program::Sequence& prog, const poplar::Type& partialsType = poplar::FLOAT,
    const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {
  return gn::groupNormGradients(graph, acts, gradsIn, mean, invStdDev, gamma, prog, partialsType,
                                debugContext, options);
}
inline poplar::Tensor instanceNormGradients(
    poplar::Graph& graph, const poplar::Tensor& actsWhitened, const poplar::Tensor& gradsIn,
    const poplar::Tensor& invStdDev, const poplar::Tensor& gamma, poplar::program::Sequence& prog,
    const poplar::Type& partialsType = poplar::FLOAT, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {}) {
  return gn::groupNormGradients(graph, actsWhitened, gradsIn, invStdDev, gamma, prog, partialsType,
                                debugContext, options);
}

/// gamma += scale * gammaDelta, beta += scale * betaDelta
inline void instanceNormParamUpdate(poplar::Graph& graph, const poplar::Tensor& gammaDelta,
                                    const poplar::Tensor& betaDelta, float scale,
                                    poplar::Tensor& gamma, poplar::Tensor& beta,
                                    poplar::program::Sequence& prog,
                                    const poplar::DebugContext& debugContext = {},
                                    const poplar::OptionFlags& options = {}) {
  gn::groupNormParamUpdate(graph, gammaDelta, betaDelta, scale, gamma, beta, prog, debugContext,
                           options);
}
inline void instanceNormParamUpdate(poplar::Graph& graph, const poplar::Tensor& gammaDelta,
                                    const poplar::Tensor& betaDelta, const poplar::Tensor& scale,
                                    poplar::Tensor& gamma, poplar::Tensor& beta,
                                    poplar::program::Sequence& prog,
                                    const poplar::DebugContext& debugContext = {},
                                    const poplar::OptionFlags& options = {}) {
  gn::groupNormParamUpdate(graph, gammaDelta, betaDelta, scale, gamma, beta, prog, debugContext,
                           options);
}

// Declared in the SDK, and defined in no library of it.
uint64_t getFwdFlops(uint64_t numChannels, uint64_t actsPerChannel, bool computeEstimates);
uint64_t getBwdFlops(uint64_t numChannels, uint64_t actsPerChannel);
uint64_t getWuFlops(uint64_t numChannels, uint64_t actsPerChannel);

}  // namespace in
}  // namespace popnn

#endif  // popnn_InstanceNorm_hpp
