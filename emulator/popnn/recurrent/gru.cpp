#include "gru.hpp"

#include <popops/ElementWise.hpp>
#include <poputil/exceptions.hpp>

namespace popnn {
namespace gru {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using poplin::PlanningCache;
namespace pe = popops::expr;

namespace {

// The units of a step, each [B, output size]; `recurrence` is that of the candidate before the
// reset gate, where that acts after it.
struct Units {
  Tensor reset, update, candidate, recurrence;
};

class Step {
 public:
  Step(Graph& graph, const GruParams& params, const GruWeights& weights, Sequence& prog,
       const DebugContext& dc, PlanningCache* cache)
      : graph_(graph), params_(params), weights_(weights), prog_(prog), dc_(dc), cache_(cache) {}

  Units units(const Tensor& in, const Tensor& previous) {
    return params_.resetAfter ? resetAfter(in, previous) : resetBefore(in, previous);
  }

 private:
  Tensor product(const Tensor& operand, const Tensor& kernel) {
    return poplin::matMul(graph_, operand, kernel, prog_, dc_, {}, cache_);
  }

  // x W + y U for units [first, last), [last - first, B, output size].
  Tensor weighted(const Tensor& x, const Tensor& y, unsigned first, unsigned last) {
    const Tensor kernel = concat(cells::flattenUnits(weights_.inputWeights.slice(first, last, 0)),
                                 cells::flattenUnits(weights_.outputWeights.slice(first, last, 0)));
    return cells::unflattenUnits(product(concat(x, y, 1), kernel), last - first);
  }

  Units resetBefore(const Tensor& in, const Tensor& previous) {
    const Tensor gates = weighted(in, previous, 0, 2);
    popops::addInPlace(graph_, gates, weights_.biases.slice(0, 2, 0).expand({1}), prog_, dc_);
    nonLinearityInPlace(graph_, params_.recurrentActivation, gates, prog_, dc_);
    const Tensor remaining = popops::mul(graph_, gates[0], previous, prog_, dc_);
    const Tensor candidate = weighted(in, remaining, 2, 3)[0];
    popops::addInPlace(graph_, candidate, weights_.biases[2].expand({0}), prog_, dc_);
    nonLinearityInPlace(graph_, params_.activation, candidate, prog_, dc_);
    return {gates[0], gates[1], candidate, Tensor()};
  }

  Units resetAfter(const Tensor& in, const Tensor& previous) {
    const auto unitsOf = [&](const Tensor& operand, const Tensor& weights, unsigned bias) {
      const Tensor t = cells::unflattenUnits(product(operand, cells::flattenUnits(weights)),
                                             BASIC_GRU_CELL_NUM_UNITS);
      const Tensor biases = weights_.biases.slice(bias, bias + 1, 1);  // [3, 1, output size]
      popops::addInPlace(graph_, t, biases, prog_, dc_);
      return t;
    };
    const Tensor x = unitsOf(in, weights_.inputWeights, 0),
                 h = unitsOf(previous, weights_.outputWeights, 1);
    const Tensor gates = x.slice(0, 2, 0);
    popops::addInPlace(graph_, gates, h.slice(0, 2, 0), prog_, dc_);
    nonLinearityInPlace(graph_, params_.recurrentActivation, gates, prog_, dc_);
    popops::mapInPlace(graph_, pe::_1 + pe::_2 * pe::_3, {x[2], h[2], gates[0]}, prog_, dc_);
    nonLinearityInPlace(graph_, params_.activation, x[2], prog_, dc_);
    return {gates[0], gates[1], x[2], h[2]};
  }

  Graph& graph_;
  const GruParams& params_;
  const GruWeights& weights_;
  Sequence& prog_;
  DebugContext dc_;
  PlanningCache* cache_;
};

Tensor forward(Graph& graph, const GruParams& params, const Tensor& stateInit, const Tensor& in,
               const GruWeights& in_cell_order, Tensor* intermediates, const Tensor& attention,
               Sequence& fwdProg, const DebugContext& dc, const OptionFlags& options,
               PlanningCache* cache) {
  const unsigned shards = shardsOf(graph, params, options);
  const GruWeights weights = fromCellOrder(in_cell_order, params);
  const rnn::LoopBodyType step = [&](Graph& g, const rnn::TimeStepState&,
                                     const rnn::RnnBatchwiseFlags& flags,
                                     std::vector<Tensor>& states, const rnn::RnnSlice& slice,
                                     std::vector<Tensor>&, Sequence*, const DebugNameAndId& id) {
    Sequence prog;
    const Tensor output = states[0].squeeze({0});
    const Units units = Step(g, params, weights, prog, id, cache).units(slice.inputs[0], output);
    if (slice.inputs[1].valid()) {
      popops::mapInPlace(g, pe::_1 - pe::_1 * pe::_2, {units.update, slice.inputs[1]}, prog, id);
    }
    const Tensor next = popops::map(g, pe::_1 + pe::_2 * (pe::_3 - pe::_1),
                                    {units.candidate, units.update, output}, prog, id);
    if (flags.valid()) {
      for (const Tensor& t : {next, units.reset, units.update, units.candidate}) {
        popops::mulInPlace(g, t, flags.mask.expand({1}), prog, id);
      }
    }
    if (slice.interimOut.valid()) {
      std::vector<Tensor> saved = {units.reset, units.update, units.candidate};
      if (!params.outputFullSequence) saved.push_back(next);
      if (params.resetAfter) saved.push_back(units.recurrence);
      for (Tensor& t : saved) t = t.expand({0});
      prog.add(Copy(concat(saved), slice.interimOut, false, id));
    }
    if (flags.valid() && !params.outputFullSequence) {
      cells::updateWhere(g, flags, output, next, prog, id);
    } else {
      prog.add(Copy(next, output, false, id));
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
  const std::vector<Tensor> last =
      rnn::Rnn(graph, params.rnn, false, {stateInit.expand({0})}, sequence,
               {in, attentionSequence(attention)}, nullptr, intermediates, {}, {}, fwdProg, step,
               shards, rnn_options, dc);
  return params.outputFullSequence ? sequence.output : last[0].squeeze({0});
}

GruParams forwardWithTimeSteps(const GruParams& params, const Tensor& realTimeSteps) {
  if (!params.outputFullSequence) {
    throw poplibs_error("The outputFullSequence should be true if realTimeSteps given");
  }
  return withTimeSteps(params, realTimeSteps);
}

}  // namespace

Tensor gruFwd(Graph& graph, const GruParams& params, const Tensor& stateInit, const Tensor& in,
              const GruWeights& weights, Tensor* intermediates, Sequence& fwdProg,
              const DebugContext& debugContext, const OptionFlags& options, PlanningCache* cache) {
  return forward(graph, params, stateInit, in, weights, intermediates, Tensor(), fwdProg,
                 {debugContext, "gruFwd"}, options, cache);
}

Tensor gruFwd(Graph& graph, const GruParams& params, const Tensor& stateInit, const Tensor& in,
              const Tensor& realTimeSteps, const GruWeights& weights, Tensor* intermediates,
              Sequence& fwdProg, const DebugContext& debugContext, const OptionFlags& options,
              PlanningCache* cache) {
  return gruFwd(graph, forwardWithTimeSteps(params, realTimeSteps), stateInit, in, weights,
                intermediates, fwdProg, debugContext, options, cache);
}

Tensor auGruFwd(Graph& graph, const GruParams& params, const Tensor& stateInit, const Tensor& in,
                const GruWeights& weights, Tensor* intermediates, const Tensor& attScores,
                Sequence& fwdProg, const DebugContext& debugContext, const OptionFlags& options,
                PlanningCache* cache) {
  return forward(graph, params, stateInit, in, weights, intermediates, attScores, fwdProg,
                 {debugContext, "auGruFwd"}, options, cache);
}

Tensor auGruFwd(Graph& graph, const GruParams& params, const Tensor& stateInit, const Tensor& in,
                const Tensor& realTimeSteps, const GruWeights& weights, Tensor* intermediates,
                const Tensor& attScores, Sequence& fwdProg, const DebugContext& debugContext,
                const OptionFlags& options, PlanningCache* cache) {
  return auGruFwd(graph, forwardWithTimeSteps(params, realTimeSteps), stateInit, in, weights,
                  intermediates, attScores, fwdProg, debugContext, options, cache);
}

}  // namespace gru
}  // namespace popnn
