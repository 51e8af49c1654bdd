#include <poplin/codelets.hpp>
#include <popnn/Gru.hpp>
#include <popnn/Lstm.hpp>
#include <popnn/Recurrent.hpp>
#include <popnn/Rnn.hpp>
#include <popnn/codelets.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <popops/Zero.hpp>

#include "../harness.hpp"

using namespace popnn;

static const std::size_t kSteps = 5, kBatch = 3, kIn = 4, kOut = 6;

struct Options {
  Type type = FLOAT;
  bool full = true, reset_after = false, attention = false, preserve = false, reorder = false;
  std::vector<double> steps;  // that vary: one number, or one for each sample
  NonLinearityType activation = NonLinearityType::TANH, gate = NonLinearityType::SIGMOID;
  OptionFlags flags;
  bool real_time_steps = false;
};

static Tensor timeSteps(Case& c, const Options& o) {
  if (o.steps.empty()) return Tensor();
  return c.input("steps", UNSIGNED_INT, {o.steps.size()}, o.steps);
}

static Tensor fillWith(Case& c, const std::string& name, const Tensor& t, unsigned seed) {
  c.fill(t, numbers(t.numElements(), -1, 1, false, seed));
  c.show(name, t);
  return t;
}

static void lstms(const std::string& name, const Options& o) {
  Case c("lstm " + name, 32);
  Graph& g = c.graph;
  poplin::addCodelets(g);
  popnn::addCodelets(g);
  const Tensor steps = timeSteps(c, o);
  lstm::LstmParams p(o.type, kBatch, kSteps, steps, {kIn, kOut}, o.activation, o.gate);
  p.outputFullSequence = o.full;
  p.preserveFinalState = o.preserve;
  if (o.reorder) {
    p.cellOrder = {BASIC_LSTM_CELL_OUTPUT_GATE, BASIC_LSTM_CELL_CANDIDATE,
                   BASIC_LSTM_CELL_FORGET_GATE, BASIC_LSTM_CELL_INPUT_GATE};
  }
  const Tensor in = fillWith(c, "in", lstm::createInput(g, p, "in", o.flags), 1);
  const lstm::LstmState first = lstm::createInitialState(g, p, "first", o.flags);
  fillWith(c, "h0", first.output, 2);
  fillWith(c, "c0", first.cellState, 3);
  const lstm::LstmWeights w = lstm::createWeights(g, p, "weights", o.flags);
  fillWith(c, "wi", w.inputWeights, 4);
  fillWith(c, "wo", w.outputWeights, 5);
  fillWith(c, "b", w.biases, 6);
  Tensor saved, units, d_in;
  const auto out = lstm::lstmFwd(g, p, first, in, w, &saved, c.prog, "fwd", o.flags);
  c.output("out", out.first);
  c.output("cell", out.second);
  const auto inference = lstm::lstmFwd(g, p, first, in, w, nullptr, c.prog, "inference", o.flags);
  c.output("inference", inference.first);
  const Tensor gradient = g.clone(out.first);
  fillWith(c, "gradient", gradient, 7);
  lstm::LstmState last = {g.clone(first.output), g.clone(first.cellState)};
  fillWith(c, "dh", last.output, 8);
  fillWith(c, "dc", last.cellState, 9);
  const lstm::LstmState* const given = steps.valid() ? nullptr : &last;
  lstm::LstmWeights d;
  const lstm::LstmState d_first = lstm::lstmBwdWithWU(g, p, c.prog, first, saved, w, in, out.first,
                                                      gradient, given, &d_in, d, "both", o.flags);
  c.output("dh0", d_first.output);
  c.output("dc0", d_first.cellState);
  c.output("d_in", d_in);
  c.output("d_wi", d.inputWeights);
  c.output("d_wo", d.outputWeights);
  c.output("d_b", d.biases);
  p.calcInputGradients = false;
  const lstm::LstmState alone = lstm::lstmBwd(g, p, c.prog, first, saved, w, in, out.first,
                                              gradient, given, nullptr, &units, "bwd", o.flags);
  const lstm::LstmWeights by_units =
      lstm::lstmWU(g, p, c.prog, first, saved, units, w, in, out.first, "wu", o.flags);
  c.output("dh0 alone", alone.output);
  c.output("d_wo alone", by_units.outputWeights);
  c.run();
}

static void grus(const std::string& name, const Options& o) {
  Case c("gru " + name, 32);
  Graph& g = c.graph;
  poplin::addCodelets(g);
  popnn::addCodelets(g);
  const Tensor steps = timeSteps(c, o);
  gru::GruParams p(o.type, kBatch, kSteps, o.real_time_steps ? Tensor() : steps, {kIn, kOut},
                   o.activation, o.gate);
  p.outputFullSequence = o.full;
  p.resetAfter = o.reset_after;
  if (o.reorder) {
    p.cellOrder = {BASIC_GRU_CELL_CANDIDATE, BASIC_GRU_CELL_RESET_GATE, BASIC_GRU_CELL_UPDATE_GATE};
  }
  const Tensor in = fillWith(c, "in", gru::createInput(g, p, "in", o.flags), 1);
  const Tensor first =
      fillWith(c, "h0", gru::createInitialState(g, p, "first", o.flags, nullptr), 2);
  const gru::GruWeights w = gru::createWeights(g, p, "weights", o.flags);
  fillWith(c, "wi", w.inputWeights, 4);
  fillWith(c, "wo", w.outputWeights, 5);
  fillWith(c, "b", w.biases, 6);
  Tensor attention;
  if (o.attention) {
    attention = gru::createAttention(g, p, "attention", o.flags);
    c.fill(attention, numbers(attention.numElements(), 0, 0.9, false, 7));
    c.show("attention", attention);
  }
  Tensor saved, out, d_in, d_attention, d_first;
  gru::GruWeights d;
  const auto gradientLike = [&](const Tensor& t) { return fillWith(c, "gradient", g.clone(t), 8); };
  if (o.attention) {
    out = gru::auGruFwd(g, p, first, in, w, &saved, attention, c.prog, "fwd", o.flags);
    d_first = gru::auGruBwdWithWU(g, p, c.prog, first, saved, w, in, out, gradientLike(out), &d_in,
                                  d, attention, &d_attention, "both", o.flags, nullptr);
    c.output("d_attention", d_attention);
  } else if (o.real_time_steps) {
    out = gru::gruFwd(g, p, first, in, steps, w, &saved, c.prog, "fwd", o.flags);
    d_first = gru::gruBwdWithWU(g, p, c.prog, first, saved, w, in, steps, out, gradientLike(out),
                                &d_in, d, "both", o.flags, nullptr);
  } else {
    out = gru::gruFwd(g, p, first, in, w, &saved, c.prog, "fwd", o.flags);
    d_first = gru::gruBwdWithWU(g, p, c.prog, first, saved, w, in, out, gradientLike(out), &d_in, d,
                                "both", o.flags, nullptr);
    c.output("inference", gru::gruFwd(g, p, first, in, w, nullptr, c.prog, "inference", o.flags));
  }
  c.output("out", out);
  c.output("dh0", d_first);
  c.output("d_in", d_in);
  c.output("d_wi", d.inputWeights);
  c.output("d_wo", d.outputWeights);
  c.output("d_b", d.biases);
  c.run();
}

// h' = h + x, with the sums of the states as created outputs and doubled states as outputs.
static void customCells(const std::string& name, bool reverse, unsigned shards,
                        const std::vector<double>& steps) {
  Case c("rnn " + name);
  Graph& g = c.graph;
  popnn::addCodelets(g);
  const Tensor varying =
      steps.empty() ? Tensor() : c.input("steps", UNSIGNED_INT, {steps.size()}, steps);
  const rnn::RnnParams p(FLOAT, 2, 7, varying, {3, 3});
  const Tensor in = fillWith(c, "in", rnn::createInputTensor(g, p, shards), 1);
  const Tensor first = fillWith(c, "h0", rnn::createInitialState(g, p, true, 1, shards), 2);
  const Tensor states = rnn::createOutputTensor(g, p, shards);
  const Tensor doubled = rnn::createOutputTensor(g, p, 2, shards);
  const Tensor sums = rnn::createRecurrentTensor(g, p, 1, shards).squeeze({2});
  for (const Tensor& t : {states, doubled, sums}) popops::zero(g, t, c.prog);
  const Tensor count = c.input("count", UNSIGNED_INT, {1}, {0});
  unsigned calls = 0, first_calls = 0;
  OptionFlags options;
  const auto last = rnn::Rnn(
      g, p, reverse, {first, Tensor()}, {states, 0}, {in}, nullptr, nullptr, {doubled}, {sums},
      c.prog,
      [&](Graph& graph, const rnn::TimeStepState& time, const rnn::RnnBatchwiseFlags& flags,
          std::vector<Tensor>& state, const rnn::RnnSlice& slice, std::vector<Tensor>& created,
          Sequence* init, const DebugNameAndId& id) {
        Sequence prog;
        ++calls;
        first_calls += init == nullptr ? 0 : 1;
        const Tensor h = state[0].squeeze({0});
        Tensor x = slice.inputs[0];
        if (flags.valid()) x = popops::mul(graph, x, flags.mask.expand({1}), prog, id);
        popops::addInPlace(graph, h, x, prog, id);
        prog.add(Copy(concat(state[0], state[0]), slice.outputs[0]));
        created[0] = popops::reduce(graph, h, {1}, popops::Operation::ADD, prog, id);
        const Tensor step = popops::add(graph, time.begin, time.counter, prog, id);
        popops::mapInPlace(graph, popops::expr::_1 * 10u + popops::expr::_2, {count, step}, prog);
        return prog;
      },
      shards, options);
  c.output("last", last[0]);
  c.output("states", states);
  c.output("doubled", doubled);
  c.output("sums", sums);
  c.output("count_after", count);
  c.output("calls", c.input("", UNSIGNED_INT, {2}, {double(calls), double(first_calls)}));
  Sequence shift;
  c.output("shifted", rnn::shiftRnnTensor(g, p, in, first, c.prog, shards));
  c.run();
}

// The sums of products of inputs and of intermediate results, gathered over groups of steps.
static void gathers(const std::string& name, unsigned shards, unsigned each,
                    const std::vector<double>& steps) {
  Case c("gather " + name);
  Graph& g = c.graph;
  popnn::addCodelets(g);
  const Tensor varying =
      steps.empty() ? Tensor() : c.input("steps", UNSIGNED_INT, {steps.size()}, steps);
  const rnn::RnnParams p(FLOAT, 2, 7, varying, {3, 3});
  const Tensor in = fillWith(c, "in", rnn::createInputTensor(g, p, shards), 1);
  const Tensor other = fillWith(c, "other", rnn::createInputTensor(g, p, shards), 3);
  const Tensor interim = fillWith(c, "interim", rnn::createOutputTensor(g, p, shards), 4);
  const Tensor first = fillWith(c, "h0", rnn::createInitialState(g, p, true, 1, shards), 2);
  Tensor total;
  OptionFlags options;
  const auto last = rnn::Rnn(
      g, p, {first}, {}, {in}, interim, 1, c.prog,
      [&](Graph& graph, const rnn::TimeStepState&, const rnn::RnnBatchwiseFlags&,
          std::vector<Tensor>& state, const rnn::RnnSlice& slice, std::vector<Tensor>&, Sequence*,
          const DebugNameAndId& id) {
        Sequence prog;
        const Tensor h = state[0].squeeze({0});
        popops::addInPlace(graph, h, slice.inputs[0], prog, id);
        popops::mulInPlace(graph, h, slice.interimIn, prog, id);
        prog.add(Copy(state[0], slice.interimOut));
        return prog;
      },
      {other},
      [&](Graph& graph, const rnn::RnnSlice& slice, unsigned, Sequence* init,
          const DebugNameAndId& id) {
        Sequence prog;
        if (init != nullptr) {
          total = graph.addVariable(FLOAT, {2, 3});
          poputil::mapTensorLinearly(graph, total);
          popops::zero(graph, total, *init);
        }
        const Tensor products =
            popops::mul(graph, slice.inputs[0], slice.interimIn.flatten(0, 2), prog, id);
        const Tensor sum =
            popops::reduce(graph, products.reshapePartial(0, 1, {products.dim(0) / 2, 2}), {0},
                           popops::Operation::ADD, prog, id);
        popops::addInPlace(graph, total, sum, prog, id);
        return prog;
      },
      shards, each, options);
  c.output("last", last[0]);
  c.output("total", total);
  c.run();
}

static void vanilla(const std::string& name, const Type& type, bool by_steps) {
  Case c("vanilla " + name, 32);
  Graph& g = c.graph;
  poplin::addCodelets(g);
  popnn::addCodelets(g);
  const NonLinearityType nl = NonLinearityType::TANH;
  const Tensor in = fillWith(c, "in", rnn::createInput(g, kSteps, kBatch, kIn, kOut, type), 1);
  const Tensor first =
      fillWith(c, "h0", rnn::createFwdState(g, type, kBatch, kOut, c.prog, false, false), 2);
  const Tensor wi =
      fillWith(c, "wi", rnn::createWeightsInput(g, kSteps, kBatch, kIn, kOut, type), 3);
  const Tensor wo = fillWith(c, "wo", rnn::createWeightsFeedback(g, kBatch, kOut, type), 4);
  const Tensor b = c.input("b", type, {kOut}, numbers(kOut, -1, 1, false, 5));
  const Tensor gradient =
      c.input("gradient", type, {kBatch, kSteps, kOut}, numbers(90, -1, 1, false, 6));
  Tensor out;
  if (by_steps) {
    const Tensor weighted = rnn::forwardWeightInput(g, in, wi, c.prog);
    out = rnn::forwardIterate(g, weighted, first, wo, b, c.prog, nl);
    c.output("sequence",
             rnn::rnnFwdSequence(g, c.prog, first, &weighted, b, wi, wo, in, nl, FLOAT, false));
  } else {
    out = rnn::rnnFwdSequence(g, c.prog, first, nullptr, b, wi, wo, in, nl, FLOAT, false);
  }
  Tensor d_in, d_wi, d_wo, d_b;
  std::tie(d_in, d_wi, d_wo, d_b) =
      rnn::rnnBwdSequence(g, true, false, c.prog, first, out, b, wi, wo, gradient, in, nl, FLOAT);
  c.output("out", rnn::getOutputFromFwdState(out));
  c.output("d_in", d_in);
  c.output("d_wi", d_wi);
  c.output("d_wo", d_wo);
  c.output("d_b", d_b);
  c.run();
}

static void refusals() {
  Case c("refusals");
  Graph& g = c.graph;
  const Tensor steps = c.input("steps", UNSIGNED_INT, {2}, {1});
  expectError("steps", [&] { rnn::RnnParams(FLOAT, 3, 5, steps, {4, 6}); });
  expectError("rank", [&] { rnn::RnnParams(FLOAT, 3, 5, steps.expand({0}), {4, 6}); });
  const lstm::LstmParams three(FLOAT, 3, 5, {4, 5, 6});
  expectError("layers", [&] { lstm::createWeights(g, three, "w"); });
  const lstm::LstmParams p(FLOAT, 3, 5, {4, 6});
  expectError("shards", [&] { lstm::createInput(g, p, "in", {{"numShards", "0"}}); });
  expectError("full", [&] { lstm::createInput(g, p, "in", {{"recomputationMode", "full"}}); });
  Sequence prog;
  lstm::LstmState state;
  const lstm::LstmWeights w;
  expectError("gradient", [&] {
    lstm::lstmBwd(g, p, prog, state, Tensor(), w, Tensor(), Tensor(), Tensor(),
                  static_cast<const lstm::LstmState*>(nullptr), nullptr, nullptr);
  });
  gru::GruParams last(FLOAT, 3, 5, {4, 6});
  last.outputFullSequence = false;
  const gru::GruWeights v;
  expectError("last output",
              [&] { gru::gruFwd(g, last, Tensor(), Tensor(), steps, v, nullptr, prog); });
}

int main() {
  Options plain, last, half, varying, latched, preserved, one, order, sharded, relu;
  last.full = false;
  half.type = HALF;
  varying.steps = {2, 5, 3};
  latched.steps = {2, 4, 3};
  latched.full = false;
  preserved.steps = {2, 5, 3};
  preserved.preserve = true;
  one.steps = {3};
  order.reorder = true;
  sharded.flags = {{"numShards", "2"}};
  relu.activation = NonLinearityType::RELU;
  lstms("plain", plain);
  lstms("last", last);
  lstms("half", half);
  lstms("varying", varying);
  lstms("latched", latched);
  lstms("preserved", preserved);
  lstms("one", one);
  lstms("order", order);
  lstms("sharded", sharded);
  lstms("relu", relu);
  Options after, attended, after_attended, real;
  after.reset_after = true;
  after.full = false;
  attended.attention = true;
  after_attended = attended;
  after_attended.reset_after = true;
  after_attended.steps = {2, 5, 3};
  after_attended.reorder = true;
  real.steps = {1, 4, 5};
  real.real_time_steps = true;
  grus("plain", plain);
  grus("last", last);
  grus("half", half);
  grus("varying", varying);
  grus("latched", latched);
  grus("one", one);
  grus("order", order);
  grus("sharded", sharded);
  grus("after", after);
  grus("attended", attended);
  grus("after attended", after_attended);
  grus("real", real);
  vanilla("float", FLOAT, false);
  vanilla("half", HALF, false);
  vanilla("steps", FLOAT, true);
  customCells("forward", false, 1, {});
  customCells("reverse", true, 1, {});
  customCells("shards", false, 3, {});
  customCells("reverse shards", true, 3, {});
  customCells("varying", false, 2, {4, 6});
  customCells("reverse varying", true, 3, {2, 5});
  customCells("one", true, 2, {5});
  gathers("every", 1, 1, {});
  gathers("two", 1, 2, {});
  gathers("three of shards", 2, 3, {});
  gathers("all", 1, 9, {});
  gathers("one", 1, 3, {5});
  gathers("one in a group", 1, 4, {2});
  refusals();
}
