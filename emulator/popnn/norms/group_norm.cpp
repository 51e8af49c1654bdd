#include <popnn/BatchNorm.hpp>
#include <popnn/GroupNorm.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>
#include <string>

#include "checks.hpp"

namespace popnn {
namespace gn {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;
using Pair = std::pair<Tensor, Tensor>;

namespace {

bool isStrided(const OptionFlags& options) {
  bool strided = false;
  const poplibs::OptionSpec spec{
      {"groupNormStridedChannelGrouping", poplibs::OptionHandler::createWithBool(strided)}};
  for (const auto& option : options) spec.parse(option.first, option.second);
  return strided;
}

// The number of groups of statistics [groups * N]; without samples there is nothing to group.
std::size_t groupsOf(const Tensor& acts, const Tensor& statistics, const char* operation) {
  checkNormActs(acts);
  const std::size_t samples = acts.dim(0), n = statistics.numElements();
  if (samples == 0) return 1;
  if (n == 0 || n % samples != 0) {
    throw poplibs_error(std::string(operation) +
                        ": expected statistics of a multiple of the batch size " +
                        std::to_string(samples) + ", got " + statistics.shapeToString());
  }
  return n / samples;
}

// Activations [N, C, F...] as [C / groups, groups * N, F...]: each group of a sample is a channel.
Tensor group(const Tensor& acts, std::size_t groups, bool strided) {
  const std::size_t channels = acts.dim(1);
  if (groups == 0 || channels % groups != 0) {
    throw poplibs_error(
        "Group Norm : Number of channels must be an integral multiple of number of groups, got " +
        std::to_string(channels) + " and " + std::to_string(groups));
  }
  const std::size_t each = channels / groups;
  if (!strided) {
    return acts.reshapePartial(1, 2, {groups, each})
        .reshapePartial(0, 2, {groups * acts.dim(0)})
        .dimRoll(1, 0);
  }
  return acts.reshapePartial(1, 2, {each, groups})
      .dimRoll(2, 1)
      .reshapePartial(0, 2, {groups * acts.dim(0)})
      .dimRoll(1, 0);
}

// The reverse, to the shape of `acts`.
Tensor ungroup(const Tensor& grouped, const Tensor& acts, std::size_t groups, bool strided) {
  const std::size_t samples = acts.dim(0), each = acts.dim(1) / groups;
  const Tensor split = grouped.dimRoll(1, 0).reshapePartial(0, 2, {samples, groups, each});
  return (strided ? split.dimRoll(2, 1) : split).reshape(acts.shape());
}

}  // namespace

Pair groupNormStatistics(Graph& graph, const Tensor acts, float eps, Sequence& prog,
                         unsigned numGroups, bool unbiasedVarEstimate, bool stableAlgo,
                         const Type& partialsType, const DebugContext& debugContext,
                         const OptionFlags& options) {
  checkNormActs(acts);
  return poplin::normStatistics(graph, group(acts, numGroups, isStrided(options)), eps, prog,
                                unbiasedVarEstimate, stableAlgo, partialsType,
                                {debugContext, "groupNormStatistics"});
}

Tensor groupNormWhiten(Graph& graph, const Tensor& acts, const Tensor& mean,
                       const Tensor& invStdDev, Sequence& prog, const DebugContext& debugContext,
                       const OptionFlags& options) {
  const std::size_t groups = groupsOf(acts, mean, "groupNormWhiten");
  const bool strided = isStrided(options);
  const Tensor whitened = poplin::normWhiten(graph, group(acts, groups, strided), mean, invStdDev,
                                             prog, {debugContext, "groupNormWhiten"});
  return ungroup(whitened, acts, groups, strided);
}

Pair groupNormalise(Graph& graph, const Tensor& acts, const Tensor& gamma, const Tensor& beta,
                    const Tensor& mean, const Tensor& invStdDev, Sequence& prog,
                    const DebugContext& debugContext, const OptionFlags& options) {
  const DebugContext dc(debugContext, "groupNormalise");
  const Tensor whitened = groupNormWhiten(graph, acts, mean, invStdDev, prog, dc, options);
  return {poplin::normalise(graph, whitened, gamma, beta, prog, dc), whitened};
}

Pair groupNormParamGradients(Graph& graph, const Tensor& actsWhitened, const Tensor& gradsIn,
                             Sequence& prog, const Type& partialsType,
                             const DebugContext& debugContext, const OptionFlags& options) {
  isStrided(options);
  checkNormActs(actsWhitened);
  return poplin::normParamGradients(graph, actsWhitened, gradsIn, prog, partialsType,
                                    {debugContext, "groupNormParamGradients"});
}

Pair groupNormParamGradients(Graph& graph, const Tensor& acts, const Tensor& gradsIn,
                             const Tensor& mean, const Tensor& iStdDev, Sequence& prog,
                             const Type& partialsType, const DebugContext& debugContext,
                             const OptionFlags& options) {
  const Tensor whitened = groupNormWhiten(graph, acts, mean, iStdDev, prog, debugContext, options);
  return groupNormParamGradients(graph, whitened, gradsIn, prog, partialsType, debugContext,
                                 options);
}

Tensor groupNormGradients(Graph& graph, const Tensor& actsWhitened, const Tensor& gradsIn,
                          const Tensor& invStdDev, const Tensor& gamma, Sequence& prog,
                          const Type& partialsType, const DebugContext& debugContext,
                          const OptionFlags& options) {
  const DebugContext dc(debugContext, "groupNormGradients");
  const std::size_t groups = groupsOf(actsWhitened, invStdDev, "groupNormGradients");
  const bool strided = isStrided(options);
  const Tensor grads = poplin::normGradients(graph, gradsIn, gamma, prog, dc);
  const Tensor out = poplin::normStatisticsGradients(graph, group(actsWhitened, groups, strided),
                                                     group(grads, groups, strided), invStdDev, prog,
                                                     partialsType, dc);
  return ungroup(out, actsWhitened, groups, strided);
}

Tensor groupNormGradients(Graph& graph, const Tensor& acts, const Tensor& gradsIn,
                          const Tensor& mean, const Tensor& invStdDev, const Tensor& gamma,
                          Sequence& prog, const Type& partialsType,
                          const DebugContext& debugContext, const OptionFlags& options) {
  const Tensor whitened =
      groupNormWhiten(graph, acts, mean, invStdDev, prog, debugContext, options);
  return groupNormGradients(graph, whitened, gradsIn, invStdDev, gamma, prog, partialsType,
                            debugContext, options);
}

void groupNormParamUpdate(Graph& graph, const Tensor& gammaDelta, const Tensor& betaDelta,
                          float scale, Tensor& gamma, Tensor& beta, Sequence& prog,
                          const DebugContext& debugContext, const OptionFlags& options) {
  bn::batchNormParamUpdate(graph, gammaDelta, betaDelta, scale, gamma, beta, prog, debugContext,
                           options);
}

void groupNormParamUpdate(Graph& graph, const Tensor& gammaDelta, const Tensor& betaDelta,
                          const Tensor& scale, Tensor& gamma, Tensor& beta, Sequence& prog,
                          const DebugContext& debugContext, const OptionFlags& options) {
  bn::batchNormParamUpdate(graph, gammaDelta, betaDelta, scale, gamma, beta, prog, debugContext,
                           options);
}

}  // namespace gn
}  // namespace popnn
