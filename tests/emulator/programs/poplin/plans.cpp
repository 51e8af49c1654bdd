// Parameters, options, plans and misuse of convolutions and matrix products.
#include <poplin/ConvPreplan.hpp>
#include <poplin/ConvUtil.hpp>
#include <poplin/FullyConnected.hpp>
#include <poplin/MultiConvolution.hpp>
#include <poplin/codelets.hpp>
#include <popops/codelets.hpp>
#include <sstream>

#include "../harness.hpp"

using poplin::ConvParams;
using Range = std::pair<unsigned, unsigned>;

static void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

// Prints the message of an option that must be refused.
template <class Fn>
static void expectOptionError(const std::string& name, const Fn& fn) {
  expectError(name, [&] {
    try {
      fn();
    } catch (const invalid_option& e) {
      throw poputil::poplibs_error(e.what());
    }
  });
}

static ConvParams square(Type type = FLOAT) { return ConvParams(type, 2, {8, 8}, {3, 3}, 4, 5, 2); }

static void parameters() {
  ConvParams p = square(HALF);
  p.outputTransform.stride = {2, 2};
  p.inputTransform.paddingLower = {1, 0};
  require(p.getOutputFieldShape() == std::vector<std::size_t>({4, 3}), "the output's field");
  require(p.getNumOutputChans() == 10 && p.getNumInputChans() == 8, "channels");
  std::istringstream text(
      R"({"dataType": "half", "batchSize": "2", "numConvGroups": 2,
          "inputChannelsPerConvGroup": 4, "outputChannelsPerConvGroup": 5,
          "inputFieldShape": [8, 8], "kernelShape": [3, 3],
          "inputTransform": {"paddingLower": [1, 0]}, "outputTransform": {"stride": [2, 2]}})");
  ConvParams q;
  text >> q;
  require(p == q && !(p != q) && !(p < q), "parameters of text equal those of code");
  require(std::hash<ConvParams>()(p) == std::hash<ConvParams>()(q), "equal hashes");
  require(std::hash<ConvParams>()(p) != std::hash<ConvParams>()(square()), "other hashes");
  std::ostringstream out;
  out << p;
  require(out.str().find("stride                     {2,2}") != std::string::npos, "text");
  // The last row and column of the input meet no output.
  const ConvParams canonical = p.canonicalize();
  require(canonical.inputTransform.truncationUpper == std::vector<unsigned>({0, 1}), "truncation");
  require(canonical == canonical.canonicalize(), "a canonical form stays");
  require(canonical.getOutputFieldShape() == p.getOutputFieldShape(), "the same output");

  require(poplin::getInputIndex(0, 0, 0, p) == ~0U, "padding");
  require(poplin::getInputIndex(1, 2, 1, p) == 5, "an index");
  require(poplin::getKernelIndex(1, 2, 5, p) == 1, "an index of the kernel");
  require(poplin::getInputRange(0, Range(0, 2), p) == Range(0, 4), "a range of the input");
  require(poplin::getKernelRange(0, Range(0, 1), Range(0, 1), p) == Range(1, 2), "of the kernel");
  require(poplin::getOutputRangeForInputIndex(1, Range(0, 3), 2, p) == Range(0, 2), "of outputs");
  require(poplin::getOutputRangeForKernelIndex(0, Range(0, 4), 0, p) == Range(1, 4), "of outputs");
  require(poplin::getFwdFlops(square()) == 2ull * 2 * 2 * 4 * 5 * 36 * 9, "operations");
  require(poplin::getDilatedSize(4, 3) == 10, "a dilated size");

  const auto invalid = [&](const std::string& name, void (*change)(ConvParams&)) {
    ConvParams wrong = square();
    change(wrong);
    expectError(name, [&] { wrong.validate(); });
  };
  invalid("stride", [](ConvParams& c) { c.outputTransform.stride[1] = 0; });
  invalid("dilation", [](ConvParams& c) { c.kernelTransform.dilation[0] = 0; });
  invalid("dimensions", [](ConvParams& c) { c.inputTransform.flip.push_back(true); });
  invalid("kernel", [](ConvParams& c) { c.kernelShape = {3}; });
  invalid("truncation", [](ConvParams& c) { c.inputTransform.truncationLower[0] = 9; });
  invalid("size", [](ConvParams& c) { c.inputTransform.truncationLower[0] = 6; });
  invalid("output", [](ConvParams& c) { c.outputTransform.truncationUpper[1] = 7; });
  expectError("json", [&] {
    std::istringstream broken(R"({"batchSize" 2})");
    broken >> q;
  });
}

static void plans() {
  Case c("plans");
  Graph& g = c.graph;
  std::ostringstream out;
  poplin::reportPlanInfo(out, g, square());
  poplin::reportWeightUpdatePlanInfo(out, g, square());
  poplin::matMulReportPlan(out, g, HALF, FLOAT, {4, 5}, {5, 6});
  poplin::matMulGroupedReportPlan(out, g, HALF, FLOAT, {2, 4, 5}, {2, 5, 6});
  require(out.str().find("Estimated cost {cycles ") != std::string::npos, "a report");
  const poplin::PlanCosts costs = poplin::reportPlanEstimatedCosts(g, square());
  const auto detailed = poplin::internal::reportDetailedPlanEstimatedCosts(g, square());
  require(costs.cycles > poplin::getFwdPerfectCycleCount(g, square(HALF)), "costs");
  require(detailed.total.cycles == costs.cycles && detailed.total.memory == costs.memory, "total");
  std::stringstream lines;
  lines << detailed;
  poplin::internal::DetailedPlanCosts read;
  lines >> read;
  require(read.total.cycles == costs.cycles && read.parallelSplit == detailed.parallelSplit,
          "read");

  poplin::PlanningCache cache;
  const OptionFlags none, half = {{"partialsType", "half"}};
  const poplin::MatMulParams product = {FLOAT, FLOAT, {4, 5}, {5, 6}};
  poplin::preplan({poplin::ConvPlanParams(&g.getTarget(), square(), &none),
                   poplin::ConvPlanParams(&g.getTarget(), square(), &half)},
                  {poplin::MatMulPlanParams(&g.getTarget(), product, &none)}, cache);
  require(cache.size() == 3, "three plans");
  poplin::createInput(g, square(), "in", half, &cache);
  poplin::createMatMulInputLHS(g, FLOAT, {4, 5}, {5, 6}, "a", none, &cache);
  require(cache.size() == 3, "found again");
  poplin::createInput(g, square(HALF), "in", half, &cache);
  require(cache.size() == 4, "a further plan");

  poplin::MatMulToConvOptions options;
  const OptionFlags of_product = {{"fullyConnectedPass", "TRAINING_BWD"}, {"gatherOutput", "true"}};
  const auto convs = poplin::matMulGetConvPlanParams(
      {poplin::MatMulPlanParams(&g.getTarget(), product, &of_product)}, options);
  require(std::get<1>(*convs.begin()) == ConvParams(FLOAT, 4, {1}, {1}, 5, 6, 1), "as convolution");
  require(options.at(&of_product).at("pass").str() == "FC_TRAINING_BWD", "its options");
  poplin::convolutionValidateOptions(options.at(&of_product));
  const auto layer = poplin::fc::getMatMulPrePlanParameters({2, 3, 4, 5}, {}, HALF, false);
  require(layer.size() == 3, "three passes");
  require(layer[1].first.aShape == std::vector<std::size_t>({2, 3, 5}), "the backward pass");
  require(layer[2].second.at("fullyConnectedPass").str() == "TRAINING_WU", "the update");
  require(poplin::fc::getMatMulPrePlanParameters({2, 3, 4, 5}, {}, HALF, true).size() == 1, "one");
}

static void together() {
  Case c("together", 12);
  Graph& g = c.graph;
  popops::addCodelets(g);
  poplin::addCodelets(g);
  const ConvParams a = square(), b(FLOAT, 1, {5}, {2}, 3, 2, 1);
  const std::vector<poplin::multiconv::CreateTensorArgs> create = {{a, {}, "a"}, {b, {}, "b"}};
  std::vector<poplin::multiconv::ConvolutionArgs> args;
  std::vector<poplin::multiconv::ConvWeightUpdateArgsScalar> updates;
  std::vector<poplin::multiconv::CalculateWeightDeltasArgs> deltas;
  std::vector<Tensor> single;
  for (unsigned i = 0; i < 2; ++i) {
    const ConvParams& p = create[i].params;
    const Tensor in = poplin::multiconv::createInput(g, create, i, {{"planType", "serial"}});
    const Tensor w = poplin::multiconv::createWeights(g, create, i);
    c.fill(in, numbers(in.numElements(), -1, 1));
    c.fill(w, numbers(w.numElements(), -1, 1, false, 2));
    args.push_back({in, w, p, {}});
    single.push_back(poplin::convolution(g, in, w, p, false, c.prog));
  }
  const std::vector<Tensor> outs = poplin::multiconv::convolution(g, args, false, c.prog);
  for (unsigned i = 0; i < 2; ++i) {
    const ConvParams& p = create[i].params;
    c.output("single " + std::to_string(i), single[i]);
    c.output("out " + std::to_string(i), outs[i]);
    deltas.push_back({outs[i], args[i].inputs, p, {}});
    const Tensor updated = g.clone(args[i].weights);
    c.prog.add(Copy(args[i].weights, updated));
    updates.push_back({outs[i], updated, args[i].inputs, 2.0f, p, {}});
    c.output("before " + std::to_string(i), args[i].weights);
    c.output("updated " + std::to_string(i), updated);
  }
  const std::vector<Tensor> gradients = poplin::multiconv::calculateWeightDeltas(g, deltas, c.prog);
  poplin::multiconv::convolutionWeightUpdate(g, updates, c.prog);
  for (unsigned i = 0; i < 2; ++i) c.output("gradient " + std::to_string(i), gradients[i]);
  Sequence unused;
  args[1].options = {{"insertTransformsCycleCountProgs", "true"}};
  expectError("multi options", [&] { poplin::multiconv::convolution(g, args, false, unused); });
  expectError("multi index", [&] { poplin::multiconv::createInput(g, create, 2); });
  c.run();
}

static void misuse() {
  Case c("misuse");
  Graph& g = c.graph;
  Sequence p;
  const ConvParams params = square();
  const Tensor in = poplin::createInput(g, params), w = poplin::createWeights(g, params);
  const auto run = [&](const Tensor& input, const Tensor& weights) {
    poplin::convolution(g, input, weights, params, false, p);
  };
  expectError("rank", [&] { run(in[0], w); });
  expectError("height", [&] { run(in.slice(0, 7, 2), w); });
  expectError("batch", [&] { run(in.slice(0, 1), w); });
  expectError("channels", [&] { run(in.slice(0, 6, 1), w); });
  expectError("kernel width", [&] { run(in, w.slice(0, 2, 4)); });
  expectError("weights", [&] { run(in, w.dimShufflePartial({1, 2}, {2, 1})); });
  expectError("type", [&] { run(poplin::createInput(g, square(HALF)), w); });
  expectError("quarter", [&] { poplin::createInput(g, square(QUARTER)); });
  expectError("whole", [&] { poplin::createInput(g, square(INT)); });
  expectError("deltas", [&] { poplin::calculateWeightDeltas(g, in, in, params, p); });
  expectError("bias", [&] { poplin::addBias(g, in, w.flatten().slice(0, 3), p); });
  expectError("transpose", [&] { poplin::weightsTransposeChansFlipXY(g, w, w, p); });
  expectError("connected", [&] { poplin::fullyConnectedWeightTranspose(g, w, params, p); });
  const Tensor a = w[0][0][0];
  expectError("scale", [&] { poplin::matMulAcc(g, a, in.flatten().slice(0, 2), a, a, p); });
  expectError("grouped", [&] { poplin::transposeGroupedMatrix(a); });
  expectOptionError("option",
                    [&] { poplin::createWeights(g, params, {}, {{"partials", "half"}}); });
  expectOptionError("pass", [&] { poplin::createWeights(g, params, {}, {{"pass", "SIDEWAYS"}}); });
  expectOptionError("product", [&] { poplin::matMul(g, a, a, p, "product", {{"pass", "NONE"}}); });
}

int main() {
  parameters();
  plans();
  together();
  misuse();
}
