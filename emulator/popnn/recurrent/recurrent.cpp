#include <popnn/Recurrent.hpp>
#include <popnn/Rnn.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <popops/Zero.hpp>

#include "cells.hpp"

namespace popnn {
namespace rnn {

using namespace poplar;
using namespace poplar::program;
using poplin::PlanningCache;

namespace {

// h' of a step whose input is weighted, [B, output size] each.
Tensor addStep(Graph& graph, const Tensor& weighted, const Tensor& state, const Tensor& weights,
               const Tensor& biases, NonLinearityType type, Sequence& prog, const DebugContext& dc,
               PlanningCache* cache) {
  const Tensor sum = poplin::matMul(graph, state, weights, prog, dc, {}, cache);
  popops::addInPlace(graph, sum, weighted, prog, dc);
  popops::addInPlace(graph, sum, biases.expand({0}), prog, dc);
  nonLinearityInPlace(graph, type, sum, prog, dc);
  return sum;
}

RnnParams paramsOf(const Tensor& in, const Tensor& weights) {
  return {in.elementType(), in.dim(1), in.dim(0), {in.dim(2), weights.dim(1)}};
}

}  // namespace

std::vector<std::pair<poplin::MatMulParams, OptionFlags>> getMatMulPrePlanParameters(
    std::size_t, std::size_t batchSize, std::size_t inputSize, std::size_t outputSize,
    const Type& dType, const Type& partialsType, bool inferenceOnly, bool hasFeedforwardWeights) {
  const OptionFlags options = {{"partialsType", partialsType.toString()}};
  auto out =
      cells::fullyConnected(dType, batchSize, outputSize, outputSize, options, inferenceOnly);
  if (hasFeedforwardWeights) {
    const auto first = cells::fullyConnected(dType, batchSize, batchSize * inputSize, outputSize,
                                             options, inferenceOnly);
    out.insert(out.begin(), first.begin(), first.end());
  }
  return out;
}

std::uint64_t getFwdFlops(unsigned sequenceSize, unsigned batchSize, unsigned inputSize,
                          unsigned outputSize, bool weightInput) {
  const std::uint64_t outputs = std::uint64_t{sequenceSize} * batchSize * outputSize;
  const std::uint64_t feedback =
      outputs * (2 * outputSize - 1) + std::uint64_t{2} * sequenceSize * outputSize;
  return feedback + (weightInput ? outputs * (2 * inputSize - 1) : 0);
}

std::uint64_t getBwdFlops(unsigned sequenceSize, unsigned batchSize, unsigned inputSize,
                          unsigned outputSize, bool calcInputGrad) {
  const std::uint64_t outputs = std::uint64_t{sequenceSize} * batchSize * outputSize;
  return outputs * (2 * outputSize - 1) + (calcInputGrad ? outputs * (2 * inputSize - 1) : 0);
}

std::uint64_t getWuFlops(unsigned sequenceSize, unsigned batchSize, unsigned inputSize,
                         unsigned outputSize) {
  const std::uint64_t rows = std::uint64_t{sequenceSize} * batchSize;
  const std::uint64_t weights = std::uint64_t{outputSize} * (inputSize + outputSize);
  return weights * (2 * rows - 1) + (rows - 1) * outputSize + weights + outputSize;
}

Tensor createInput(Graph& graph, unsigned numSteps, unsigned batchSize, unsigned inputSize,
                   unsigned outputSize, const Type& dType, const Type&, bool,
                   const DebugContext& debugContext, PlanningCache* cache) {
  std::vector<Tensor> steps;
  for (unsigned s = 0; s < numSteps; ++s) {
    steps.push_back(poplin::createMatMulInputLHS(graph, dType, {batchSize, inputSize},
                                                 {inputSize, outputSize}, debugContext, {}, cache)
                        .expand({0}));
  }
  return concat(steps);
}

Tensor createFwdState(Graph& graph, const Type& dType, unsigned batchSize, unsigned outputSize,
                      Sequence& prog, bool initState, bool, const DebugContext& debugContext,
                      PlanningCache* cache) {
  const Tensor t =
      poplin::createMatMulInputLHS(graph, dType, {batchSize, outputSize}, {outputSize, outputSize},
                                   {debugContext, "state"}, {}, cache);
  if (initState) popops::zero(graph, t, prog, debugContext);
  return t;
}

Tensor getOutputFromFwdState(const Tensor& fwdState) { return fwdState; }

Tensor createWeightsInput(Graph& graph, unsigned, unsigned batchSize, unsigned inputSize,
                          unsigned outputSize, const Type& dType, const Type&, bool,
                          const DebugContext& debugContext, PlanningCache* cache) {
  return poplin::createMatMulInputRHS(graph, dType, {batchSize, inputSize}, {inputSize, outputSize},
                                      {debugContext, "weightsInput"}, {}, cache);
}

Tensor createWeightsFeedback(Graph& graph, unsigned batchSize, unsigned outputSize,
                             const Type& dType, const Type&, bool, const DebugContext& debugContext,
                             PlanningCache* cache) {
  return poplin::createMatMulInputRHS(graph, dType, {batchSize, outputSize},
                                      {outputSize, outputSize}, {debugContext, "weightsFeedback"},
                                      {}, cache);
}

Tensor forwardWeightInput(Graph& graph, const Tensor& actIn, const Tensor& weights, Sequence& prog,
                          const Type&, bool, const DebugContext& debugContext,
                          PlanningCache* cache) {
  return poplin::matMul(graph, actIn.flatten(0, 2), weights, prog, debugContext, {}, cache)
      .reshape({actIn.dim(0), actIn.dim(1), weights.dim(1)});
}

Tensor forwardIterate(Graph& graph, const Tensor& feedFwdIn, const Tensor& initState,
                      const Tensor& feedbackWeights, const Tensor& biases, Sequence& prog,
                      NonLinearityType nonLinearityType, const Type&, bool,
                      const DebugContext& debugContext, PlanningCache* cache) {
  std::vector<Tensor> outputs;
  Tensor state = initState;
  for (std::size_t s = 0; s < feedFwdIn.dim(0); ++s) {
    state = addStep(graph, feedFwdIn[s], state, feedbackWeights, biases, nonLinearityType, prog,
                    debugContext, cache);
    outputs.push_back(state.expand({0}));
  }
  return concat(outputs);
}

Tensor createBwdState(Graph& graph, const Type& dType, unsigned batchSize, unsigned outputSize,
                      Sequence& prog, const DebugContext& debugContext, PlanningCache* cache) {
  return createFwdState(graph, dType, batchSize, outputSize, prog, true, false, debugContext,
                        cache);
}

Tensor backwardGradientStep(Graph& graph, const Tensor& nextLayerGrad, const Tensor& bwdState,
                            const Tensor& actOut, const Tensor& weightsFeedback, Sequence& prog,
                            NonLinearityType nonLinearityType, const Type&,
                            const DebugContext& debugContext, PlanningCache* cache) {
  const Tensor total =
      poplin::matMul(graph, bwdState, weightsFeedback.transpose(), prog, debugContext, {}, cache);
  popops::addInPlace(graph, total, nextLayerGrad, prog, debugContext);
  return nonLinearityInputGradient(graph, nonLinearityType, actOut, total, prog, debugContext);
}

std::pair<Tensor, Tensor> backwardGradientStep(
    Graph& graph, const Tensor& nextLayerGrad, const Tensor& bwdState, const Tensor& actOut,
    const Tensor& weightsInput, const Tensor& weightsFeedback, Sequence& prog,
    NonLinearityType nonLinearityType, const Type& partialsType, const DebugContext& debugContext,
    PlanningCache* cache) {
  const Tensor state =
      backwardGradientStep(graph, nextLayerGrad, bwdState, actOut, weightsFeedback, prog,
                           nonLinearityType, partialsType, debugContext, cache);
  return {poplin::matMul(graph, state, weightsInput.transpose(), prog, debugContext, {}, cache),
          state};
}

void paramDeltaUpdate(Graph& graph, const Tensor& bwdState, const Tensor& actIn,
                      const Tensor& prevOut, Tensor& weightsInputDeltasAcc,
                      Tensor& weightsFeedbackDeltasAcc, Tensor& biasDeltasAcc, Sequence& prog,
                      const Type&, const DebugContext& debugContext, PlanningCache* cache) {
  poplin::matMulAcc(graph, weightsInputDeltasAcc, 1.0f, actIn.transpose(), bwdState, prog,
                    debugContext, {}, cache);
  poplin::matMulAcc(graph, weightsFeedbackDeltasAcc, 1.0f, prevOut.transpose(), bwdState, prog,
                    debugContext, {}, cache);
  const Tensor sum =
      popops::reduce(graph, bwdState, {0}, popops::Operation::ADD, prog, debugContext);
  popops::addInPlace(graph, biasDeltasAcc, sum, prog, debugContext);
}

Tensor rnnFwdSequence(Graph& graph, Sequence& prog, const Tensor& fwdStateInit,
                      const Tensor* weightedIn, const Tensor& biases, const Tensor& feedFwdWeights,
                      const Tensor& feedbackWeights, const Tensor& prevLayerActs,
                      const NonLinearityType& nonLinearityType, const Type& partialsType,
                      bool inferenceOnly, const DebugContext& debugContext, PlanningCache* cache) {
  const DebugContext dc(debugContext, "rnnFwdSequence");
  const Tensor weighted = weightedIn
                              ? *weightedIn
                              : forwardWeightInput(graph, prevLayerActs, feedFwdWeights, prog,
                                                   partialsType, inferenceOnly, dc, cache);
  const RnnParams params = paramsOf(prevLayerActs, feedbackWeights);
  const Tensor out = createOutputTensor(graph, params, 1u, dc);
  OptionFlags options;
  Rnn(
      graph, params, false, {fwdStateInit.expand({0})}, {out, 0}, {weighted}, nullptr, nullptr, {},
      {}, prog,
      [&](Graph& g, const TimeStepState&, const RnnBatchwiseFlags&, std::vector<Tensor>& states,
          const RnnSlice& slice, std::vector<Tensor>&, Sequence*, const DebugNameAndId& id) {
        Sequence step;
        const Tensor state = states[0].squeeze({0});
        step.add(Copy(addStep(g, slice.inputs[0], state, feedbackWeights, biases, nonLinearityType,
                              step, id, cache),
                      state, false, id));
        return step;
      },
      1, options, dc);
  return out;
}

std::tuple<Tensor, Tensor, Tensor, Tensor> rnnBwdSequence(
    Graph& graph, bool doWU, bool ignoreInputGradientCalc, Sequence& prog,
    const Tensor& fwdStateInit, const Tensor& fwdState, const Tensor& biases,
    const Tensor& feedFwdWeights, const Tensor& feedbackWeights, const Tensor& outGradient,
    const Tensor& actIn, const NonLinearityType& nonLinearityType, const Type& partialsType,
    const DebugContext& debugContext, PlanningCache* cache) {
  const DebugContext dc(debugContext, "rnnBwdSequence");
  const RnnParams params = paramsOf(actIn, feedbackWeights);
  Tensor d_in, d_weights, d_feedback, d_biases;
  std::vector<Tensor> outputs;
  if (!ignoreInputGradientCalc) {
    d_in = createInputTensor(graph, params, 1, dc);
    outputs.push_back(d_in);
  }
  if (doWU) {
    d_weights = graph.clone(feedFwdWeights, dc);
    d_feedback = graph.clone(feedbackWeights, dc);
    d_biases = graph.clone(biases, dc);
    for (const Tensor& t : {d_weights, d_feedback, d_biases}) popops::zero(graph, t, prog, dc);
  }
  const Tensor first =
      createBwdState(graph, params.dataType, static_cast<unsigned>(params.batchSize),
                     static_cast<unsigned>(feedbackWeights.dim(1)), prog, dc, cache);
  const Tensor previous = shiftRnnTensor(graph, params, fwdState, fwdStateInit, prog, 1, dc);
  OptionFlags options;
  Rnn(
      graph, params, true, {first.expand({0})}, {},
      {outGradient.dimShuffle({1, 0, 2}), fwdState, previous, actIn}, nullptr, nullptr, outputs, {},
      prog,
      [&](Graph& g, const TimeStepState&, const RnnBatchwiseFlags&, std::vector<Tensor>& states,
          const RnnSlice& slice, std::vector<Tensor>&, Sequence*, const DebugNameAndId& id) {
        Sequence step;
        const Tensor state = states[0].squeeze({0});
        const Tensor next =
            backwardGradientStep(g, slice.inputs[0], state, slice.inputs[1], feedbackWeights, step,
                                 nonLinearityType, partialsType, id, cache);
        step.add(Copy(next, state, false, id));
        if (!ignoreInputGradientCalc) {
          step.add(Copy(poplin::matMul(g, next, feedFwdWeights.transpose(), step, id, {}, cache),
                        slice.outputs[0].squeeze({0}), false, id));
        }
        if (doWU) {
          paramDeltaUpdate(g, next, slice.inputs[3], slice.inputs[2], d_weights, d_feedback,
                           d_biases, step, partialsType, id, cache);
        }
        return step;
      },
      1, options, dc);
  return std::make_tuple(d_in, d_weights, d_feedback, d_biases);
}

}  // namespace rnn
}  // namespace popnn
