#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>
#include <utility>

#include "gru.hpp"

namespace popnn {
namespace gru {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using poplin::PlanningCache;

namespace {

void checkOrder(const GruParams& params) {
  unsigned seen = 0;
  for (const BasicGruCellUnit unit : params.cellOrder) seen |= 1u << unit;
  if (params.cellOrder.size() != BASIC_GRU_CELL_NUM_UNITS || seen != 7) {
    throw poplibs_error("GRU: expected each of the three units once in the cell order");
  }
}

// Samples times steps times outputs.
std::uint64_t outputs(const GruParams& p) {
  return std::uint64_t{p.rnn.batchSize} * p.rnn.maxTimeSteps * p.rnn.layerSizes.at(1);
}

}  // namespace

const std::vector<BasicGruCellUnit> getDefaultBasicGruCellOrder() {
  return {BASIC_GRU_CELL_RESET_GATE, BASIC_GRU_CELL_UPDATE_GATE, BASIC_GRU_CELL_CANDIDATE};
}

GruParams::GruParams(Type dataType_, std::size_t batchSize_, std::size_t timeSteps_,
                     std::vector<std::size_t> layerSizes_, NonLinearityType activation_,
                     NonLinearityType recurrentActivation_)
    : GruParams(dataType_, batchSize_, timeSteps_, Tensor(), std::move(layerSizes_), activation_,
                recurrentActivation_) {}

GruParams::GruParams(Type dataType_, std::size_t batchSize_, std::size_t maxTimeSteps_,
                     const Tensor& timeSteps_, std::vector<std::size_t> layerSizes_,
                     NonLinearityType activation_, NonLinearityType recurrentActivation_)
    : rnn(dataType_, batchSize_, maxTimeSteps_, timeSteps_, layerSizes_),
      dataType(dataType_),
      batchSize(batchSize_),
      timeSteps(maxTimeSteps_),
      layerSizes(std::move(layerSizes_)),
      activation(activation_),
      recurrentActivation(recurrentActivation_) {}

GruParams::GruParams(const GruParams& other) = default;

Tensor toCellOrder(const Tensor& t, const GruParams& params) {
  checkOrder(params);
  std::vector<Tensor> units;
  for (const BasicGruCellUnit unit : params.cellOrder) units.push_back(t[unit].expand({0}));
  return concat(units);
}

Tensor fromCellOrder(const Tensor& t, const GruParams& params) {
  checkOrder(params);
  std::vector<Tensor> units(BASIC_GRU_CELL_NUM_UNITS);
  for (std::size_t i = 0; i < units.size(); ++i) units[params.cellOrder[i]] = t[i].expand({0});
  return concat(units);
}

GruWeights toCellOrder(const GruWeights& weights, const GruParams& params) {
  return {toCellOrder(weights.inputWeights, params), toCellOrder(weights.outputWeights, params),
          toCellOrder(weights.biases, params)};
}

GruWeights fromCellOrder(const GruWeights& weights, const GruParams& params) {
  return {fromCellOrder(weights.inputWeights, params), fromCellOrder(weights.outputWeights, params),
          fromCellOrder(weights.biases, params)};
}

GruParams withTimeSteps(const GruParams& params, const Tensor& realTimeSteps) {
  if (params.rnn.variableTimeSteps()) {
    throw poplibs_error("variable time steps is not supported when used with real time steps");
  }
  GruParams out = params;
  out.rnn.varTimeSteps = realTimeSteps;
  return out;
}

std::uint64_t getBasicGruCellFwdFlops(const GruParams& p) {
  return outputs(p) * (6 * (p.rnn.layerSizes.at(0) + p.rnn.layerSizes.at(1)) + 5);
}

std::uint64_t getBasicGruCellBwdFlops(const GruParams& p) {
  const std::uint64_t inputs = p.calcInputGradients ? p.rnn.layerSizes.at(0) : 0;
  return outputs(p) * (6 * inputs + 12 * p.rnn.layerSizes.at(1) + 8);
}

std::uint64_t getBasicGruCellWuFlops(const GruParams& p) {
  return outputs(p) * 6 * (p.rnn.layerSizes.at(0) + p.rnn.layerSizes.at(1) + 1);
}

Tensor createInput(Graph& graph, const GruParams& params, const DebugContext& debugContext,
                   const OptionFlags& options, PlanningCache*) {
  return rnn::createInputTensor(graph, params.rnn, shardsOf(graph, params, options), debugContext);
}

Tensor createInitialState(Graph& graph, const GruParams& params, const DebugContext& debugContext,
                          const OptionFlags& options, PlanningCache*) {
  return rnn::createInitialState(graph, params.rnn, true, 1, shardsOf(graph, params, options),
                                 debugContext)
      .squeeze({0});
}

std::pair<Tensor, Tensor> createWeightsKernel(Graph& graph, const GruParams& params,
                                              const DebugContext& debugContext,
                                              const OptionFlags& options, PlanningCache* cache) {
  cells::checkLayers(params.rnn, "GRU");
  cells::gruOptions(options, params.rnn.dataType);
  const std::size_t in = params.rnn.layerSizes[0], out = params.rnn.layerSizes[1];
  const auto create = [&](std::size_t rows) {
    return cells::unflattenUnits(
        poplin::createMatMulInputRHS(graph, params.rnn.dataType, {params.rnn.batchSize, rows},
                                     {rows, BASIC_GRU_CELL_NUM_UNITS * out},
                                     {debugContext, "weights"}, {}, cache),
        BASIC_GRU_CELL_NUM_UNITS);
  };
  return {create(in), create(out)};
}

Tensor createWeightsBiases(Graph& graph, const GruParams& params, const DebugContext& debugContext,
                           const OptionFlags&, PlanningCache*) {
  cells::checkLayers(params.rnn, "GRU");
  std::vector<std::size_t> shape = {BASIC_GRU_CELL_NUM_UNITS, params.rnn.layerSizes[1]};
  if (params.resetAfter) shape.insert(shape.begin() + 1, 2);
  const Tensor t = graph.addVariable(params.rnn.dataType, shape, {debugContext, "biases"});
  mapTensorLinearly(graph, t);
  return t;
}

GruWeights createWeights(Graph& graph, const GruParams& params, const DebugContext& debugContext,
                         const OptionFlags& options, PlanningCache* cache) {
  const auto kernel = createWeightsKernel(graph, params, debugContext, options, cache);
  return {kernel.first, kernel.second,
          createWeightsBiases(graph, params, debugContext, options, cache)};
}

Tensor createAttention(Graph& graph, const GruParams& params, const DebugContext& debugContext,
                       const OptionFlags& options) {
  return rnn::createRecurrentTensor(graph, params.rnn, 1, shardsOf(graph, params, options),
                                    {debugContext, "attention"})
      .squeeze({2})
      .transpose();
}

}  // namespace gru
}  // namespace popnn
