#ifndef popnn_Recurrent_hpp
#define popnn_Recurrent_hpp

#include <cstddef>
#include <cstdint>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplin/MatMul.hpp>
#include <popnn/NonLinearity.hpp>
#include <tuple>
#include <utility>
#include <vector>

// Layers of h' = f(x W + h U + b), step by step or over sequences [T, B, size].

namespace popnn {
namespace rnn {

std::vector<std::pair<poplin::MatMulParams, poplar::OptionFlags>> getMatMulPrePlanParameters(
    std::size_t numSteps, std::size_t batchSize, std::size_t inputSize, std::size_t outputSize,
    const poplar::Type& dType, const poplar::Type& partialsType = poplar::FLOAT,
    bool inferenceOnly = false, bool hasFeedforwardWeights = true);

std::uint64_t getFwdFlops(unsigned sequenceSize, unsigned batchSize, unsigned inputSize,
                          unsigned outputSize, bool weightInput = true);
std::uint64_t getBwdFlops(unsigned sequenceSize, unsigned batchSize, unsigned inputSize,
                          unsigned outputSize, bool calcInputGrad = true);
std::uint64_t getWuFlops(unsigned sequenceSize, unsigned batchSize, unsigned inputSize,
                         unsigned outputSize);

poplar::Tensor createInput(poplar::Graph& graph, unsigned numSteps, unsigned batchSize,
                           unsigned inputSize, unsigned outputSize, const poplar::Type& dType,
                           const poplar::Type& partialsType = poplar::FLOAT,
                           bool inferenceOnly = false,
                           const poplar::DebugContext& debugContext = {},
                           poplin::PlanningCache* planningCache = nullptr);
/// [B, output size], zero where `initState`.
poplar::Tensor createFwdState(poplar::Graph& graph, const poplar::Type& dType, unsigned batchSize,
                              unsigned outputSize, poplar::program::Sequence& prog, bool initState,
                              bool inferenceOnly, const poplar::DebugContext& debugContext = {},
                              poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor getOutputFromFwdState(const poplar::Tensor& fwdState);
poplar::Tensor createWeightsInput(poplar::Graph& graph, unsigned sequenceSize, unsigned batchSize,
                                  unsigned inputSize, unsigned outputSize,
                                  const poplar::Type& dType,
                                  const poplar::Type& partialsType = poplar::FLOAT,
                                  bool inferenceOnly = false,
                                  const poplar::DebugContext& debugContext = {},
                                  poplin::PlanningCache* planningCache = nullptr);
poplar::Tensor createWeightsFeedback(poplar::Graph& graph, unsigned batchSize, unsigned outputSize,
                                     const poplar::Type& dType,
                                     const poplar::Type& partialsType = poplar::FLOAT,
                                     bool inferenceOnly = false,
                                     const poplar::DebugContext& debugContext = {},
                                     poplin::PlanningCache* planningCache = nullptr);

/// x W of all steps.
poplar::Tensor forwardWeightInput(poplar::Graph& graph, const poplar::Tensor& actIn,
                                  const poplar::Tensor& weights, poplar::program::Sequence& prog,
                                  const poplar::Type& partialsType = poplar::FLOAT,
                                  bool inferenceOnly = false,
                                  const poplar::DebugContext& debugContext = {},
                                  poplin::PlanningCache* planningCache = nullptr);
/// The outputs of all steps from what forwardWeightInput() gives.
poplar::Tensor forwardIterate(
    poplar::Graph& graph, const poplar::Tensor& feedFwdIn, const poplar::Tensor& initState,
    const poplar::Tensor& feedbackWeights, const poplar::Tensor& biases,
    poplar::program::Sequence& prog, popnn::NonLinearityType nonLinearityType,
    const poplar::Type& partialsType = poplar::FLOAT, bool inferenceOnly = false,
    const poplar::DebugContext& debugContext = {}, poplin::PlanningCache* planningCache = nullptr);

/// A gradient [B, output size] of zeros.
poplar::Tensor createBwdState(poplar::Graph& graph, const poplar::Type& dType, unsigned batchSize,
                              unsigned outputSize, poplar::program::Sequence& prog,
                              const poplar::DebugContext& debugContext = {},
                              poplin::PlanningCache* planningCache = nullptr);
/// The gradients of a step's input and, as the state for the step before, of its sum.
std::pair<poplar::Tensor, poplar::Tensor> backwardGradientStep(
    poplar::Graph& graph, const poplar::Tensor& nextLayerGrad, const poplar::Tensor& bwdState,
    const poplar::Tensor& actOut, const poplar::Tensor& weightsInput,
    const poplar::Tensor& weightsFeedback, poplar::program::Sequence& prog,
    popnn::NonLinearityType nonLinearityType, const poplar::Type& partialsType = poplar::FLOAT,
    const poplar::DebugContext& debugContext = {}, poplin::PlanningCache* planningCache = nullptr);
/// The state alone.
poplar::Tensor backwardGradientStep(poplar::Graph& graph, const poplar::Tensor& nextLayerGrad,
                                    const poplar::Tensor& bwdState, const poplar::Tensor& actOut,
                                    const poplar::Tensor& weightsFeedback,
                                    poplar::program::Sequence& prog,
                                    popnn::NonLinearityType nonLinearityType,
                                    const poplar::Type& partialsType = poplar::FLOAT,
                                    const poplar::DebugContext& debugContext = {},
                                    poplin::PlanningCache* planningCache = nullptr);
/// Adds a step's gradients of the parameters to the accumulators.
void paramDeltaUpdate(poplar::Graph& graph, const poplar::Tensor& bwdState,
                      const poplar::Tensor& actIn, const poplar::Tensor& prevOut,
                      poplar::Tensor& weightsInputDeltasAcc,
                      poplar::Tensor& weightsFeedbackDeltasAcc, poplar::Tensor& biasDeltasAcc,
                      poplar::program::Sequence& prog,
                      const poplar::Type& partialsType = poplar::FLOAT,
                      const poplar::DebugContext& debugContext = {},
                      poplin::PlanningCache* planningCache = nullptr);

/// The outputs of all steps; `weightedIn` may be null.
poplar::Tensor rnnFwdSequence(poplar::Graph& graph, poplar::program::Sequence& prog,
                              const poplar::Tensor& fwdStateInit, const poplar::Tensor* weightedIn,
                              const poplar::Tensor& biases, const poplar::Tensor& feedFwdWeights,
                              const poplar::Tensor& feedbackWeights,
                              const poplar::Tensor& prevLayerActs,
                              const popnn::NonLinearityType& nonLinearityType,
                              const poplar::Type& partialsType, bool inferenceOnly,
                              const poplar::DebugContext& debugContext = {},
                              poplin::PlanningCache* planningCache = nullptr);
/// The gradients of the input, of both weights and of the biases; `outGradient` is [B, T, output
/// size]. Those that are not asked for are invalid.
std::tuple<poplar::Tensor, poplar::Tensor, poplar::Tensor, poplar::Tensor> rnnBwdSequence(
    poplar::Graph& graph, bool doWU, bool ignoreInputGradientCalc, poplar::program::Sequence& prog,
    const poplar::Tensor& fwdStateInit, const poplar::Tensor& fwdState,
    const poplar::Tensor& biases, const poplar::Tensor& feedFwdWeights,
    const poplar::Tensor& feedbackWeights, const poplar::Tensor& outGradient,
    const poplar::Tensor& actIn, const popnn::NonLinearityType& nonLinearityType,
    const poplar::Type& partialsType, const poplar::DebugContext& debugContext = {},
    poplin::PlanningCache* planningCache = nullptr);

}  // namespace rnn
}  // namespace popnn

#endif  // popnn_Recurrent_hpp
