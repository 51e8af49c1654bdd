#include <poplar/emulator/Sizes.hpp>
#include <poplin/Convolution.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include "conv_options.hpp"
#include "conv_plan.hpp"
#include "conv_shapes.hpp"
#include "create_tensors.hpp"
#include "planning_cache.hpp"

namespace poplin {

using namespace poplar;

namespace {

// Divides `t` evenly, along its first dimensions of more than one element, over tiles.
void mapOver(Graph& graph, const Tensor& t, const std::vector<unsigned>& tiles) {
  const Tensor flat = t.flatten();
  const std::size_t n = flat.numElements();
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    graph.setTileMapping(flat.slice(n * i / tiles.size(), n * (i + 1) / tiles.size()), tiles[i]);
  }
}

Interval scaled(const Interval& range, std::size_t by) {
  return Interval(range.begin() * by, range.end() * by);
}

Tensor newTensor(Graph& graph, const ConvParams& params, const Type& type,
                 const std::vector<std::size_t>& shape, const DebugContext& dc,
                 const OptionFlags& options, const char* operation, PlanningCache* cache) {
  checkConvolution(params, options, "Convolution");
  emulator::checkedElements(operation, shape);
  enter(cache, params, options);
  return graph.addVariable(type, shape, dc);
}

}  // namespace

Tensor createInput(Graph& graph, const ConvParams& params, const DebugContext& debugContext,
                   const OptionFlags& options, PlanningCache* cache) {
  const Tensor in = newTensor(graph, params, params.inputType, inputShape(params),
                              {debugContext, "input"}, options, "createInput", cache);
  const ConvPlan plan(graph.getTarget(), params);
  // The tiles of all output channels of a block share its input.
  const std::size_t per = plan.channels * plan.rows;
  for (std::size_t i = 0; i < plan.blocks(); i += per) {
    const ConvPlan::Block b = plan.block(i);
    const Tensor block =
        in.slice(b.samples).slice(scaled(b.groups, params.inputChannelsPerConvGroup), 1);
    const std::size_t rows = block.rank() > 2 ? block.dim(2 + plan.dim) : 1;
    for (std::size_t r = 0; r < plan.rows; ++r) {
      std::vector<unsigned> tiles;
      for (std::size_t c = 0; c < plan.channels; ++c) {
        tiles.push_back(static_cast<unsigned>(i + c * plan.rows + r));
      }
      mapOver(graph,
              block.rank() > 2
                  ? block.slice(rows * r / plan.rows, rows * (r + 1) / plan.rows, 2 + plan.dim)
                  : block,
              tiles);
    }
  }
  return in;
}

Tensor createWeights(Graph& graph, const ConvParams& params, const DebugContext& debugContext,
                     const OptionFlags& options, PlanningCache* cache) {
  const Tensor weights = newTensor(graph, params, params.inputType, weightsShape(params),
                                   {debugContext, "weights"}, options, "createWeights", cache);
  const ConvPlan plan(graph.getTarget(), params);
  const std::size_t per = plan.samples * plan.channels * plan.rows;
  for (std::size_t g = 0; g < plan.blocks(); g += per) {
    for (std::size_t c = 0; c < plan.channels; ++c) {
      const ConvPlan::Block b = plan.block(g + c * plan.rows);
      std::vector<unsigned> tiles;
      for (std::size_t n = 0; n < plan.samples; ++n) {
        for (std::size_t r = 0; r < plan.rows; ++r) {
          tiles.push_back(static_cast<unsigned>(g + (n * plan.channels + c) * plan.rows + r));
        }
      }
      mapOver(graph, weights.slice(b.groups).slice(b.channels, 1), tiles);
    }
  }
  return weights;
}

Tensor newOutput(Graph& graph, const ConvPlan& plan, const Type& type, const DebugContext& dc) {
  const Tensor out = graph.addVariable(type, outputShape(plan.params), dc);
  for (std::size_t i = 0; i < plan.blocks(); ++i) {
    graph.setTileMapping(outputBlock(out, plan, plan.block(i)), static_cast<unsigned>(i));
  }
  return out;
}

Tensor outputBlock(const Tensor& out, const ConvPlan& plan, const ConvPlan::Block& b) {
  // [samples, groups, channels, field...]
  const Tensor grouped =
      out.reshapePartial(1, 2, {plan.params.numConvGroups, plan.params.outputChannelsPerConvGroup});
  const Tensor block = grouped.slice(b.samples).slice(b.groups, 1).slice(b.channels, 2);
  return block.rank() > 3 ? block.slice(b.rows, 3 + plan.dim) : block;
}

Tensor createConvOutput(Graph& graph, const ConvParams& params, const DebugContext& debugContext,
                        const OptionFlags& options, PlanningCache* cache) {
  checkConvolution(params, options, "Convolution");
  emulator::checkedElements("createConvOutput", outputShape(params));
  enter(cache, params, options);
  return newOutput(graph, ConvPlan(graph.getTarget(), params), params.outputType,
                   {debugContext, "output"});
}

Tensor createBiases(Graph& graph, const Tensor& activations, const DebugContext& debugContext) {
  if (activations.rank() < 2) {
    throw poputil::poplibs_error(
        "createBiases: expected activations with at least a batch size and channel dimension, "
        "got " +
        activations.shapeToString());
  }
  return poputil::createBroadcastOperand(graph, activations, activations.elementType(), 1, false,
                                         {debugContext, "biases"});
}

Tensor createBiases(Graph& graph, const Tensor& activations, const ConvParams& params,
                    const DebugContext& debugContext, const OptionFlags& options,
                    PlanningCache* cache) {
  checkConvolution(params, options, "Convolution");
  enter(cache, params, options);
  return createBiases(graph, activations, debugContext);
}

}  // namespace poplin
