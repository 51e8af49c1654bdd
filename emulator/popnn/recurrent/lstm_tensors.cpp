#include <popops/Zero.hpp>
#include <poputil/TileMapping.hpp>
#include <utility>

#include "lstm.hpp"

namespace popnn {
namespace lstm {

using namespace poplar;
using namespace poplar::program;
using poplin::PlanningCache;

namespace {

Tensor createState(Graph& graph, const LstmParams& params, const OptionFlags& options,
                   const DebugContext& dc) {
  const unsigned shards = shardsOf(graph, params, optionsOf(params, options));
  return rnn::createInitialState(graph, params.rnn, true, 1, shards, dc).squeeze({0});
}

// Samples times steps times outputs.
std::uint64_t outputs(const LstmParams& p) {
  return std::uint64_t{p.rnn.batchSize} * p.rnn.maxTimeSteps * p.rnn.layerSizes.at(1);
}

}  // namespace

const std::vector<BasicLstmCellUnit> getDefaultBasicLstmCellOrder() {
  return {BASIC_LSTM_CELL_FORGET_GATE, BASIC_LSTM_CELL_INPUT_GATE, BASIC_LSTM_CELL_CANDIDATE,
          BASIC_LSTM_CELL_OUTPUT_GATE};
}

LstmParams::LstmParams(Type dataType_, std::size_t batchSize_, std::size_t timeSteps_,
                       std::vector<std::size_t> layerSizes_, NonLinearityType activation_,
                       NonLinearityType recurrentActivation_)
    : LstmParams(dataType_, batchSize_, timeSteps_, Tensor(), std::move(layerSizes_), activation_,
                 recurrentActivation_) {}

LstmParams::LstmParams(Type dataType_, std::size_t batchSize_, std::size_t maxTimeSteps_,
                       const Tensor& timeSteps_, std::vector<std::size_t> layerSizes_,
                       NonLinearityType activation_, NonLinearityType recurrentActivation_)
    : rnn(dataType_, batchSize_, maxTimeSteps_, timeSteps_, layerSizes_),
      dataType(dataType_),
      batchSize(batchSize_),
      timeSteps(maxTimeSteps_),
      layerSizes(std::move(layerSizes_)),
      activation(activation_),
      recurrentActivation(recurrentActivation_) {}

Tensor LstmState::getAsTensor() const {
  return concat({output.expand({0}), cellState.expand({0})});
}

std::vector<std::pair<poplin::MatMulParams, OptionFlags>> getMatMulPrePlanParameters(
    LstmParams params, OptionFlags opts) {
  optionsOf(params, opts);
  bool inference_only = false;
  for (const auto& option : opts) {
    if (option.first == "inferenceOnly") inference_only = option.second == "true";
  }
  return cells::fullyConnected(
      params.rnn.dataType, params.rnn.batchSize, 2 * params.rnn.layerSizes.at(0),
      BASIC_LSTM_CELL_NUM_UNITS * params.rnn.layerSizes.at(1), {}, inference_only);
}

std::uint64_t getBasicLstmCellFwdFlops(const LstmParams& p) {
  const std::uint64_t inputs = p.doInputWeightCalc ? p.rnn.layerSizes.at(0) : 0;
  return outputs(p) * (8 * (inputs + p.rnn.layerSizes.at(1)) + 4);
}

std::uint64_t getBasicLstmCellBwdFlops(const LstmParams& p) {
  const std::uint64_t inputs = p.calcInputGradients ? p.rnn.layerSizes.at(0) : 0;
  return outputs(p) * (8 * (inputs + p.rnn.layerSizes.at(1)) + 6);
}

std::uint64_t getBasicLstmCellWuFlops(const LstmParams& p) {
  return outputs(p) * 8 * (p.rnn.layerSizes.at(0) + p.rnn.layerSizes.at(1) + 1);
}

Tensor createInput(Graph& graph, const LstmParams& params, const DebugContext& debugContext,
                   const OptionFlags& options, PlanningCache*) {
  const unsigned shards = shardsOf(graph, params, optionsOf(params, options));
  return rnn::createInputTensor(graph, params.rnn, shards, debugContext);
}

Tensor createInitialOutput(Graph& graph, const LstmParams& params, const DebugContext& debugContext,
                           const OptionFlags& options, PlanningCache*) {
  return createState(graph, params, options, {debugContext, "initialOutput"});
}

Tensor createInitialCellState(Graph& graph, const LstmParams& params,
                              const DebugContext& debugContext, const OptionFlags& options,
                              PlanningCache*) {
  return createState(graph, params, options, {debugContext, "initialCellState"});
}

LstmState createInitialState(Graph& graph, const LstmParams& params,
                             const DebugContext& debugContext, const OptionFlags& options,
                             PlanningCache* cache) {
  return {createInitialOutput(graph, params, debugContext, options, cache),
          createInitialCellState(graph, params, debugContext, options, cache)};
}

void zeroInitialState(Graph& graph, const LstmState& initialState, Sequence& prog,
                      const DebugContext& debugContext) {
  popops::zero(graph, initialState.getAsTensor(), prog, debugContext);
}

std::pair<Tensor, Tensor> createWeightsKernel(Graph& graph, const LstmParams& params,
                                              const DebugContext& debugContext,
                                              const OptionFlags& options, PlanningCache* cache) {
  cells::checkLayers(params.rnn, "LSTM");
  optionsOf(params, options);
  const std::size_t in = params.rnn.layerSizes[0], out = params.rnn.layerSizes[1];
  const Tensor t = poplin::createMatMulInputRHS(
      graph, params.rnn.dataType, {params.rnn.batchSize, in + out},
      {in + out, BASIC_LSTM_CELL_NUM_UNITS * out}, {debugContext, "weights"}, {}, cache);
  return {cells::unflattenUnits(t.slice(0, in, 0), BASIC_LSTM_CELL_NUM_UNITS),
          cells::unflattenUnits(t.slice(in, in + out, 0), BASIC_LSTM_CELL_NUM_UNITS)};
}

Tensor createWeightsBiases(Graph& graph, const LstmParams& params, const DebugContext& debugContext,
                           const OptionFlags&, PlanningCache*) {
  cells::checkLayers(params.rnn, "LSTM");
  const Tensor t =
      graph.addVariable(params.rnn.dataType, {BASIC_LSTM_CELL_NUM_UNITS, params.rnn.layerSizes[1]},
                        {debugContext, "biases"});
  poputil::mapTensorLinearly(graph, t);
  return t;
}

LstmWeights createWeights(Graph& graph, const LstmParams& params, const DebugContext& debugContext,
                          const OptionFlags& options, PlanningCache* cache) {
  const auto kernel = createWeightsKernel(graph, params, debugContext, options, cache);
  return {kernel.first, kernel.second,
          createWeightsBiases(graph, params, debugContext, options, cache)};
}

}  // namespace lstm
}  // namespace popnn
