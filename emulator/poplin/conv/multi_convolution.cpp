#include <poplin/MultiConvolution.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>
#include <string>

#include "conv_options.hpp"

namespace poplin {
namespace multiconv {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;

namespace {

// Whether the options ask for convolutions at once; here they only constrain the arguments then.
bool isParallel(const OptionFlags& options) {
  using poplibs::OptionHandler;
  bool parallel = true;
  unsigned tiles = 0;
  double back_off = 0;
  const poplibs::OptionSpec spec{
      {"planType",
       OptionHandler::createWithEnum(
           parallel, std::map<std::string, bool>{{"parallel", true}, {"serial", false}})},
      {"perConvReservedTiles", OptionHandler::createWithInteger(tiles)},
      {"cycleBackOff", OptionHandler::createWithDouble(back_off, 0., true, 1., true)},
  };
  for (const auto& option : options) spec.parse(option.first, option.second);
  return parallel;
}

template <class Args>
void check(const std::vector<Args>& args, const OptionFlags& options) {
  const bool parallel = isParallel(options);
  for (const Args& a : args) {
    if (parallel && ConvOptions(a.options).insertTransformsCycleCountProgs !=
                        ConvOptions(args[0].options).insertTransformsCycleCountProgs) {
      throw poplibs_error(
          "Parallel multi-plans require to have same value for "
          "<insertTransformsCycleCountProgs> option");
    }
  }
}

const CreateTensorArgs& argsOf(const std::vector<CreateTensorArgs>& args, unsigned index,
                               const char* operation) {
  if (index >= args.size()) {
    throw poplibs_error(std::string("multiconv::") + operation + ": expected an index below " +
                        std::to_string(args.size()) + ", got " + std::to_string(index));
  }
  return args[index];
}

template <class Args>
void update(Graph& graph, const std::vector<Args>& args, Sequence& prog,
            const DebugContext& debugContext, const OptionFlags& options,
            poplin::PlanningCache* cache) {
  check(args, options);
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Args& a = args[i];
    if (a.params.inputType != a.params.outputType) {
      throw poplibs_error(
          "multiconv::convolutionWeightUpdate does not support having a different input and "
          "output type.");
    }
    poplin::convolutionWeightUpdate(graph, a.zDeltas, a.weights, a.activations, a.params, a.scale,
                                    prog, {debugContext, std::to_string(i)}, a.options, cache);
  }
}

}  // namespace

Tensor createWeights(Graph& graph, const std::vector<CreateTensorArgs>& args, unsigned weightsIndex,
                     const OptionFlags& options, poplin::PlanningCache* cache) {
  check(args, options);
  const CreateTensorArgs& a = argsOf(args, weightsIndex, "createWeights");
  return poplin::createWeights(graph, a.params, a.name, a.options, cache);
}

Tensor createInput(Graph& graph, const std::vector<CreateTensorArgs>& args, unsigned inputIndex,
                   const OptionFlags& options, poplin::PlanningCache* cache) {
  check(args, options);
  const CreateTensorArgs& a = argsOf(args, inputIndex, "createInput");
  return poplin::createInput(graph, a.params, a.name, a.options, cache);
}

void weightsTransposeChansFlipXY(Graph& graph, std::vector<ConvolutionArgs>& args,
                                 const std::vector<Tensor>& weightsIn, Sequence& prog,
                                 const OptionFlags& options, const DebugContext& debugContext,
                                 poplin::PlanningCache* cache) {
  check(args, options);
  if (weightsIn.size() != args.size()) {
    throw poplibs_error("multiconv::weightsTransposeChansFlipXY: expected " +
                        std::to_string(args.size()) + " tensors of weights, got " +
                        std::to_string(weightsIn.size()));
  }
  for (std::size_t i = 0; i < args.size(); ++i) {
    const DebugContext dc(debugContext, std::to_string(i));
    args[i].weights =
        poplin::createWeights(graph, args[i].params, {dc, "weights"}, args[i].options, cache);
    poplin::weightsTransposeChansFlipXY(graph, weightsIn[i], args[i].weights, prog, dc,
                                        args[i].options);
  }
}

std::vector<Tensor> convolution(Graph& graph, const std::vector<ConvolutionArgs>& args,
                                bool transposeAndFlipWeights, Sequence& prog,
                                const DebugContext& debugContext, const OptionFlags& options,
                                poplin::PlanningCache* cache) {
  check(args, options);
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const ConvolutionArgs& a = args[i];
    out.push_back(poplin::convolution(graph, a.inputs, a.weights, a.params, transposeAndFlipWeights,
                                      prog, {debugContext, std::to_string(i)}, a.options, cache));
  }
  return out;
}

std::vector<Tensor> calculateWeightDeltas(Graph& graph,
                                          const std::vector<CalculateWeightDeltasArgs>& args,
                                          Sequence& prog, const DebugContext& debugContext,
                                          const OptionFlags& options,
                                          poplin::PlanningCache* cache) {
  check(args, options);
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const CalculateWeightDeltasArgs& a = args[i];
    out.push_back(poplin::calculateWeightDeltas(graph, a.zDeltas, a.activations, a.params, prog,
                                                {debugContext, std::to_string(i)}, a.options,
                                                cache));
  }
  return out;
}

void convolutionWeightUpdate(Graph& graph, const std::vector<ConvWeightUpdateArgs>& args,
                             Sequence& prog, const DebugContext& debugContext,
                             const OptionFlags& options, poplin::PlanningCache* cache) {
  update(graph, args, prog, debugContext, options, cache);
}

void convolutionWeightUpdate(Graph& graph, const std::vector<ConvWeightUpdateArgsScalar>& args,
                             Sequence& prog, const DebugContext& debugContext,
                             const OptionFlags& options, poplin::PlanningCache* cache) {
  update(graph, args, prog, debugContext, options, cache);
}

}  // namespace multiconv
}  // namespace poplin
