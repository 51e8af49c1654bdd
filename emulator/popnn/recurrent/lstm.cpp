#include "lstm.hpp"

#include <popops/ElementWise.hpp>
#include <poputil/exceptions.hpp>

namespace popnn {
namespace lstm {

using namespace poplar;
using namespace poplar::program;
using poplin::PlanningCache;
namespace pe = popops::expr;

namespace {

struct Gates {
  Tensor forget, input, candidate, output;
};

// The activated units of a step, each [B, output size].
Gates calcGates(Graph& graph, const LstmParams& params, const Tensor& in, const Tensor& previous,
                const LstmWeights& weights, Sequence& prog, const DebugContext& dc,
                PlanningCache* cache) {
  Tensor operand = previous, kernel = cells::flattenUnits(weights.outputWeights);
  if (params.doInputWeightCalc) {
    operand = concat(in, previous, 1);
    kernel = concat(cells::flattenUnits(weights.inputWeights), kernel);
  }
  const Tensor units = cells::unflattenUnits(
      poplin::matMul(graph, operand, kernel, prog, dc, {}, cache), BASIC_LSTM_CELL_NUM_UNITS);
  popops::addInPlace(graph, units, weights.biases.expand({1}), prog, dc);
  Gates gates;
  for (std::size_t i = 0; i < params.cellOrder.size(); ++i) {
    switch (params.cellOrder[i]) {
      case BASIC_LSTM_CELL_FORGET_GATE:
        gates.forget = units[i];
        break;
      case BASIC_LSTM_CELL_INPUT_GATE:
        gates.input = units[i];
        break;
      case BASIC_LSTM_CELL_CANDIDATE:
        gates.candidate = units[i];
        break;
      default:
        gates.output = units[i];
    }
  }
  nonLinearityInPlace(graph, params.recurrentActivation,
                      concat({gates.forget, gates.input, gates.output}), prog, dc);
  nonLinearityInPlace(graph, params.activation, gates.candidate, prog, dc);
  return gates;
}

void checkOrder(const LstmParams& params) {
  unsigned seen = 0;
  for (const BasicLstmCellUnit unit : params.cellOrder) seen |= 1u << unit;
  if (params.cellOrder.size() != BASIC_LSTM_CELL_NUM_UNITS || seen != 15) {
    throw poputil::poplibs_error("LSTM: expected each of the four units once in the cell order");
  }
}

}  // namespace

std::pair<Tensor, Tensor> lstmFwd(Graph& graph, const LstmParams& params,
                                  const LstmState& stateInit, const Tensor& in,
                                  const LstmWeights& weights, Tensor* intermediates,
                                  Sequence& fwdProg, const DebugContext& debugContext,
                                  const OptionFlags& options, PlanningCache* cache) {
  const DebugContext dc(debugContext, "lstmFwd");
  checkOrder(params);
  const unsigned shards = shardsOf(graph, params, optionsOf(params, options));
  const rnn::LoopBodyType step = [&](Graph& g, const rnn::TimeStepState&,
                                     const rnn::RnnBatchwiseFlags& flags,
                                     std::vector<Tensor>& states, const rnn::RnnSlice& slice,
                                     std::vector<Tensor>&, Sequence*, const DebugNameAndId& id) {
    Sequence prog;
    const Tensor output = states[0].squeeze({0}), cell = states[1].squeeze({0});
    const Gates gates = calcGates(g, params, slice.inputs[0], output, weights, prog, id, cache);
    if (flags.valid()) {
      for (const Tensor& gate : {gates.forget, gates.input, gates.candidate, gates.output}) {
        popops::mulInPlace(g, gate, flags.mask.expand({1}), prog, id);
      }
    }
    const Tensor new_cell =
        popops::map(g, pe::_1 * pe::_2 + pe::_3 * pe::_4,
                    {gates.forget, cell, gates.input, gates.candidate}, prog, id);
    const Tensor activated = nonLinearity(g, params.activation, new_cell, prog, id);
    if (slice.interimOut.valid()) {
      std::vector<Tensor> saved = {gates.forget, gates.input, gates.candidate,
                                   gates.output, activated,   cell};
      for (Tensor& t : saved) t = t.expand({0});
      prog.add(Copy(concat(saved), slice.interimOut.slice(0, OUTPUT, 0), false, id));
    }
    popops::mapWithOutput(g, pe::_1 * pe::_2, {activated, gates.output}, output, prog, id);
    if (slice.interimOut.valid() && !params.outputFullSequence) {
      prog.add(Copy(output, slice.interimOut[OUTPUT], false, id));
    }
    if (flags.valid() && params.preserveFinalState) {
      cells::updateWhere(g, flags, cell, new_cell, prog, id);
    } else {
      prog.add(Copy(new_cell, cell, false, id));
    }
    return prog;
  };

  rnn::StateSequence sequence = {Tensor(), 0};
  if (params.outputFullSequence) {
    sequence.output = rnn::createOutputTensor(graph, params.rnn, shards, dc);
    cells::clear(graph, params.rnn, sequence.output, fwdProg, dc);
  }
  if (intermediates) {
    const unsigned kinds = savedKinds(params);
    *intermediates = rnn::createOutputTensor(graph, params.rnn, kinds, shards, {dc, "saved"})
                         .reshapePartial(0, 1, {params.rnn.maxTimeSteps, kinds});
    cells::clear(graph, params.rnn, *intermediates, fwdProg, dc);
  }
  OptionFlags rnn_options;
  const std::vector<Tensor> last = rnn::Rnn(
      graph, params.rnn, false, {stateInit.output.expand({0}), stateInit.cellState.expand({0})},
      sequence, {in}, nullptr, intermediates, {}, {}, fwdProg, step, shards, rnn_options, dc);
  return {params.outputFullSequence ? sequence.output : last[0].squeeze({0}), last[1].squeeze({0})};
}

}  // namespace lstm
}  // namespace popnn
