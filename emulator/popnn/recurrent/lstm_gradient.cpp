#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <popops/Zero.hpp>
#include <poputil/exceptions.hpp>

#include "lstm.hpp"

namespace popnn {
namespace lstm {

using namespace poplar;
using namespace poplar::program;
using poplin::PlanningCache;
namespace pe = popops::expr;

namespace {

struct StepGradients {
  Tensor units;  // [4, B, output size], in the order of the cells
  Tensor cell;   // of the cell state before
};

// From the gradients of a step's output and of the cell state after it.
StepGradients stepGradients(Graph& graph, const LstmParams& params, const Tensor& saved,
                            const Tensor& output, const Tensor& cell, Sequence& prog,
                            const DebugContext& dc) {
  const auto product = [&](const Tensor& a, const Tensor& b) {
    return popops::mul(graph, a, b, prog, dc);
  };
  const auto gate = [&](Saved which, const Tensor& gradient) {
    const NonLinearityType type = which == CANDIDATE || which == ACTIVATED_CELL
                                      ? params.activation
                                      : params.recurrentActivation;
    return nonLinearityInputGradient(graph, type, saved[which], gradient, prog, dc);
  };
  const Tensor new_cell = gate(ACTIVATED_CELL, product(output, saved[OUTPUT_GATE]));
  popops::addInPlace(graph, new_cell, cell, prog, dc);
  std::vector<Tensor> units(BASIC_LSTM_CELL_NUM_UNITS);
  units[BASIC_LSTM_CELL_OUTPUT_GATE] = gate(OUTPUT_GATE, product(output, saved[ACTIVATED_CELL]));
  units[BASIC_LSTM_CELL_INPUT_GATE] = gate(INPUT_GATE, product(new_cell, saved[CANDIDATE]));
  units[BASIC_LSTM_CELL_CANDIDATE] = gate(CANDIDATE, product(new_cell, saved[INPUT_GATE]));
  units[BASIC_LSTM_CELL_FORGET_GATE] = gate(FORGET_GATE, product(new_cell, saved[PREVIOUS_CELL]));
  std::vector<Tensor> ordered;
  for (const BasicLstmCellUnit unit : params.cellOrder) {
    ordered.push_back(units[unit].expand({0}));
  }
  return {concat(ordered), product(new_cell, saved[FORGET_GATE])};
}

// The gradient of the last state, and with it that of an output that is the last one alone.
LstmState lastGradient(Graph& graph, const LstmParams& params, const Tensor& outputGrad,
                       const LstmState* last, unsigned shards, Sequence& prog,
                       const DebugContext& dc) {
  const auto make = [&](const Tensor* from) {
    const Tensor t = rnn::createInitialState(graph, params.rnn, true, 1, shards, dc).squeeze({0});
    if (from != nullptr && from->valid()) {
      prog.add(Copy(*from, t, false, dc));
    } else {
      popops::zero(graph, t, prog, dc);
    }
    return t;
  };
  const LstmState out = {make(last ? &last->output : nullptr),
                         make(last ? &last->cellState : nullptr)};
  if (!params.outputFullSequence) popops::addInPlace(graph, out.output, outputGrad, prog, dc);
  return out;
}

LstmState backward(Graph& graph, const LstmParams& params, Sequence& prog,
                   const Tensor& fwdIntermediates, const LstmWeights& weights,
                   const Tensor& outputGrad, const LstmState* lastStepStateGrad, Tensor* inputGrad,
                   Tensor* bwdIntermediates, const DebugContext& dc, const OptionFlags& options,
                   PlanningCache* cache) {
  cells::checkInputGradient(inputGrad, params.calcInputGradients);
  const unsigned shards = shardsOf(graph, params, optionsOf(params, options));
  const LstmState last =
      lastGradient(graph, params, outputGrad, lastStepStateGrad, shards, prog, dc);
  const Tensor to_output = cells::flattenUnits(weights.outputWeights).transpose();
  const rnn::LoopBodyType step = [&](Graph& g, const rnn::TimeStepState&,
                                     const rnn::RnnBatchwiseFlags& flags,
                                     std::vector<Tensor>& states, const rnn::RnnSlice& slice,
                                     std::vector<Tensor>&, Sequence*, const DebugNameAndId& id) {
    Sequence sequence;
    const Tensor output = states[0].squeeze({0}), cell = states[1].squeeze({0});
    Tensor total = output;
    if (slice.inputs[0].valid()) {
      total = popops::add(g, output, slice.inputs[0], sequence, id);
    }
    const StepGradients gradients =
        stepGradients(g, params, slice.interimIn, total, cell, sequence, id);
    const Tensor units = cells::flattenUnits(gradients.units);
    const Tensor previous = poplin::matMul(g, units, to_output, sequence, id, {}, cache);
    if (inputGrad) {
      const Tensor to_input = cells::flattenUnits(weights.inputWeights).transpose();
      sequence.add(Copy(poplin::matMul(g, units, to_input, sequence, id, {}, cache),
                        slice.outputs[0].squeeze({0}), false, id));
    }
    if (slice.interimOut.valid()) {
      sequence.add(Copy(gradients.units, slice.interimOut, false, id));
    }
    // The gradient of the last output waits for the last step of each sample.
    if (!params.outputFullSequence && flags.valid()) {
      cells::updateWhere(g, flags, output, previous, sequence, id);
      cells::updateWhere(g, flags, cell, gradients.cell, sequence, id);
    } else {
      sequence.add(Copy(previous, output, false, id));
      sequence.add(Copy(gradients.cell, cell, false, id));
    }
    return sequence;
  };

  std::vector<Tensor> outputs;
  if (inputGrad) {
    *inputGrad = rnn::createInputTensor(graph, params.rnn, shards, {dc, "inputGrad"});
    cells::clear(graph, params.rnn, *inputGrad, prog, dc);
    outputs.push_back(*inputGrad);
  }
  if (bwdIntermediates) {
    *bwdIntermediates =
        rnn::createOutputTensor(graph, params.rnn, BASIC_LSTM_CELL_NUM_UNITS, shards, {dc, "units"})
            .reshapePartial(0, 1, {params.rnn.maxTimeSteps, BASIC_LSTM_CELL_NUM_UNITS});
    cells::clear(graph, params.rnn, *bwdIntermediates, prog, dc);
  }
  OptionFlags rnn_options;
  const std::vector<Tensor> first =
      rnn::Rnn(graph, params.rnn, true, {last.output.expand({0}), last.cellState.expand({0})}, {},
               {params.outputFullSequence ? outputGrad : Tensor()}, &fwdIntermediates,
               bwdIntermediates, outputs, {}, prog, step, shards, rnn_options, dc);
  return {first[0].squeeze({0}), first[1].squeeze({0})};
}

// The state of the earlier functions, which take the gradient of the cell state alone; null where
// it is ignored.
const LstmState* stateOf(const LstmParams& params, const Tensor* cell_gradient, LstmState& state) {
  if (cell_gradient == nullptr || params.rnn.variableTimeSteps()) return nullptr;
  state.cellState = *cell_gradient;
  return &state;
}

void checkNoState(const LstmParams& params, const LstmState* state) {
  if (params.rnn.variableTimeSteps() && state != nullptr) {
    throw poputil::poplibs_error(
        "lstmBwd: expected no gradient of the last state where the numbers of time steps vary");
  }
}

}  // namespace

LstmState lstmBwd(Graph& graph, const LstmParams& params, Sequence& prog, const LstmState&,
                  const Tensor& fwdIntermediates, const LstmWeights& weights, const Tensor&,
                  const Tensor&, const Tensor& outputGrad, const LstmState* lastStepStateGrad,
                  Tensor* inputGrad, Tensor* bwdIntermediates, const DebugContext& debugContext,
                  const OptionFlags& options, PlanningCache* cache) {
  checkNoState(params, lastStepStateGrad);
  return backward(graph, params, prog, fwdIntermediates, weights, outputGrad, lastStepStateGrad,
                  inputGrad, bwdIntermediates, {debugContext, "lstmBwd"}, options, cache);
}

LstmState lstmBwd(Graph& graph, const LstmParams& params, Sequence& prog,
                  const LstmState& fwdStateInit, const Tensor& fwdIntermediates,
                  const LstmWeights& weights, const Tensor& input, const Tensor& output,
                  const Tensor& outputGrad, const Tensor* lastCellStateGrad, Tensor* inputGrad,
                  Tensor* bwdIntermediates, const DebugContext& debugContext,
                  const OptionFlags& options, PlanningCache* cache) {
  LstmState state;
  return lstmBwd(graph, params, prog, fwdStateInit, fwdIntermediates, weights, input, output,
                 outputGrad, stateOf(params, lastCellStateGrad, state), inputGrad, bwdIntermediates,
                 debugContext, options, cache);
}

LstmWeights lstmWU(Graph& graph, const LstmParams& params, Sequence& prog,
                   const LstmState& fwdStateInit, const Tensor& fwdIntermediates,
                   const Tensor& bwdIntermediates, const LstmWeights&, const Tensor& input,
                   const Tensor& output, const DebugContext& debugContext,
                   const OptionFlags& options, PlanningCache* cache) {
  const DebugContext dc(debugContext, "lstmWU");
  const cells::Options parsed = optionsOf(params, options);
  const unsigned shards = shardsOf(graph, params, parsed);
  const Tensor outputs = params.outputFullSequence
                             ? output
                             : fwdIntermediates.slice(OUTPUT, OUTPUT + 1, 1).squeeze({1});
  const Tensor previous =
      rnn::shiftRnnTensor(graph, params.rnn, outputs, fwdStateInit.output, prog, shards, dc);
  // All steps in one product.
  const Tensor units = cells::unitsOfAllSteps(bwdIntermediates);
  const Tensor both = concat(input, previous, 2).flatten(0, 2).transpose();
  const Tensor kernel = poplin::matMul(graph, both, cells::flattenUnits(units), prog,
                                       parsed.accumulators, dc, {}, cache);
  const Tensor biases =
      popops::reduce(graph, units, parsed.accumulators, {1}, popops::Operation::ADD, prog, dc);
  const std::size_t in = params.rnn.layerSizes[0];
  return {cells::unflattenUnits(kernel.slice(0, in, 0), BASIC_LSTM_CELL_NUM_UNITS),
          cells::unflattenUnits(kernel.slice(in, kernel.dim(0), 0), BASIC_LSTM_CELL_NUM_UNITS),
          biases};
}

LstmState lstmBwdWithWU(Graph& graph, const LstmParams& params, Sequence& prog,
                        const LstmState& fwdStateInit, const Tensor& fwdIntermediates,
                        const LstmWeights& weights, const Tensor& input, const Tensor& output,
                        const Tensor& outputGrad, const LstmState* lastStepStateGrad,
                        Tensor* inputGrad, LstmWeights& weightsGrad,
                        const DebugContext& debugContext, const OptionFlags& options,
                        PlanningCache* cache) {
  Tensor units;
  const LstmState first =
      lstmBwd(graph, params, prog, fwdStateInit, fwdIntermediates, weights, input, output,
              outputGrad, lastStepStateGrad, inputGrad, &units, debugContext, options, cache);
  weightsGrad = lstmWU(graph, params, prog, fwdStateInit, fwdIntermediates, units, weights, input,
                       output, debugContext, options, cache);
  return first;
}

LstmState lstmBwdWithWU(Graph& graph, const LstmParams& params, Sequence& prog,
                        const LstmState& fwdStateInit, const Tensor& fwdIntermediates,
                        const LstmWeights& weights, const Tensor& input, const Tensor& output,
                        const Tensor& outputGrad, const Tensor* lastCellStateGrad,
                        Tensor* inputGrad, LstmWeights& weightsGrad,
                        const DebugContext& debugContext, const OptionFlags& options,
                        PlanningCache* cache) {
  LstmState state;
  return lstmBwdWithWU(graph, params, prog, fwdStateInit, fwdIntermediates, weights, input, output,
                       outputGrad, stateOf(params, lastCellStateGrad, state), inputGrad,
                       weightsGrad, debugContext, options, cache);
}

}  // namespace lstm
}  // namespace popnn
