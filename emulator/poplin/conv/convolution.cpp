#include <poplin/ConvUtil.hpp>
#include <poplin/Convolution.hpp>
#include <popops/Cast.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "conv_options.hpp"
#include "conv_plan.hpp"
#include "conv_shapes.hpp"
#include "create_tensors.hpp"
#include "planning_cache.hpp"

namespace poplin {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;

namespace {

// Where the products of each kernel element are, in dimension `dim`: first output, step between
// outputs, number of outputs, first input, step between inputs. Indices count from the begins of
// the ranges. The outputs of a kernel element and their inputs lie at equal distances, as they
// meet where the one's stride meets the other's dilation.
void addRuns(std::vector<int>& runs, const ConvParams& p, unsigned dim, const Interval& outputs,
             std::size_t input_begin) {
  for (unsigned k = 0; k < p.kernelShape[dim]; ++k) {
    int run[5] = {0, 1, 0, 0, 1};
    for (std::size_t o = outputs.begin(); o < outputs.end(); ++o) {
      const unsigned i = getInputIndex(dim, static_cast<unsigned>(o), k, p);
      if (i == ~0U) continue;
      const int out = static_cast<int>(o - outputs.begin()),
                in = static_cast<int>(i) - static_cast<int>(input_begin);
      if (run[2] == 0) {
        run[0] = out;
        run[3] = in;
      } else if (run[2] == 1) {
        run[1] = out - run[0];
        run[4] = in - run[3];
      }
      ++run[2];
    }
    runs.insert(runs.end(), run, run + 5);
  }
}

// The runs of all dimensions, and the sizes (input, kernel, output) of each.
struct Geometry {
  std::vector<int> runs;
  std::vector<unsigned> sizes;
};

Geometry geometryOf(const ConvPlan& plan, const ConvPlan::Block& b, const Interval& input_rows) {
  const ConvParams& p = plan.params;
  Geometry g;
  for (unsigned dim = 0; dim < p.getNumFieldDims(); ++dim) {
    const Interval outputs = dim == plan.dim ? b.rows : Interval(0, p.getOutputSize(dim));
    addRuns(g.runs, p, dim, outputs, dim == plan.dim ? input_rows.begin() : 0);
    g.sizes.push_back(
        static_cast<unsigned>(dim == plan.dim ? input_rows.size() : p.inputFieldShape[dim]));
    g.sizes.push_back(static_cast<unsigned>(p.kernelShape[dim]));
    g.sizes.push_back(static_cast<unsigned>(outputs.size()));
  }
  if (g.sizes.empty()) {  // no field: one element
    g.runs = {0, 1, 1, 0, 1};
    g.sizes = {1, 1, 1};
  }
  return g;
}

// A vertex for each group of a block.
void addBlock(Graph& graph, ComputeSet cs, const ConvPlan& plan, std::size_t number,
              const Tensor& in, const Tensor& weights, const Tensor& out) {
  const ConvParams& p = plan.params;
  const ConvPlan::Block b = plan.block(number);
  const Tensor block = outputBlock(out, plan, b);
  if (block.numElements() == 0) return;
  const Interval input_rows = plan.inputRows(b.rows);
  const Geometry geometry = geometryOf(plan, b, input_rows);
  const std::uint64_t products = b.samples.size() * b.channels.size() *
                                 p.inputChannelsPerConvGroup * fieldProducts(p, plan.dim, b.rows);
  for (std::size_t g = b.groups.begin(); g < b.groups.end(); ++g) {
    Tensor from = in.slice(b.samples).slice(g * p.inputChannelsPerConvGroup,
                                            (g + 1) * p.inputChannelsPerConvGroup, 1);
    if (from.rank() > 2) from = from.slice(input_rows, 2 + plan.dim);
    const VertexRef v = graph.addVertex(
        cs, poputil::templateVertex("poplin::ConvBlock", p.inputType),
        {{"in", from.flatten()},
         {"weights", weights[g].slice(b.channels).flatten()},
         {"out", block.slice(g - b.groups.begin(), g - b.groups.begin() + 1, 1).flatten()}});
    graph.setInitialValue(v["samples"], static_cast<unsigned>(b.samples.size()));
    graph.setInitialValue(v["inChannels"], static_cast<unsigned>(p.inputChannelsPerConvGroup));
    graph.setInitialValue(v["outChannels"], static_cast<unsigned>(b.channels.size()));
    graph.setFieldSize(v["runs"], geometry.runs.size());
    graph.setInitialValue(v["runs"], geometry.runs);
    graph.setFieldSize(v["sizes"], geometry.sizes.size());
    graph.setInitialValue(v["sizes"], geometry.sizes);
    graph.setTileMapping(v, static_cast<unsigned>(number));
    graph.setPerfEstimate(v, convCycles(p.inputType, products), 2 * products);
  }
}

}  // namespace

Tensor convolution(Graph& graph, const Tensor& in, const Tensor& weights_, const ConvParams& params,
                   bool transposeAndFlipWeights, Sequence& prog, const DebugContext& debugContext,
                   const OptionFlags& options, PlanningCache* cache) {
  const DebugContext dc(debugContext, "convolution");
  checkConvolution(params, options, "Convolution");
  Tensor weights = withGroups(weights_, params);
  if (transposeAndFlipWeights) {
    const Tensor flipped = createWeights(graph, params, {dc, "bwdWeights"}, options, cache);
    weightsTransposeChansFlipXY(graph, weights, flipped, prog, dc);
    weights = flipped;
  }
  checkInput(in, params);
  checkWeights(weights, params);
  enter(cache, params, options);
  const ConvPlan plan(graph.getTarget(), params);
  const Tensor sums = newOutput(graph, plan, FLOAT, {dc, "sums"});
  const ComputeSet cs = graph.addComputeSet(dc);
  for (std::size_t i = 0; i < plan.blocks(); ++i) addBlock(graph, cs, plan, i, in, weights, sums);
  prog.add(Execute(cs, dc));
  if (params.outputType == FLOAT) return sums;
  const Tensor out = newOutput(graph, plan, params.outputType, {dc, "out"});
  popops::castWithOutput(graph, sums, out, prog, dc);
  return out;
}

void convolutionWithOutput(Graph& graph, const Tensor& in, const Tensor& weights, const Tensor& out,
                           const ConvParams& params, bool transposeAndFlipWeights, Sequence& prog,
                           const DebugContext& debugContext, const OptionFlags& options,
                           PlanningCache* cache) {
  const Tensor result = convolution(graph, in, weights, params, transposeAndFlipWeights, prog,
                                    debugContext, options, cache);
  if (out.shape() != result.shape()) {
    throw poplibs_error("convolutionWithOutput: expected an output of " + result.shapeToString() +
                        ", got " + out.shapeToString());
  }
  prog.add(Copy(result, out, false, debugContext));
}

void weightsTransposeChansFlipXY(Graph&, const Tensor& weightsIn, const Tensor& weightsOut,
                                 Sequence& prog, const DebugContext& debugContext,
                                 const OptionFlags& options) {
  convolutionValidateOptions(options);
  if (weightsIn.rank() < 3 || weightsIn.rank() != weightsOut.rank()) {
    throw poplibs_error(
        "weightsTransposeChansFlipXY: expected weights of one rank of 3 or above, got " +
        weightsIn.shapeToString() + " and " + weightsOut.shapeToString());
  }
  Tensor flipped = weightsIn.dimShufflePartial({1, 2}, {2, 1});
  for (unsigned dim = 3; dim < flipped.rank(); ++dim) flipped = flipped.reverse(dim);
  if (flipped.shape() != weightsOut.shape()) {
    throw poplibs_error(
        "The sizes of the input and output channels of the two weight tensors must be opposite "
        "each other, got " +
        weightsIn.shapeToString() + " and " + weightsOut.shapeToString());
  }
  prog.add(Copy(flipped, weightsOut, false, {debugContext, "weightsTransposeChansFlipXY"}));
}

Tensor fullyConnectedWeightTranspose(Graph&, Tensor weights, const ConvParams& params, Sequence&,
                                     const DebugContext&, const OptionFlags& options,
                                     PlanningCache* cache) {
  checkConvolution(params, options, "fullyConnectedWeightTranspose");
  if (params.getNumFieldDims() != 1) {
    throw poplibs_error("fullyConnectedWeightTranspose() expects a 1-d convolution, got " +
                        std::to_string(params.getNumFieldDims()) + " dimensions");
  }
  enter(cache, params, options);
  return weights.dimShufflePartial({1, 2}, {2, 1});
}

}  // namespace poplin
