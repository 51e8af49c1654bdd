#include "cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <poplin/MatMul.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Zero.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>
#include <string>

namespace popnn {
namespace cells {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using poplibs::OptionHandler;
using poplibs::OptionSpec;
namespace pe = popops::expr;

namespace {

const std::map<std::string, Type>& floatingTypes() {
  static const std::map<std::string, Type> types{{"half", HALF}, {"float", FLOAT}};
  return types;
}

}  // namespace

Tensor flattenUnits(const Tensor& t) {
  return t.dimShuffle({1, 0, 2}).reshape({t.dim(1), t.dim(0) * t.dim(2)});
}

Tensor unflattenUnits(const Tensor& t, std::size_t units) {
  return t.reshape({t.dim(0), units, t.dim(1) / units}).dimShuffle({1, 0, 2});
}

Tensor unitsOfAllSteps(const Tensor& t) {
  return t.dimShuffle({1, 0, 2, 3}).reshape({t.dim(1), t.dim(0) * t.dim(2), t.dim(3)});
}

Options lstmOptions(const OptionFlags& options, const Type& dataType) {
  Options out;
  out.accumulators = dataType;
  bool inference_only, pre_calc, code_reuse, interleaving;  // change the plan alone
  double memory;
  int steps, mode = 0;
  const OptionSpec spec{
      {"inferenceOnly", OptionHandler::createWithBool(inference_only)},
      {"preCalcWeights", OptionHandler::createWithBool(pre_calc)},
      {"partialsType", OptionHandler::createWithEnum(out.partials, floatingTypes())},
      {"weightAccumulatorsType", OptionHandler::createWithEnum(out.accumulators, floatingTypes())},
      {"recomputationMode",
       OptionHandler::createWithEnum(
           mode, std::map<std::string, int>{{"none", 0}, {"cellAndTanh", 1}, {"full", 2}})},
      {"availableMemoryProportion", OptionHandler::createWithDouble(memory, 0.)},
      {"numShards", OptionHandler::createWithInteger(out.shards)},
      {"rnnCodeReuse", OptionHandler::createWithBool(code_reuse)},
      {"rnnStepsPerWU", OptionHandler::createWithInteger<int>(steps)},
      {"disableWUPartialInterleaving", OptionHandler::createWithBool(interleaving)},
  };
  for (const auto& option : options) spec.parse(option.first, option.second);
  if (mode == 2) throw poplibs_error("Unhandled recomputation type");
  out.recompute = mode == 1;
  return out;
}

Options gruOptions(const OptionFlags& options, const Type& dataType) {
  Options out;
  out.accumulators = dataType;
  bool inference_only, code_reuse;  // change the plan alone
  double memory;
  const OptionSpec spec{
      {"inferenceOnly", OptionHandler::createWithBool(inference_only)},
      {"partialsType", OptionHandler::createWithEnum(out.partials, floatingTypes())},
      {"availableMemoryProportion", OptionHandler::createWithDouble(memory, 0.)},
      {"numShards", OptionHandler::createWithInteger(out.shards)},
      {"rnnCodeReuse", OptionHandler::createWithBool(code_reuse)},
  };
  for (const auto& option : options) spec.parse(option.first, option.second);
  return out;
}

void checkLayers(const rnn::RnnParams& params, const char* layer) {
  if (params.layerSizes.size() != 2) {
    throw poplibs_error("Invalid " + std::string(layer) + " params (layerSize != 2)");
  }
}

unsigned numShards(const Graph& graph, const rnn::RnnParams& params, const Options& options,
                   std::size_t intermediates, const char* layer) {
  checkLayers(params, layer);
  const std::size_t most = params.getMaxShards(graph);
  if (options.shards) {
    if (*options.shards < 1 || static_cast<std::size_t>(*options.shards) > most) {
      throw poplibs_error(std::string(layer) + " numShards must be within interval [1," +
                          std::to_string(most) + "]");
    }
    return static_cast<unsigned>(*options.shards);
  }
  const double bytes =
      static_cast<double>((params.getInputBytesPerTile(graph) +
                           params.getOutputBytesPerTile(graph) * (1 + intermediates)) *
                          params.maxTimeSteps);
  const double shards = std::ceil(bytes / (0.1 * graph.getTarget().getBytesPerTile()));
  return static_cast<unsigned>(std::max(std::min(shards, static_cast<double>(most)), 1.0));
}

void checkInputGradient(const Tensor* gradient, bool wanted) {
  if ((gradient != nullptr) == wanted) return;
  throw poplibs_error(
      std::string("The inputGradSeq argument should be ") + (gradient ? "non null" : "null") +
      " if and only if params.calcInputGradients is " + (gradient ? "true" : "false"));
}

std::vector<std::pair<poplin::MatMulParams, OptionFlags>> fullyConnected(
    const Type& type, std::size_t batch, std::size_t input, std::size_t output,
    const OptionFlags& options, bool inference_only) {
  std::vector<std::pair<poplin::MatMulParams, OptionFlags>> out;
  const auto add = [&](const char* pass, std::size_t m, std::size_t k, std::size_t n) {
    OptionFlags flags = options;
    flags.set("fullyConnectedPass", pass);
    out.push_back({{type, type, {1, m, k}, {1, k, n}}, flags});
  };
  add(inference_only ? "INFERENCE_FWD" : "TRAINING_FWD", batch, input, output);
  if (inference_only) return out;
  add("TRAINING_BWD", batch, output, input);
  add("TRAINING_WU", input, batch, output);
  return out;
}

void clear(Graph& graph, const rnn::RnnParams& params, const Tensor& t, Sequence& prog,
           const DebugContext& dc) {
  if (params.variableTimeSteps()) {
    popops::zero(graph, t, prog, dc);
  } else {
    prog.add(WriteUndef(t, dc));
  }
}

void updateWhere(Graph& graph, const rnn::RnnBatchwiseFlags& flags, const Tensor& state,
                 const Tensor& update, Sequence& prog, const DebugContext& dc) {
  const Tensor mask = flags.mask.expand({1});
  popops::mapInPlace(graph, pe::Select(pe::_2, pe::_1, pe::Cast(pe::_3, BOOL)),
                     {state, update, mask}, prog, dc);
}

}  // namespace cells
}  // namespace popnn
