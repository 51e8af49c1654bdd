#include <algorithm>
#include <popnn/Rnn.hpp>
#include <popops/Cast.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Loop.hpp>
#include <popops/Reduce.hpp>
#include <popops/Zero.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>
#include <string>

namespace popnn {
namespace rnn {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
namespace pe = popops::expr;

namespace {

// What is the same for every shard.
struct Loop {
  Loop(Graph& graph_, const RnnParams& params_, const LoopBodyType& body_, const DebugContext& dc_)
      : graph(graph_), params(params_), body(body_), dc(dc_, "rnn") {}

  Graph& graph;
  const RnnParams& params;
  const LoopBodyType& body;
  DebugContext dc;
  bool reverse = false;
  StateSequence state_sequence;
  std::vector<Tensor> inputs, outputs, created;
  const Tensor* interim_in = nullptr;
  const Tensor* interim_out = nullptr;
  unsigned temps = 0;  // intermediate results of a step
  std::vector<Tensor> gather_inputs;
  GatherBodyType gather;
  unsigned steps_per_gather = 0;

  Tensor counter, none;      // the step within a shard, and the one before step 0
  Tensor longest, shortest;  // of the samples, where numbers of steps vary
};

// Steps [begin, end) of all.
struct Shard {
  unsigned begin, end;
  bool first;  // to run
  unsigned steps() const { return end - begin; }
};

Tensor onTile0(Graph& graph, const Tensor& t) {
  graph.setTileMapping(t, 0);
  return t;
}

Tensor number(Graph& graph, unsigned value, const DebugContext& dc) {
  return onTile0(graph, graph.addConstant(UNSIGNED_INT, {1}, value, dc));
}

// The steps from `counter` on of a sequence's shard, without the dimension of the steps.
Tensor sliceSteps(Loop& loop, const Tensor& t, const Shard& shard, unsigned steps, Sequence& prog) {
  if (!t.valid()) return t;
  const Tensor steps_of_shard = t.slice(shard.begin, shard.end, 0);
  return popops::dynamicSlice(loop.graph, steps_of_shard, loop.counter, {0}, {steps}, prog,
                              {loop.dc, "slice"})
      .flatten(0, 2);
}

// Writes `s` as a step of `t`, which has a dimension of steps, or `multiple` rows of each step.
void updateStep(Loop& loop, const Tensor& t, const Tensor& s, const Shard& shard,
                const Tensor& step, Sequence& prog) {
  Tensor steps = t;
  if (t.rank() == s.rank()) {
    steps = t.reshapePartial(0, 1, {t.dim(0) / s.dim(0), s.dim(0)});
  }
  popops::dynamicUpdate(loop.graph, steps.slice(shard.begin, shard.end, 0), s.expand({0}), step,
                        {0}, {1}, prog, {loop.dc, "update"});
}

// A tensor for the `multiple` rows that a step has of `t`.
Tensor stepOf(Loop& loop, const Tensor& t) {
  const std::size_t multiple = t.dim(0) / loop.params.maxTimeSteps;
  return loop.graph.clone(t.slice(0, multiple, 0), {loop.dc, "step"});
}

// The number of steps of a shard that the longest or shortest sample has.
Tensor within(Loop& loop, const Tensor& steps, const Shard& shard, Sequence& prog) {
  const pe::Const begin(static_cast<int>(shard.begin)), most(static_cast<int>(shard.steps()));
  return onTile0(
      loop.graph,
      popops::map(loop.graph,
                  pe::Cast(pe::Max(pe::Min(pe::_1 - begin, most), pe::Const(0)), UNSIGNED_INT),
                  {steps}, prog, {loop.dc, "steps"}));
}

// Which samples have the step.
RnnBatchwiseFlags flags(Loop& loop, const Tensor& begin, Sequence& prog) {
  if (!loop.params.batchVariableTimeSteps()) return {};
  const Type type = loop.params.dataType;
  const std::vector<Tensor> ts = {loop.params.varTimeSteps.reinterpret(UNSIGNED_INT), begin,
                                  loop.counter};
  const pe::Any has = pe::_1 > pe::_2 + pe::_3;
  return {popops::map(loop.graph, pe::Cast(has, type), ts, prog, {loop.dc, "mask"}),
          popops::map(loop.graph, pe::Cast(pe::Not(has), type), ts, prog, {loop.dc, "inverse"})};
}

// Calls the gather function when the temporary buffer is full, and after the loop for the rest. A
// step's place in the buffer counts from the end of the shard's last partial group.
class Gather {
 public:
  Gather(Loop& loop, const Shard& shard, const Tensor& interim, Sequence& before)
      : loop_(loop),
        shard_(shard),
        cadence_(std::min(loop.steps_per_gather, shard.steps())),
        rest_(shard.steps() % cadence_),
        buffer_(interim) {
    if (cadence_ == 1) return;
    std::vector<Tensor> all;
    for (unsigned i = 0; i < cadence_; ++i) {
      all.push_back(loop.graph.clone(interim, {loop.dc, "gathered"}));
    }
    buffer_ = concat(all);
    if (loop.params.variableTimeSteps()) popops::zero(loop.graph, buffer_, before, loop.dc);
  }

  void addStep(const Tensor& interim, Sequence* init, Sequence& step, Sequence& after) {
    Graph& graph = loop_.graph;
    const bool whole = cadence_ == shard_.steps();
    if (cadence_ == 1) {
      run(cadence_, !whole, init, whole ? after : step);
      return;
    }
    const pe::Const cadence(cadence_), skipped(cadence_ - rest_);
    const Tensor place = popops::map(graph, (pe::_1 + skipped) % cadence, {loop_.counter}, step,
                                     {loop_.dc, "place"});
    const Tensor groups = buffer_.reshapePartial(0, 1, {cadence_, buffer_.dim(0) / cadence_});
    popops::dynamicUpdate(graph, groups, interim.expand({0}), place, {0}, {1}, step,
                          {loop_.dc, "gather"});
    if (whole) {
      run(cadence_, false, init, after);
      return;
    }
    Sequence full;
    run(cadence_, true, init, full);
    const Tensor more = popops::cast(graph, place, BOOL, step, loop_.dc).reshape({});
    step.add(If(more, Sequence(), full, loop_.dc));
    if (rest_ != 0) run(rest_, false, nullptr, after);
  }

 private:
  // Of `steps` steps: from the counter on, or the first ones of the shard.
  void run(unsigned steps, bool at_counter, Sequence* init, Sequence& prog) {
    RnnSlice slice;
    for (const Tensor& t : loop_.gather_inputs) {
      if (at_counter) {
        slice.inputs.push_back(sliceSteps(loop_, t, shard_, steps, prog));
      } else {
        slice.inputs.push_back(
            t.valid() ? t.slice(shard_.begin, shard_.begin + steps, 0).flatten(0, 2) : t);
      }
    }
    const std::size_t rows = buffer_.dim(0) / cadence_ * steps;
    slice.interimIn = buffer_.slice(buffer_.dim(0) - rows, buffer_.dim(0), 0);
    prog.add(loop_.gather(loop_.graph, slice, steps, init, {loop_.dc, "gather"}));
  }

  Loop& loop_;
  const Shard& shard_;
  unsigned cadence_, rest_;
  Tensor buffer_;
};

void addShard(Loop& loop, const Shard& shard, std::vector<Tensor>& states, Sequence& prog) {
  Graph& graph = loop.graph;
  const bool variable = loop.params.variableTimeSteps();
  const Tensor begin = number(graph, shard.begin, {loop.dc, "begin"});
  const Tensor limit = variable ? within(loop, loop.longest, shard, prog)
                                : number(graph, shard.steps(), {loop.dc, "steps"});
  // Either counts first, so that it starts a step early.
  Sequence count;
  prog.add(Copy(loop.reverse ? limit : loop.none, loop.counter, false, loop.dc));
  const Tensor more =
      popops::addForLoopCounterVertex(graph, loop.counter, loop.reverse ? loop.none : limit,
                                      loop.reverse ? -1 : 1, 0, count, loop.dc);
  TimeStepState time = {begin, loop.counter, Tensor()};
  if (variable) {
    const Tensor shortest = within(loop, loop.shortest, shard, prog);
    time.variableSeqFlag =
        popops::gteq(graph, loop.counter, shortest, count, {loop.dc, "ended"}).reshape({});
  }

  Sequence step, after;
  RnnSlice slice;
  for (const Tensor& t : loop.inputs) slice.inputs.push_back(sliceSteps(loop, t, shard, 1, step));
  if (loop.interim_in) slice.interimIn = sliceSteps(loop, *loop.interim_in, shard, 1, step);
  if (loop.temps != 0) {
    slice.interimOut =
        createInitialState(graph, loop.params, true, loop.temps, 1, {loop.dc, "interimOut"});
  }
  for (const Tensor& t : loop.outputs) slice.outputs.push_back(stepOf(loop, t));
  const RnnBatchwiseFlags batch_flags = flags(loop, begin, step);
  std::vector<Tensor> created(loop.created.size());
  Sequence* const init = shard.first ? &prog : nullptr;
  step.add(loop.body(graph, time, batch_flags, states, slice, created, init, {loop.dc, "step"}));

  if (loop.interim_out) {
    updateStep(loop, *loop.interim_out, slice.interimOut, shard, loop.counter, step);
  }
  if (loop.state_sequence.output.valid()) {
    updateStep(loop, loop.state_sequence.output, states.at(loop.state_sequence.stateIndex), shard,
               loop.counter, step);
  }
  for (std::size_t i = 0; i < loop.outputs.size(); ++i) {
    updateStep(loop, loop.outputs[i], slice.outputs[i], shard, loop.counter, step);
  }
  for (std::size_t i = 0; i < created.size(); ++i) {
    updateStep(loop, loop.created[i], created[i], shard, loop.counter, step);
  }
  if (loop.gather)
    Gather(loop, shard, slice.interimOut, prog).addStep(slice.interimOut, init, step, after);
  if (variable) {
    prog.add(RepeatWhileTrue(count, more, step, loop.dc));
  } else {
    prog.add(Repeat(shard.steps(), Sequence({count, step}), loop.dc));
  }
  prog.add(after);
}

std::vector<Tensor> addLoop(Loop& loop, const std::vector<Tensor>& initState, unsigned numShards,
                            const OptionFlags& options, Sequence& prog) {
  Graph& graph = loop.graph;
  bool code_reuse;  // the same program by fewer instructions
  const poplibs::OptionSpec spec{
      {"codeReuse", poplibs::OptionHandler::createWithInteger<bool>(code_reuse)}};
  for (const auto& option : options) spec.parse(option.first, option.second);
  const unsigned steps = static_cast<unsigned>(loop.params.maxTimeSteps);
  if (numShards == 0 || steps == 0) {
    throw poplibs_error("Rnn: expected a step and a shard at least, got " + std::to_string(steps) +
                        " and " + std::to_string(numShards));
  }
  std::vector<Tensor> states;
  for (const Tensor& t : initState) {
    if (t.valid()) {
      states.push_back(graph.clone(t, {loop.dc, "state"}));
      prog.add(Copy(t, states.back(), false, loop.dc));
    } else {
      states.push_back(t);
    }
  }
  loop.counter = onTile0(graph, graph.addVariable(UNSIGNED_INT, {1}, {loop.dc, "counter"}));
  loop.none = number(graph, ~0u, {loop.dc, "none"});
  if (loop.params.variableTimeSteps()) {
    const Tensor each = popops::cast(graph, loop.params.varTimeSteps, INT, prog, loop.dc);
    loop.longest = popops::reduce(graph, each, {0}, popops::Operation::MAX, prog, loop.dc);
    loop.shortest = popops::reduce(graph, each, {0}, popops::Operation::MIN, prog, loop.dc);
    loop.longest = loop.longest.expand({0});
    loop.shortest = loop.shortest.expand({0});
  }
  const unsigned length = (steps + numShards - 1) / numShards,
                 shards = (steps + length - 1) / length;
  for (unsigned i = 0; i < shards; ++i) {
    const unsigned index = loop.reverse ? shards - 1 - i : i;
    addShard(loop, {index * length, std::min((index + 1) * length, steps), i == 0}, states, prog);
  }
  return states;
}

}  // namespace

std::vector<Tensor> Rnn(Graph& graph, const RnnParams& params, bool reverse,
                        const std::vector<Tensor>& initState, const StateSequence& stateSequence,
                        const std::vector<Tensor>& inputs, const Tensor* interimIn,
                        Tensor* interimOut, const std::vector<Tensor>& outputs,
                        const std::vector<Tensor>& created, Sequence& prog,
                        const LoopBodyType& loopFn, unsigned numShards, OptionFlags& options,
                        const DebugContext& debugContext) {
  Loop loop(graph, params, loopFn, debugContext);
  loop.reverse = reverse;
  loop.state_sequence = stateSequence;
  loop.inputs = inputs;
  loop.outputs = outputs;
  loop.created = created;
  loop.interim_in = interimIn;
  loop.interim_out = interimOut;
  if (interimOut) loop.temps = static_cast<unsigned>(interimOut->dim(1));
  return addLoop(loop, initState, numShards, options, prog);
}

std::vector<Tensor> Rnn(Graph& graph, const RnnParams& params, const std::vector<Tensor>& initState,
                        const StateSequence& stateSequence, const std::vector<Tensor>& inputs,
                        const Tensor& interimIn, const unsigned numTemps, Sequence& prog,
                        const LoopBodyType& loopFn, const std::vector<Tensor>& gatherInputs,
                        const GatherBodyType& gatherFn, unsigned numShards, unsigned stepsPerGather,
                        OptionFlags& options, const DebugContext& debugContext) {
  if (numTemps == 0 || stepsPerGather == 0) {
    throw poplibs_error("Rnn: expected an intermediate result and a step to gather at least, got " +
                        std::to_string(numTemps) + " and " + std::to_string(stepsPerGather));
  }
  Loop loop(graph, params, loopFn, debugContext);
  loop.reverse = true;
  loop.state_sequence = stateSequence;
  loop.inputs = inputs;
  loop.interim_in = &interimIn;
  loop.temps = numTemps;
  loop.gather_inputs = gatherInputs;
  loop.gather = gatherFn;
  loop.steps_per_gather = stepsPerGather;
  return addLoop(loop, initState, numShards, options, prog);
}

}  // namespace rnn
}  // namespace popnn
