#include <poplin/ConvUtil.hpp>
#include <poplin/Convolution.hpp>
#include <popops/ScaledAdd.hpp>
#include <poputil/exceptions.hpp>

#include "conv_options.hpp"
#include "conv_shapes.hpp"

namespace poplin {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;

namespace {

// [batch, groups * channels, field...] as [batch, groups, channels, field...].
Tensor splitGroups(const Tensor& t, std::size_t groups, std::size_t channels) {
  return t.reshapePartial(1, 2, {groups, channels});
}

void checkDeltas(const Tensor& zDeltas, const ConvParams& p) {
  if (zDeltas.shape() != outputShape(p)) {
    throw poplibs_error("calculateWeightDeltas: zDeltas: expected the shape of the output, got " +
                        zDeltas.shapeToString());
  }
}

OptionFlags optionsOfUpdate(const OptionFlags& options) {
  OptionFlags out = options;
  const bool connected = options.has("pass") && options.at("pass").str().rfind("FC_", 0) == 0;
  out.set("pass", connected ? "FC_TRAINING_WU" : "TRAINING_WU");
  return out;
}

template <class Scale>
void update(Graph& graph, const Tensor& zDeltas, const Tensor& weights, const Tensor& activations,
            ConvParams params, const Scale& scale, Sequence& prog, const DebugContext& debugContext,
            const OptionFlags& options, PlanningCache* cache) {
  // The gradient has the type of the weights.
  params.outputType = params.inputType;
  const Tensor deltas = calculateWeightDeltas(graph, zDeltas, activations, params, prog,
                                              debugContext, options, cache);
  const Tensor to = withGroups(weights, params);
  checkWeights(to, params);
  popops::scaledAddTo(graph, to, deltas, scale, prog, {debugContext, "UpdateWeights"});
}

}  // namespace

Tensor calculateWeightDeltas(Graph& graph, const Tensor& zDeltas, const Tensor& activations,
                             const ConvParams& params, Sequence& prog,
                             const DebugContext& debugContext, const OptionFlags& options,
                             PlanningCache* cache) {
  checkConvolution(params, options, "Convolution");
  checkInput(activations, params);
  checkDeltas(zDeltas, params);
  const std::size_t groups = params.numConvGroups;
  // [channels, groups * batch, field...], convolved with [groups, channels, batch, field...].
  const Tensor in = splitGroups(activations, groups, params.inputChannelsPerConvGroup)
                        .dimShufflePartial({2, 1, 0}, {0, 1, 2})
                        .flatten(1, 3);
  const Tensor kernel = splitGroups(zDeltas, groups, params.outputChannelsPerConvGroup)
                            .dimShufflePartial({1, 2, 0}, {0, 1, 2});
  const Tensor out =
      convolution(graph, in, kernel, getWeightUpdateParams(params), false, prog,
                  {debugContext, "calculateWeightDeltas"}, optionsOfUpdate(options), cache);
  return splitGroups(out, groups, params.outputChannelsPerConvGroup)
      .dimShufflePartial({1, 2, 0}, {0, 1, 2});
}

void convolutionWeightUpdate(Graph& graph, const Tensor& zDeltas, const Tensor& weights,
                             const Tensor& activations, ConvParams params, const Tensor& scale,
                             Sequence& prog, const DebugContext& debugContext,
                             const OptionFlags& options, PlanningCache* cache) {
  update(graph, zDeltas, weights, activations, std::move(params), scale, prog, debugContext,
         options, cache);
}

void convolutionWeightUpdate(Graph& graph, const Tensor& zDeltas, const Tensor& weights,
                             const Tensor& activations, ConvParams params, float scale,
                             Sequence& prog, const DebugContext& debugContext,
                             const OptionFlags& options, PlanningCache* cache) {
  update(graph, zDeltas, weights, activations, std::move(params), scale, prog, debugContext,
         options, cache);
}

}  // namespace poplin
