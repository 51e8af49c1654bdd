#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <popops/Zero.hpp>

#include "gru.hpp"

namespace popnn {
namespace gru {

using namespace poplar;
using namespace poplar::program;
using poplin::PlanningCache;
namespace pe = popops::expr;

namespace {

// Operands of the backward pass, with weights in the order of the units.
struct Operands {
  GruParams params;
  Tensor first_state, saved;
  GruWeights weights;
  Tensor output, output_gradient, attention;
  OptionFlags options;
  PlanningCache* cache;
};

// What it writes in addition to the gradient of the first state; pointers may be null.
struct Wanted {
  Tensor *input, *units, *attention;
};

// The gradients of a step.
struct StepGradients {
  Tensor units;     // [3, B, output size]: reset, update, candidate
  Tensor previous;  // of the output before
};

// From `output`, the gradient of a step's output.
class Step {
 public:
  Step(Graph& graph, const Operands& operands, const rnn::RnnSlice& slice, Sequence& prog,
       const DebugContext& dc)
      : graph_(graph), operands_(operands), slice_(slice), prog_(prog), dc_(dc) {}

  StepGradients gradients(const Tensor& output, const Tensor& mask, Tensor* attention) {
    const Tensor saved = slice_.interimIn, previous = slice_.inputs[1];
    const NonLinearityType gate = operands_.params.recurrentActivation;
    const Tensor reset = saved[RESET_GATE], update = saved[UPDATE_GATE];
    Tensor candidate = map(pe::_1 - pe::_1 * pe::_2, {output, update});
    candidate = of(operands_.params.activation, saved[CANDIDATE], candidate);
    if (mask.valid()) popops::mulInPlace(graph_, candidate, mask, prog_, dc_);
    const Tensor d_update = updateGradient(output, attention);

    // The gradient of the reset gate, and of the output before through the candidate.
    Tensor d_reset, through;
    const Tensor to_candidate = operands_.weights.outputWeights[2].transpose();
    if (operands_.params.resetAfter) {
      d_reset = map(pe::_1 * pe::_2, {candidate, saved[savedRecurrence(operands_.params)]});
      through = product(map(pe::_1 * pe::_2, {candidate, reset}), to_candidate);
    } else {
      const Tensor remaining = product(candidate, to_candidate);
      d_reset = map(pe::_1 * pe::_2, {remaining, previous});
      through = map(pe::_1 * pe::_2, {remaining, reset});
    }
    d_reset = of(gate, reset, d_reset);
    const Tensor gates = operands_.weights.outputWeights.slice(0, 2, 0);
    const Tensor by_gates =
        product(concat(d_reset, d_update, 1), cells::flattenUnits(gates).transpose());
    const Tensor d_previous =
        map(pe::_1 * pe::_2 + pe::_3 + pe::_4, {output, update, through, by_gates});
    return {concat({d_reset.expand({0}), d_update.expand({0}), candidate.expand({0})}), d_previous};
  }

 private:
  Tensor map(const pe::Expr& e, const std::vector<Tensor>& ts) {
    return popops::map(graph_, e, ts, prog_, dc_);
  }
  Tensor product(const Tensor& a, const Tensor& b) {
    return poplin::matMul(graph_, a, b, prog_, dc_, {}, operands_.cache);
  }
  Tensor of(NonLinearityType type, const Tensor& activation, const Tensor& gradient) {
    return nonLinearityInputGradient(graph_, type, activation, gradient, prog_, dc_);
  }

  // With attention, the saved gate is the product of the activated one and of one minus that.
  Tensor updateGradient(const Tensor& output, Tensor* attention) {
    const Tensor saved = slice_.interimIn, attended = slice_.inputs[2];
    const NonLinearityType gate = operands_.params.recurrentActivation;
    const Tensor gradient =
        map(pe::_1 * (pe::_2 - pe::_3), {output, slice_.inputs[1], saved[CANDIDATE]});
    if (!attended.valid()) return of(gate, saved[UPDATE_GATE], gradient);
    const Tensor activated = map(pe::_1 / (1.0f - pe::_2), {saved[UPDATE_GATE], attended});
    const Tensor products = map(pe::Neg(pe::_1 * pe::_2), {gradient, activated});
    *attention = popops::reduce(graph_, products, {1}, popops::Operation::ADD, prog_, dc_);
    return of(gate, activated, map(pe::_1 - pe::_1 * pe::_2, {gradient, attended}));
  }

  Graph& graph_;
  const Operands& operands_;
  const rnn::RnnSlice& slice_;
  Sequence& prog_;
  DebugContext dc_;
};

Tensor outputsOf(const GruParams& params, const Tensor& output, const Tensor& saved) {
  return params.outputFullSequence ? output : saved.slice(OUTPUT, OUTPUT + 1, 1).squeeze({1});
}

Tensor backward(Graph& graph, const Operands& operands, const Wanted& wanted, Sequence& prog,
                const DebugContext& dc) {
  const GruParams& params = operands.params;
  cells::checkInputGradient(wanted.input, params.calcInputGradients);
  const unsigned shards = shardsOf(graph, params, operands.options);
  const Tensor to_input = cells::flattenUnits(operands.weights.inputWeights).transpose();
  const rnn::LoopBodyType step =
      [&](Graph& g, const rnn::TimeStepState&, const rnn::RnnBatchwiseFlags& flags,
          std::vector<Tensor>& states, const rnn::RnnSlice& slice, std::vector<Tensor>& created,
          Sequence*, const DebugNameAndId& id) {
        Sequence sequence;
        const Tensor output = states[0].squeeze({0});
        Tensor total = output;
        if (slice.inputs[0].valid()) {
          total = popops::add(g, output, slice.inputs[0], sequence, id);
        }
        const Tensor mask = flags.valid() ? flags.mask.expand({1}) : Tensor();
        const StepGradients gradients =
            Step(g, operands, slice, sequence, id)
                .gradients(total, mask, created.empty() ? nullptr : &created[0]);
        if (wanted.input) {
          sequence.add(Copy(poplin::matMul(g, cells::flattenUnits(gradients.units), to_input,
                                           sequence, id, {}, operands.cache),
                            slice.outputs[0].squeeze({0}), false, id));
        }
        if (slice.interimOut.valid()) {
          sequence.add(Copy(gradients.units, slice.interimOut, false, id));
        }
        if (flags.valid()) {
          cells::updateWhere(g, flags, output, gradients.previous, sequence, id);
        } else {
          sequence.add(Copy(gradients.previous, output, false, id));
        }
        return sequence;
      };

  const Tensor last = rnn::createInitialState(graph, params.rnn, true, 1, shards, {dc, "last"});
  if (params.outputFullSequence) {
    popops::zero(graph, last, prog, dc);
  } else {
    prog.add(Copy(operands.output_gradient, last.squeeze({0}), false, dc));
  }
  std::vector<Tensor> outputs, created;
  if (wanted.input) {
    *wanted.input = rnn::createInputTensor(graph, params.rnn, shards, {dc, "inputGrad"});
    cells::clear(graph, params.rnn, *wanted.input, prog, dc);
    outputs.push_back(*wanted.input);
  }
  if (wanted.units) {
    *wanted.units =
        rnn::createOutputTensor(graph, params.rnn, BASIC_GRU_CELL_NUM_UNITS, shards, {dc, "units"})
            .reshapePartial(0, 1, {params.rnn.maxTimeSteps, BASIC_GRU_CELL_NUM_UNITS});
    cells::clear(graph, params.rnn, *wanted.units, prog, dc);
  }
  if (wanted.attention) {
    *wanted.attention = createAttention(graph, params, dc, operands.options);
    cells::clear(graph, params.rnn, *wanted.attention, prog, dc);
    created.push_back(wanted.attention->transpose());
  }
  const Tensor previous =
      rnn::shiftRnnTensor(graph, params.rnn, outputsOf(params, operands.output, operands.saved),
                          operands.first_state, prog, shards, dc);
  OptionFlags rnn_options;
  return rnn::Rnn(graph, params.rnn, true, {last}, {},
                  {params.outputFullSequence ? operands.output_gradient : Tensor(), previous,
                   attentionSequence(operands.attention)},
                  &operands.saved, wanted.units, outputs, created, prog, step, shards, rnn_options,
                  dc)[0]
      .squeeze({0});
}

// Of all steps in one product for each kernel.
GruWeights weightGradients(Graph& graph, const Operands& operands, const Tensor& units_of_steps,
                           const Tensor& input, Sequence& prog, const DebugContext& dc) {
  const GruParams& params = operands.params;
  const Tensor units = cells::unitsOfAllSteps(units_of_steps);  // [3, T * B, output size]
  const Tensor reset = operands.saved.slice(RESET_GATE, RESET_GATE + 1, 1).flatten(0, 3);
  const Tensor x = input.flatten(0, 2);
  const Tensor h =
      rnn::shiftRnnTensor(graph, params.rnn, outputsOf(params, operands.output, operands.saved),
                          operands.first_state, prog, shardsOf(graph, params, operands.options), dc)
          .flatten(0, 2);
  const auto product = [&](const Tensor& operand, const Tensor& of) {
    return cells::unflattenUnits(poplin::matMul(graph, operand.transpose(), cells::flattenUnits(of),
                                                prog, dc, {}, operands.cache),
                                 of.dim(0));
  };
  const auto sum = [&](const Tensor& t) {
    return popops::reduce(graph, t, {1}, popops::Operation::ADD, prog, dc);
  };
  const Tensor gates = units.slice(0, 2, 0), candidate = units.slice(2, 3, 0);
  GruWeights out;
  out.inputWeights = product(x, units);
  if (params.resetAfter) {
    const Tensor behind = popops::mul(graph, candidate, reset.expand({0}), prog, dc);
    const Tensor recurrent = concat(gates, behind);
    out.outputWeights = product(h, recurrent);
    out.biases = concat(sum(units).expand({1}), sum(recurrent).expand({1}), 1);
  } else {
    const Tensor remaining = popops::mul(graph, h, reset, prog, dc);
    out.outputWeights = concat(product(h, gates), product(remaining, candidate));
    out.biases = sum(units);
  }
  return toCellOrder(out, params);
}

}  // namespace

Tensor gruBwd(Graph& graph, const GruParams& params, Sequence& prog, const Tensor& fwdOutputInit,
              const Tensor& fwdIntermediatesSeq, const GruWeights& weights, const Tensor&,
              const Tensor& fwdOutput, const Tensor& gradLayerNext, Tensor* inputGrad,
              Tensor* bwdIntermediates, const DebugContext& debugContext,
              const OptionFlags& options_, PlanningCache* cache) {
  return backward(graph,
                  {params, fwdOutputInit, fwdIntermediatesSeq, fromCellOrder(weights, params),
                   fwdOutput, gradLayerNext, Tensor(), options_, cache},
                  {inputGrad, bwdIntermediates, nullptr}, prog, {debugContext, "gruBwd"});
}

Tensor gruBwd(Graph& graph, const GruParams& params, Sequence& prog, const Tensor& fwdOutputInit,
              const Tensor& fwdIntermediatesSeq, const GruWeights& weights,
              const Tensor& fwdInputSeq, const Tensor& realTimeSteps, const Tensor& fwdOutput,
              const Tensor& gradLayerNext, Tensor* inputGrad, Tensor* bwdIntermediates,
              const DebugContext& debugContext, const OptionFlags& options_, PlanningCache* cache) {
  return gruBwd(graph, withTimeSteps(params, realTimeSteps), prog, fwdOutputInit,
                fwdIntermediatesSeq, weights, fwdInputSeq, fwdOutput, gradLayerNext, inputGrad,
                bwdIntermediates, debugContext, options_, cache);
}

Tensor auGruBwd(Graph& graph, const GruParams& params, Sequence& prog, const Tensor& fwdOutputInit,
                const Tensor& fwdIntermediatesSeq, const GruWeights& weights, const Tensor&,
                const Tensor& fwdOutput, const Tensor& gradLayerNext, Tensor* inputGrad,
                Tensor* bwdIntermediates, const Tensor& attentions, Tensor* attentionsGrad,
                const DebugContext& debugContext, const OptionFlags& options_,
                PlanningCache* cache) {
  return backward(graph,
                  {params, fwdOutputInit, fwdIntermediatesSeq, fromCellOrder(weights, params),
                   fwdOutput, gradLayerNext, attentions, options_, cache},
                  {inputGrad, bwdIntermediates, attentionsGrad}, prog, {debugContext, "auGruBwd"});
}

Tensor auGruBwd(Graph& graph, const GruParams& params, Sequence& prog, const Tensor& fwdOutputInit,
                const Tensor& fwdIntermediatesSeq, const GruWeights& weights,
                const Tensor& fwdInputSeq, const Tensor& realTimeSteps, const Tensor& fwdOutput,
                const Tensor& gradLayerNext, Tensor* inputGrad, Tensor* bwdIntermediates,
                const Tensor& attentions, Tensor* attentionsGrad, const DebugContext& debugContext,
                const OptionFlags& options_, PlanningCache* cache) {
  return auGruBwd(graph, withTimeSteps(params, realTimeSteps), prog, fwdOutputInit,
                  fwdIntermediatesSeq, weights, fwdInputSeq, fwdOutput, gradLayerNext, inputGrad,
                  bwdIntermediates, attentions, attentionsGrad, debugContext, options_, cache);
}

GruWeights gruWU(Graph& graph, const GruParams& params, Sequence& prog, const Tensor& fwdOutputInit,
                 const Tensor& fwdIntermediates, const Tensor& bwdIntermediates,
                 const GruWeights& weights, const Tensor& input, const Tensor& output,
                 const DebugContext& debugContext, const OptionFlags& options_,
                 PlanningCache* cache) {
  return weightGradients(graph,
                         {params, fwdOutputInit, fwdIntermediates, weights, output, Tensor(),
                          Tensor(), options_, cache},
                         bwdIntermediates, input, prog, {debugContext, "gruWU"});
}

GruWeights auGruWU(Graph& graph, const GruParams& params, Sequence& prog,
                   const Tensor& fwdOutputInit, const Tensor& fwdIntermediates,
                   const Tensor& bwdIntermediates, const GruWeights& weights, const Tensor& input,
                   const Tensor& output, const DebugContext& debugContext,
                   const OptionFlags& options_, PlanningCache* cache) {
  return gruWU(graph, params, prog, fwdOutputInit, fwdIntermediates, bwdIntermediates, weights,
               input, output, debugContext, options_, cache);
}

Tensor gruBwdWithWU(Graph& graph, const GruParams& params, Sequence& prog,
                    const Tensor& fwdOutputInit, const Tensor& fwdIntermediates,
                    const GruWeights& weights, const Tensor& input, const Tensor& output,
                    const Tensor& outputGrad, Tensor* inputGrad, GruWeights& weightsGrad,
                    const DebugContext& debugContext, const OptionFlags& options_,
                    PlanningCache* cache) {
  Tensor units;
  const Tensor first = gruBwd(graph, params, prog, fwdOutputInit, fwdIntermediates, weights, input,
                              output, outputGrad, inputGrad, &units, debugContext, options_, cache);
  weightsGrad = gruWU(graph, params, prog, fwdOutputInit, fwdIntermediates, units, weights, input,
                      output, debugContext, options_, cache);
  return first;
}

Tensor gruBwdWithWU(Graph& graph, const GruParams& params, Sequence& prog,
                    const Tensor& fwdOutputInit, const Tensor& fwdIntermediates,
                    const GruWeights& weights, const Tensor& input, const Tensor& realTimeSteps,
                    const Tensor& output, const Tensor& outputGrad, Tensor* inputGrad,
                    GruWeights& weightsGrad, const DebugContext& debugContext,
                    const OptionFlags& options_, PlanningCache* cache) {
  return gruBwdWithWU(graph, withTimeSteps(params, realTimeSteps), prog, fwdOutputInit,
                      fwdIntermediates, weights, input, output, outputGrad, inputGrad, weightsGrad,
                      debugContext, options_, cache);
}

Tensor auGruBwdWithWU(Graph& graph, const GruParams& params, Sequence& prog,
                      const Tensor& fwdOutputInit, const Tensor& fwdIntermediates,
                      const GruWeights& weights, const Tensor& input, const Tensor& output,
                      const Tensor& outputGrad, Tensor* inputGrad, GruWeights& weightsGrad,
                      const Tensor& attentions, Tensor* attentionsGrad,
                      const DebugContext& debugContext, const OptionFlags& options_,
                      PlanningCache* cache) {
  Tensor units;
  const Tensor first = auGruBwd(graph, params, prog, fwdOutputInit, fwdIntermediates, weights,
                                input, output, outputGrad, inputGrad, &units, attentions,
                                attentionsGrad, debugContext, options_, cache);
  weightsGrad = auGruWU(graph, params, prog, fwdOutputInit, fwdIntermediates, units, weights, input,
                        output, debugContext, options_, cache);
  return first;
}

Tensor auGruBwdWithWU(Graph& graph, const GruParams& params, Sequence& prog,
                      const Tensor& fwdOutputInit, const Tensor& fwdIntermediates,
                      const GruWeights& weights, const Tensor& input, const Tensor& realTimeSteps,
                      const Tensor& output, const Tensor& outputGrad, Tensor* inputGrad,
                      GruWeights& weightsGrad, const Tensor& attentions, Tensor* attentionsGrad,
                      const DebugContext& debugContext, const OptionFlags& options_,
                      PlanningCache* cache) {
  return auGruBwdWithWU(graph, withTimeSteps(params, realTimeSteps), prog, fwdOutputInit,
                        fwdIntermediates, weights, input, output, outputGrad, inputGrad,
                        weightsGrad, attentions, attentionsGrad, debugContext, options_, cache);
}

}  // namespace gru
}  // namespace popnn
