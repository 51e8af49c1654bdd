#include <climits>
#include <cmath>
#include <poplar/emulator/SharedVariable.hpp>
#include <popops/ElementWise.hpp>
#include <poprand/RandomGen.hpp>
#include <poputil/Broadcast.hpp>
#include <poputil/VertexTemplates.hpp>

#include "codelets/random.hpp"

namespace poprand {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;

namespace {

void expect(bool holds, const char* operation, const char* expected) {
  if (!holds) throw poplibs_error(std::string(operation) + ": expected " + expected);
}

// The state of the graph's own generator. No seed that a program sets uses its modifier by chance.
Tensor graphState(Graph& graph) {
  return poplar::emulator::sharedVariable(graph, "poprand/state", {0, 0, 0xffffffffu, 0});
}

void checkSeed(const Tensor& seed, const char* operation) {
  expect(seed.elementType() == UNSIGNED_INT && seed.numElements() == 2, operation,
         "a seed {2} of unsigned int");
}

struct Parameters {
  Distribution distribution;
  double a, b, c;
  int low = 0;  // of uniform ints: from `low` to low + span
  unsigned span = 0;
};

// Numbers for `reference`, of `type`.
Tensor draw(Graph& graph, const Tensor* seed, std::uint32_t modifier, const Tensor& reference,
            const Type& type, const Parameters& p, Sequence& prog, const DebugContext& dc,
            const char* operation) {
  const bool normal =
      p.distribution == Distribution::NORMAL || p.distribution == Distribution::TRUNCATED_NORMAL;
  expect(type == FLOAT || type == HALF || (type == INT && !normal), operation,
         normal ? "a result of type float or half" : "a result of type float, half or int");
  Tensor state;
  if (seed == nullptr) {
    state = graphState(graph);
  } else {
    checkSeed(*seed, operation);
    const Tensor rest = graph.addConstant<unsigned>(UNSIGNED_INT, {2}, {modifier, 0}, dc);
    graph.setTileMapping(rest, 0);
    state = concat(seed->flatten(), rest);
  }
  const Tensor out = graph.clone(type, reference, {dc, "out"});
  const Tensor flat = out.flatten();
  const ComputeSet cs = graph.addComputeSet(dc);
  const auto mapping = graph.getTileMapping(flat);
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    if (mapping[tile].empty()) continue;
    std::vector<unsigned> firsts, lengths;
    for (const Interval& region : mapping[tile]) {
      firsts.push_back(static_cast<unsigned>(region.begin()));
      lengths.push_back(static_cast<unsigned>(region.size()));
    }
    const VertexRef v =
        graph.addVertex(cs, templateVertex("poprand::Random", type),
                        {{"state", state}, {"out", concat(flat.slices(mapping[tile]))}});
    graph.setInitialValue(v["firsts"], firsts);
    graph.setInitialValue(v["lengths"], lengths);
    graph.setInitialValue(v["distribution"], static_cast<unsigned>(p.distribution));
    graph.setInitialValue(v["a"], static_cast<float>(p.a));
    graph.setInitialValue(v["b"], static_cast<float>(p.b));
    graph.setInitialValue(v["c"], static_cast<float>(p.c));
    graph.setInitialValue(v["low"], p.low);
    graph.setInitialValue(v["span"], p.span);
    graph.setTileMapping(v, tile);
  }
  prog.add(Execute(cs, dc));
  if (seed == nullptr) {
    const ComputeSet advance = graph.addComputeSet({dc, "advance"});
    graph.setTileMapping(graph.addVertex(advance, "poprand::Advance", {{"state", state}}), 0);
    prog.add(Execute(advance, dc));
  }
  return out;
}

// `input` times a mask of the shape of `reference`.
Tensor drop(Graph& graph, const Tensor* seed, std::uint32_t modifier, const Tensor& input,
            const Tensor& reference, double keep_probability, double scale, bool as_reference,
            Sequence& prog, const DebugContext& dc, const char* operation) {
  expect(keep_probability >= 0 && keep_probability <= 1, operation,
         "a keepProbability between 0 and 1");
  expect(input.elementType() == FLOAT || input.elementType() == HALF, operation,
         "an input of type float or half");
  const Tensor mask = draw(graph, seed, modifier, reference, input.elementType(),
                           {Distribution::BERNOULLI, keep_probability, 0, 0}, prog, dc, operation);
  using namespace popops::expr;
  // A dropped element is 0, even where it is infinite.
  const Select masking(Mul(_1, Const(static_cast<float>(scale))), Const(0.0f),
                       NotEqual(_2, Const(0.0f)));
  const Tensor out =
      graph.clone(input.elementType(), as_reference ? reference : input, {dc, "out"});
  popops::mapWithOutput(graph, masking, {input, mask}, out, prog, dc);
  return out;
}

}  // namespace

Tensor uniform(Graph& graph, const Tensor* seed, std::uint32_t seedModifier,
               const Tensor& reference, const Type& outType, double minVal, double maxVal,
               Sequence& prog, const DebugContext& debugContext) {
  expect(minVal < maxVal || (outType == INT && minVal == maxVal), "uniform",
         "a minVal below the maxVal");
  Parameters p = {Distribution::UNIFORM, minVal, maxVal - minVal, 0};
  if (outType == INT) {
    expect(minVal >= INT_MIN && maxVal <= INT_MAX, "uniform", "ends that an int can have");
    p.low = static_cast<int>(std::ceil(minVal));
    p.span =
        static_cast<unsigned>(static_cast<int>(std::floor(maxVal))) - static_cast<unsigned>(p.low);
  }
  return draw(graph, seed, seedModifier, reference, outType, p, prog, {debugContext, "uniform"},
              "uniform");
}

Tensor logUniform(Graph& graph, const Tensor* seed, std::uint32_t seedModifier,
                  const Tensor& reference, const Type& outType, double minVal, double maxVal,
                  Sequence& prog, double base, const DebugContext& debugContext) {
  expect(minVal >= 1 && minVal < maxVal, "logUniform", "a minVal of 1 or more, below the maxVal");
  expect(base > 0 && base != 1, "logUniform", "a base above 0 that is not 1");
  // Whatever the base, the logarithms differ by a factor alone.
  const double low = std::log(minVal);
  return draw(graph, seed, seedModifier, reference, outType,
              {Distribution::LOG_UNIFORM, low, std::log(maxVal) - low, 0}, prog,
              {debugContext, "logUniform"}, "logUniform");
}

Tensor bernoulli(Graph& graph, const Tensor* seed, std::uint32_t seedModifier,
                 const Tensor& reference, const Type& outType, double prob, Sequence& prog,
                 const DebugContext& debugContext) {
  expect(prob >= 0 && prob <= 1, "bernoulli", "a probability between 0 and 1");
  return draw(graph, seed, seedModifier, reference, outType, {Distribution::BERNOULLI, prob, 0, 0},
              prog, {debugContext, "bernoulli"}, "bernoulli");
}

Tensor normal(Graph& graph, const Tensor* seed, std::uint32_t seedModifier, const Tensor& reference,
              const Type& outType, double mean, double stdDev, Sequence& prog,
              const DebugContext& debugContext) {
  expect(stdDev >= 0, "normal", "a standard deviation of 0 or more");
  return draw(graph, seed, seedModifier, reference, outType,
              {Distribution::NORMAL, mean, stdDev, 0}, prog, {debugContext, "normal"}, "normal");
}

Tensor truncatedNormal(Graph& graph, const Tensor* seed, std::uint32_t seedModifier,
                       const Tensor& reference, const Type& outType, double mean, double stdDev,
                       double alpha, Sequence& prog, const DebugContext& debugContext) {
  expect(stdDev >= 0, "truncatedNormal", "a standard deviation of 0 or more");
  expect(alpha >= 0.1, "truncatedNormal", "an alpha of 0.1 or more");
  return draw(graph, seed, seedModifier, reference, outType,
              {Distribution::TRUNCATED_NORMAL, mean, stdDev, alpha}, prog,
              {debugContext, "truncatedNormal"}, "truncatedNormal");
}

Tensor dropout(Graph& graph, const Tensor* seed, const std::uint32_t seedModifier,
               const Tensor& input, const Tensor& reference, double keepProbability, double scale,
               bool outputClonesRef, Sequence& prog, const DebugContext& debugContext) {
  expect(input.shape() == reference.shape(), "dropout", "a reference of the input's shape");
  return drop(graph, seed, seedModifier, input, reference, keepProbability, scale, outputClonesRef,
              prog, {debugContext, "dropout"}, "dropout");
}

Tensor dropout(Graph& graph, const Tensor* seed, const std::uint32_t seedModifier,
               const Tensor& input, const Tensor& reference, double keepProbability, double scale,
               Sequence& prog, const DebugContext& debugContext) {
  return dropout(graph, seed, seedModifier, input, reference, keepProbability, scale, false, prog,
                 debugContext);
}

Tensor shapedDropout(Graph& graph, const Tensor* seed, const std::uint32_t seedModifier,
                     const Tensor& input, const Tensor& reference, double keepProbability,
                     double scale, Sequence& prog, const DebugContext& debugContext) {
  return drop(graph, seed, seedModifier, input, reference, keepProbability, scale, false, prog,
              {debugContext, "shapedDropout"}, "shapedDropout");
}

void setSeed(Graph& graph, const Tensor& masterSeed, std::uint32_t seedModifier, Sequence& prog,
             const DebugContext& debugContext) {
  checkSeed(masterSeed, "setSeed");
  const DebugContext dc(debugContext, "setSeed");
  const ComputeSet cs = graph.addComputeSet(dc);
  const VertexRef v = graph.addVertex(
      cs, "poprand::SetSeed", {{"seed", masterSeed.flatten()}, {"state", graphState(graph)}});
  graph.setInitialValue(v["modifier"], seedModifier);
  graph.setTileMapping(v, 0);
  prog.add(Execute(cs, dc));
}

}  // namespace poprand
