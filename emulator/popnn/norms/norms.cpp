#include <poplin/Norms.hpp>
#include <popnn/Norms.hpp>
#include <poputil/exceptions.hpp>

#include "checks.hpp"

namespace popnn {

using namespace poplar;

void checkNormActs(const Tensor& acts) {
  if (acts.rank() < 2) {
    throw poputil::poplibs_error("Norm supported for tensors of rank > 1, got " +
                                 acts.shapeToString());
  }
}

Tensor createNormGamma(Graph& graph, const Tensor& acts, const DebugContext& debugContext) {
  checkNormActs(acts);
  return poplin::createNormGamma(graph, acts, debugContext);
}

Tensor createNormBeta(Graph& graph, const Tensor& acts, const DebugContext& debugContext) {
  checkNormActs(acts);
  return poplin::createNormBeta(graph, acts, debugContext);
}

std::pair<Tensor, Tensor> createNormParams(Graph& graph, const Tensor acts,
                                           const DebugContext& debugContext) {
  checkNormActs(acts);
  return poplin::createNormParams(graph, acts, debugContext);
}

std::uint64_t getNormFwdFlops(std::size_t statisticsSize, std::size_t numActsElements,
                              bool computeStats) {
  // Scale and shift of each activation.
  const std::uint64_t normalise = 2 * numActsElements;
  // Two sums and the whitening of each; of each statistic the means, and the variance with eps.
  return computeStats ? normalise + 4 * numActsElements + 5 * statisticsSize : normalise;
}

std::uint64_t getNormBwdFlops(std::size_t statisticsSize, std::size_t numActsElements) {
  // The scale's reverse; two products, two sums, two differences and a scale of each activation.
  return 8 * numActsElements + 2 * statisticsSize;
}

std::uint64_t getNormWuFlops(std::size_t paramsSize, std::size_t numActsElements) {
  // A product and two sums; the update of both parameters.
  return 3 * numActsElements + 4 * paramsSize;
}

}  // namespace popnn
