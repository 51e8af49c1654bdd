#ifndef popnn_Lstm_hpp
#define popnn_Lstm_hpp

#include <cstddef>
#include <cstdint>
#include <poplar/Tensor.hpp>
#include <poplin/MatMul.hpp>
#include <popnn/LstmDef.hpp>
#include <popnn/NonLinearityDef.hpp>
#include <popnn/Rnn.hpp>
#include <utility>
#include <vector>

namespace popnn {
namespace lstm {

/// Forget gate, input gate, candidate, output gate.
const std::vector<BasicLstmCellUnit> getDefaultBasicLstmCellOrder();

struct LstmParams {
  rnn::RnnParams rnn;

  // Those of `rnn`, by their earlier names.
  poplar::Type dataType;
  std::size_t batchSize;
  std::size_t timeSteps;
  std::vector<std::size_t> layerSizes;

  bool outputFullSequence = true;  // else the output of the last step alone
  bool doInputWeightCalc = true;   // else the input takes no part
  bool calcInputGradients = true;
  // Whether a sample with fewer steps than others keeps its last cell state; else it is 0.
  bool preserveFinalState = false;
  std::vector<BasicLstmCellUnit> cellOrder = getDefaultBasicLstmCellOrder();
  NonLinearityType activation = NonLinearityType::TANH;
  NonLinearityType recurrentActivation = NonLinearityType::SIGMOID;

  LstmParams(poplar::Type dataType, std::size_t batchSize, std::size_t timeSteps,
             std::vector<std::size_t> layerSizes,
             NonLinearityType activation = NonLinearityType::TANH,
             NonLinearityType recurrentActivation = NonLinearityType::SIGMOID);
  LstmParams(poplar::Type dataType, std::size_t batchSize, std::size_t maxTimeSteps,
             const poplar::Tensor& timeSteps, std::vector<std::size_t> layerSizes,
             NonLinearityType activation = NonLinearityType::TANH,
             NonLinearityType recurrentActivation = NonLinearityType::SIGMOID);
};

/// Each [B, output size].
struct LstmState {
  poplar::Tensor output;
  poplar::Tensor cellState;

  poplar::Tensor getAsTensor() const;
};

std::vector<std::pair<poplin::MatMulParams, poplar::OptionFlags>> getMatMulPrePlanParameters(
    LstmParams params, poplar::OptionFlags opts);

std::uint64_t getBasicLstmCellFwdFlops(const LstmParams& params);
std::uint64_t getBasicLstmCellBwdFlops(const LstmParams& params);
std::uint64_t getBasicLstmCellWuFlops(const LstmParams& params);

/// [T, B, input size]. Options of this and of all functions below: inferenceOnly, preCalcWeights,
/// partialsType, weightAccumulatorsType (the type of gradients of weights), recomputationMode,
/// availableMemoryProportion, numShards, rnnCodeReuse, rnnStepsPerWU, disableWUPartialInterleaving.
poplar::Tensor createInput(poplar::Graph& graph, const LstmParams& params,
                           const poplar::DebugContext& debugContext,
                           const poplar::OptionFlags& options = {},
                           poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor createInitialOutput(poplar::Graph& graph, const LstmParams& params,
                                   const poplar::DebugContext& debugContext,
                                   const poplar::OptionFlags& options = {},
                                   poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor createInitialCellState(poplar::Graph& graph, const LstmParams& params,
                                      const poplar::DebugContext& debugContext,
                                      const poplar::OptionFlags& options = {},
                                      poplin::PlanningCache* planningCache = nullptr);
LstmState createInitialState(poplar::Graph& graph, const LstmParams& params,
                             const poplar::DebugContext& debugContext,
                             const poplar::OptionFlags& options = {},
                             poplin::PlanningCache* planningCache = nullptr);
void zeroInitialState(poplar::Graph& graph, const LstmState& initialState,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {});

/// In the order of the cells: [4, input size, output size], [4, output size, output size] and
/// [4, output size].
struct LstmWeights {
  poplar::Tensor inputWeights;
  poplar::Tensor outputWeights;
  poplar::Tensor biases;
};

std::pair<poplar::Tensor, poplar::Tensor> createWeightsKernel(
    poplar::Graph& graph, const LstmParams& params, const poplar::DebugContext& debugContext,
    const poplar::OptionFlags& options = {}, poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor createWeightsBiases(poplar::Graph& graph, const LstmParams& params,
                                   const poplar::DebugContext& debugContext,
                                   const poplar::OptionFlags& options = {},
                                   poplin::PlanningCache* planningCache = nullptr);
LstmWeights createWeights(poplar::Graph& graph, const LstmParams& params,
                          const poplar::DebugContext& debugContext,
                          const poplar::OptionFlags& options = {},
                          poplin::PlanningCache* planningCache = nullptr);

/// The output, [T, B, output size] or that of the last step, and the last cell state.
/// `intermediates` is what the backward pass needs; null for inference.
std::pair<poplar::Tensor, poplar::Tensor> lstmFwd(
    poplar::Graph& graph, const LstmParams& params, const LstmState& stateInit,
    const poplar::Tensor& in, const LstmWeights& weights, poplar::Tensor* intermediates,
    poplar::program::Sequence& fwdProg, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {}, poplin::PlanningCache* planningCache = nullptr);

/// The gradient of the first state. `lastStepStateGrad` may be null, and is so where the numbers of
/// steps vary; `inputGrad` is null where `params` want no gradient of the input.
LstmState lstmBwd(poplar::Graph& graph, const LstmParams& params, poplar::program::Sequence& prog,
                  const LstmState& fwdStateInit, const poplar::Tensor& fwdIntermediates,
                  const LstmWeights& weights, const poplar::Tensor& input,
                  const poplar::Tensor& output, const poplar::Tensor& outputGrad,
                  const LstmState* lastStepStateGrad, poplar::Tensor* inputGrad,
                  poplar::Tensor* bwdIntermediates, const poplar::DebugContext& debugContext = {},
                  const poplar::OptionFlags& options = {},
                  poplin::PlanningCache* planningCache = nullptr);
LstmState lstmBwd(poplar::Graph& graph, const LstmParams& params, poplar::program::Sequence& prog,
                  const LstmState& fwdStateInit, const poplar::Tensor& fwdIntermediates,
                  const LstmWeights& weights, const poplar::Tensor& input,
                  const poplar::Tensor& output, const poplar::Tensor& outputGrad,
                  const poplar::Tensor* lastCellStateGrad, poplar::Tensor* inputGrad,
                  poplar::Tensor* bwdIntermediates, const poplar::DebugContext& debugContext = {},
                  const poplar::OptionFlags& options = {},
                  poplin::PlanningCache* planningCache = nullptr);

/// The gradients of the weights, of the intermediate results of both passes.
LstmWeights lstmWU(poplar::Graph& graph, const LstmParams& params, poplar::program::Sequence& prog,
                   const LstmState& fwdStateInit, const poplar::Tensor& fwdIntermediates,
                   const poplar::Tensor& bwdIntermediates, const LstmWeights& weights,
                   const poplar::Tensor& input, const poplar::Tensor& output,
                   const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {},
                   poplin::PlanningCache* planningCache = nullptr);

/// Both of them.
LstmState lstmBwdWithWU(poplar::Graph& graph, const LstmParams& params,
                        poplar::program::Sequence& prog, const LstmState& fwdStateInit,
                        const poplar::Tensor& fwdIntermediates, const LstmWeights& weights,
                        const poplar::Tensor& input, const poplar::Tensor& output,
                        const poplar::Tensor& outputGrad, const LstmState* lastStepStateGrad,
                        poplar::Tensor* inputGrad, LstmWeights& weightsGrad,
                        const poplar::DebugContext& debugContext = {},
                        const poplar::OptionFlags& options = {},
                        poplin::PlanningCache* planningCache = nullptr);
LstmState lstmBwdWithWU(poplar::Graph& graph, const LstmParams& params,
                        poplar::program::Sequence& prog, const LstmState& fwdStateInit,
                        const poplar::Tensor& fwdIntermediates, const LstmWeights& weights,
                        const poplar::Tensor& input, const poplar::Tensor& output,
                        const poplar::Tensor& outputGrad, const poplar::Tensor* lastCellStateGrad,
                        poplar::Tensor* inputGrad, LstmWeights& weightsGrad,
                        const poplar::DebugContext& debugContext = {},
                        const poplar::OptionFlags& options = {},
                        poplin::PlanningCache* planningCache = nullptr);

}  // namespace lstm
}  // namespace popnn

#endif  // popnn_Lstm_hpp
