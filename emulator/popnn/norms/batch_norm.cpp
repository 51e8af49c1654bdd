#include <popnn/BatchNorm.hpp>
#include <popops/ScaledAdd.hpp>

#include "checks.hpp"

namespace popnn {
namespace bn {

using namespace poplar;
using namespace poplar::program;
using Pair = std::pair<Tensor, Tensor>;
using poplin::DistributedNormReduceCallback;

Pair batchNormStatistics(Graph& graph, const Tensor acts, float eps, Sequence& prog,
                         bool unbiasedVarEstimate, bool stableAlgo, const Type& partialsType,
                         const DebugContext& debugContext, const OptionFlags&) {
  checkNormActs(acts);
  return poplin::normStatistics(graph, acts, eps, prog, unbiasedVarEstimate, stableAlgo,
                                partialsType, {debugContext, "batchNormStatistics"});
}

Pair distributedBatchNormStatistics(Graph& graph, const Tensor acts, float eps, Sequence& prog,
                                    bool unbiasedVarEstimate,
                                    DistributedNormReduceCallback reduceCallback,
                                    unsigned normBatchSize, bool stableAlgo,
                                    const Type& partialsType, const DebugContext& debugContext,
                                    const OptionFlags&) {
  checkNormActs(acts);
  return poplin::distributedNormStatistics(graph, acts, eps, prog, unbiasedVarEstimate,
                                           reduceCallback, normBatchSize, stableAlgo, partialsType,
                                           {debugContext, "distributedBatchNormStatistics"});
}

Tensor batchNormWhiten(Graph& graph, const Tensor& acts, const Tensor& mean,
                       const Tensor& invStdDev, Sequence& prog, const DebugContext& debugContext,
                       const OptionFlags&) {
  checkNormActs(acts);
  return poplin::normWhiten(graph, acts, mean, invStdDev, prog, {debugContext, "batchNormWhiten"});
}

Pair batchNormalise(Graph& graph, const Tensor& acts, const Tensor& gamma, const Tensor& beta,
                    const Tensor& mean, const Tensor& invStdDev, Sequence& prog,
                    const DebugContext& debugContext, const OptionFlags& options) {
  const DebugContext dc(debugContext, "batchNormalise");
  const Tensor whitened = batchNormWhiten(graph, acts, mean, invStdDev, prog, dc, options);
  return {poplin::normalise(graph, whitened, gamma, beta, prog, dc), whitened};
}

Tensor batchNormalise(Graph& graph, const Tensor& acts, const Tensor& combinedMultiplicand,
                      const Tensor& addend, Sequence& prog, const DebugContext& debugContext,
                      const OptionFlags&) {
  checkNormActs(acts);
  return poplin::normalise(graph, acts, combinedMultiplicand, addend, prog,
                           {debugContext, "batchNormalise"});
}

Pair batchNormParamGradients(Graph& graph, const Tensor& actsWhitened, const Tensor& gradsIn,
                             Sequence& prog, const Type& partialsType,
                             const DebugContext& debugContext, const OptionFlags&) {
  checkNormActs(actsWhitened);
  return poplin::normParamGradients(graph, actsWhitened, gradsIn, prog, partialsType,
                                    {debugContext, "batchNormParamGradients"});
}

Pair batchNormParamGradients(Graph& graph, const Tensor& acts, const Tensor& gradsIn,
                             const Tensor& mean, const Tensor& iStdDev, Sequence& prog,
                             const Type& partialsType, const DebugContext& debugContext,
                             const OptionFlags& options) {
  const Tensor whitened = batchNormWhiten(graph, acts, mean, iStdDev, prog, debugContext, options);
  return batchNormParamGradients(graph, whitened, gradsIn, prog, partialsType, debugContext,
                                 options);
}

Tensor distributedBatchNormGradients(Graph& graph, const Tensor& actsWhitened,
                                     const Tensor& gradsIn, const Tensor& invStdDev,
                                     const Tensor& gamma, Sequence& prog,
                                     DistributedNormReduceCallback reduceCallback,
                                     unsigned normBatchSize, const Type& partialsType,
                                     const DebugContext& debugContext, const OptionFlags&) {
  checkNormActs(actsWhitened);
  checkNormActs(gradsIn);
  const DebugContext dc(debugContext, "batchNormGradients");
  const Tensor grads = poplin::normGradients(graph, gradsIn, gamma, prog, dc);
  return poplin::distributedNormStatisticsGradients(
      graph, actsWhitened, grads, invStdDev, prog, reduceCallback, normBatchSize, partialsType, dc);
}

Tensor distributedBatchNormGradients(Graph& graph, const Tensor& acts, const Tensor& gradsIn,
                                     const Tensor& mean, const Tensor& invStdDev,
                                     const Tensor& gamma, Sequence& prog,
                                     DistributedNormReduceCallback reduceCallback,
                                     unsigned normBatchSize, const Type& partialsType,
                                     const DebugContext& debugContext, const OptionFlags& options) {
  const Tensor whitened =
      batchNormWhiten(graph, acts, mean, invStdDev, prog, debugContext, options);
  return distributedBatchNormGradients(graph, whitened, gradsIn, invStdDev, gamma, prog,
                                       reduceCallback, normBatchSize, partialsType, debugContext,
                                       options);
}

Tensor batchNormGradients(Graph& graph, const Tensor& actsWhitened, const Tensor& gradsIn,
                          const Tensor& invStdDev, const Tensor& gamma, Sequence& prog,
                          const Type& partialsType, const DebugContext& debugContext,
                          const OptionFlags& options) {
  return distributedBatchNormGradients(graph, actsWhitened, gradsIn, invStdDev, gamma, prog,
                                       nullptr, 0, partialsType, debugContext, options);
}

Tensor batchNormGradients(Graph& graph, const Tensor& acts, const Tensor& gradsIn,
                          const Tensor& mean, const Tensor& invStdDev, const Tensor& gamma,
                          Sequence& prog, const Type& partialsType,
                          const DebugContext& debugContext, const OptionFlags& options) {
  return distributedBatchNormGradients(graph, acts, gradsIn, mean, invStdDev, gamma, prog, nullptr,
                                       0, partialsType, debugContext, options);
}

void batchNormParamUpdate(Graph& graph, const Tensor& gammaDelta, const Tensor& betaDelta,
                          float scale, Tensor& gamma, Tensor& beta, Sequence& prog,
                          const DebugContext& debugContext, const OptionFlags&) {
  popops::scaledAddTo(graph, concat(beta, gamma), concat(betaDelta, gammaDelta), scale, prog,
                      {debugContext, "batchNormParamUpdate"});
}

void batchNormParamUpdate(Graph& graph, const Tensor& gammaDelta, const Tensor& betaDelta,
                          const Tensor& scale, Tensor& gamma, Tensor& beta, Sequence& prog,
                          const DebugContext& debugContext, const OptionFlags&) {
  popops::scaledAddTo(graph, concat(beta, gamma), concat(betaDelta, gammaDelta), scale, prog,
                      {debugContext, "batchNormParamUpdate"});
}

}  // namespace bn
}  // namespace popnn
