#include <popnn/CTCLoss.hpp>
#include <popnn/LogSoftmax.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>
#include <string>

#include "plan.hpp"

namespace popnn {
namespace ctc {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;

namespace {

struct Options {
  bool softmax = true, zero_infinity = false;
};

Options parse(const OptionFlags& flags) {
  using poplibs::OptionHandler;
  Options out;
  double tolerance;
  const poplibs::OptionSpec spec{
      {"includeSoftmaxGradient", OptionHandler::createWithBool(out.softmax)},
      {"zeroInfinity", OptionHandler::createWithBool(out.zero_infinity)},
      {"zeroInfinityRelTolerance", OptionHandler::createWithDouble(tolerance, 0.)},
  };
  for (const auto& flag : flags) spec.parse(flag.first, flag.second);
  return out;
}

struct Samples {
  Tensor log_probs, labels, steps, lengths;
};

void check(const Samples& s, const Type& outType, unsigned blank) {
  const Type type = s.log_probs.elementType();
  if (type != HALF && type != FLOAT) {
    throw poplibs_error("data tensor must be of type HALF or FLOAT");
  }
  if (s.labels.elementType() != UNSIGNED_INT) {
    throw poplibs_error("labels tensor must be of type UNSIGNED_INT");
  }
  if (s.steps.elementType() != UNSIGNED_INT) {
    throw poplibs_error("dataLengths tensor must be of type UNSIGNED_INT");
  }
  if (s.lengths.elementType() != UNSIGNED_INT) {
    throw poplibs_error("labelLengths tensor must be of type UNSIGNED_INT");
  }
  if (outType != HALF && outType != FLOAT) {
    throw poplibs_error("outType must be of type HALF or FLOAT");
  }
  if (s.log_probs.rank() != 3 || s.labels.rank() != 2 || s.labels.dim(0) != s.log_probs.dim(1) ||
      s.steps.numElements() != s.labels.dim(0) || s.lengths.numElements() != s.labels.dim(0) ||
      blank >= s.log_probs.dim(2)) {
    throw poplibs_error(
        "ctc: expected data [T,B,C] with the blank class, labels [B,L] and two lengths [B], got " +
        s.log_probs.shapeToString() + ", " + s.labels.shapeToString() + ", " +
        s.steps.shapeToString() + " and " + s.lengths.shapeToString());
  }
}

// The losses, and the gradients where they are wanted: a vertex a sample.
std::pair<Tensor, Tensor> calculate(Graph& graph, const Type& outType, const Samples& s,
                                    Sequence& prog, unsigned blank, bool wanted,
                                    const Options& options, const DebugContext& dc) {
  check(s, outType, blank);
  const std::size_t steps = s.log_probs.dim(0), samples = s.log_probs.dim(1),
                    classes = s.log_probs.dim(2), places = 2 * s.labels.dim(1) + 1;
  const unsigned tiles = graph.getTarget().getNumTiles();
  const Tensor loss = graph.addVariable(outType, {samples}, {dc, "loss"});
  const Tensor gradient =
      graph.addVariable(outType, {samples, wanted ? steps : 0, classes}, {dc, "gradient"});
  // Samples of a tile take turns, so that no two of them write into one word.
  std::vector<ComputeSet> turns;
  for (std::size_t b = 0; b < samples; ++b) {
    const unsigned tile = static_cast<unsigned>(b % tiles);
    if (b / tiles == turns.size()) turns.push_back(graph.addComputeSet(dc));
    const Tensor alphas = graph.addVariable(FLOAT, {steps * places}, {dc, "alphas"});
    const Tensor betas = graph.addVariable(FLOAT, {2 * places}, {dc, "betas"});
    for (const Tensor& t : {alphas, betas, loss[b], gradient[b]}) graph.setTileMapping(t, tile);
    const VertexRef v = graph.addVertex(
        turns[b / tiles], templateVertex("popnn::CtcLoss", s.log_probs.elementType(), outType));
    graph.connect(v["log_probs"], s.log_probs.slice(b, b + 1, 1).flatten());
    graph.connect(v["labels"], s.labels[b]);
    graph.connect(v["steps"], s.steps.flatten()[b]);
    graph.connect(v["length"], s.lengths.flatten()[b]);
    graph.connect(v["alphas"], alphas);
    graph.connect(v["betas"], betas);
    graph.connect(v["loss"], loss[b]);
    graph.connect(v["gradient"], gradient[b].flatten());
    graph.setInitialValue(v["classes"], static_cast<unsigned>(classes));
    graph.setInitialValue(v["blank"], blank);
    graph.setInitialValue(v["softmax"], options.softmax);
    graph.setInitialValue(v["zero_infinity"], options.zero_infinity);
    graph.setTileMapping(v, tile);
  }
  for (const ComputeSet& cs : turns) prog.add(Execute(cs, dc));
  return {loss, gradient.dimShuffle({1, 0, 2})};
}

}  // namespace

std::pair<Tensor, Tensor> calcLossAndGradientLogProbabilities(
    Graph& graph, const Type& outType, const Tensor& logProbs, const Tensor& labels,
    const Tensor& dataLengths, const Tensor& labelLengths, Sequence& prog,
    const unsigned blankClass, const Plan& plan, const DebugContext& debugContext,
    const OptionFlags& options) {
  checkLossPlan(plan);
  return calculate(graph, outType, {logProbs, labels, dataLengths, labelLengths}, prog, blankClass,
                   true, parse(options), {debugContext, "ctcLoss"});
}

std::pair<Tensor, Tensor> calcLossAndGradientLogits(Graph& graph, const Type& outType,
                                                    const Tensor& logits, const Tensor& labels,
                                                    const Tensor& dataLengths,
                                                    const Tensor& labelLengths, Sequence& prog,
                                                    const unsigned blankClass, const Plan& plan,
                                                    const DebugContext& debugContext,
                                                    const OptionFlags& options) {
  checkLossPlan(plan);
  if (!parse(options).softmax) {
    throw poplibs_error("includeSoftmaxGradient = false is currently an unsupported option");
  }
  return calcLossAndGradientLogProbabilities(
      graph, outType, logSoftmax(graph, logits, prog, debugContext), labels, dataLengths,
      labelLengths, prog, blankClass, plan, debugContext, options);
}

Tensor calcCTCLossLogProbabilities(Graph& graph, const Type& outType, const Tensor& logProbs,
                                   const Tensor& labels, const Tensor& dataLengths,
                                   const Tensor& labelLengths, Sequence& prog,
                                   const unsigned blankClass, const Plan& plan,
                                   const DebugContext& debugContext, const OptionFlags& options) {
  checkLossPlan(plan);
  return calculate(graph, outType, {logProbs, labels, dataLengths, labelLengths}, prog, blankClass,
                   false, parse(options), {debugContext, "ctcLoss"})
      .first;
}

Tensor calcCTCLossLogits(Graph& graph, const Type& outType, const Tensor& logits,
                         const Tensor& labels, const Tensor& dataLengths,
                         const Tensor& labelLengths, Sequence& prog, const unsigned blankClass,
                         const Plan& plan, const DebugContext& debugContext,
                         const OptionFlags& options) {
  checkLossPlan(plan);
  return calcCTCLossLogProbabilities(graph, outType, logSoftmax(graph, logits, prog, debugContext),
                                     labels, dataLengths, labelLengths, prog, blankClass, plan,
                                     debugContext, options);
}

}  // namespace ctc
}  // namespace popnn
