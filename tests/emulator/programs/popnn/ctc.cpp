#include <popnn/CTCInference.hpp>
#include <popnn/CTCLoss.hpp>
#include <popnn/codelets.hpp>
#include <popops/codelets.hpp>

#include "../harness.hpp"

using namespace popnn;

static const unsigned kSteps = 9, kBatch = 5, kLongest = 4, kClasses = 6;

static void losses(const std::string& name, const Type& type, const Type& out, unsigned blank,
                   unsigned tiles) {
  Case c("ctc " + name, tiles);
  Graph& g = c.graph;
  popnn::addCodelets(g);
  const ctc::Plan plan = ctc::plan(g, type, out, kBatch, kSteps, kLongest, kClasses);
  const Tensor logits = ctc::createDataInput(g, type, kBatch, kSteps, kClasses, plan);
  c.fill(logits, numbers(logits.numElements(), -2, 2));
  c.show("logits", logits);
  const Tensor labels = ctc::createLabelsInput(g, UNSIGNED_INT, kBatch, kLongest, plan);
  // Repeated labels, none, and more than there are steps.
  std::vector<double> symbols = {1, 2, 3, 4, 2, 2, 2, 1, 5, 5, 1, 1, 3, 1, 2, 2, 1, 2, 1, 2};
  for (double& s : symbols) {
    if (s <= blank) s -= 1;  // classes without the blank one
  }
  c.fill(labels, symbols);
  c.show("labels", labels);
  const Tensor steps = c.input("steps", UNSIGNED_INT, {kBatch}, {9, 7, 5, 8, 2});
  const Tensor lengths = c.input("lengths", UNSIGNED_INT, {kBatch}, {4, 3, 2, 0, 4});
  const auto by_logits =
      ctc::calcLossAndGradientLogits(g, out, logits, labels, steps, lengths, c.prog, blank, plan);
  c.output("loss", by_logits.first);
  c.output("gradient", by_logits.second);
  const auto zeroed =
      ctc::calcLossAndGradientLogits(g, out, logits, labels, steps, lengths, c.prog, blank, plan,
                                     "zeroed", {{"zeroInfinity", "true"}});
  c.output("zeroed", zeroed.first);
  c.output("zeroed gradient", zeroed.second);
  c.output("loss alone",
           ctc::calcCTCLossLogits(g, out, logits, labels, steps, lengths, c.prog, blank, plan));
  c.run();
}

static void logProbabilities() {
  Case c("log probabilities");
  Graph& g = c.graph;
  popnn::addCodelets(g);
  const ctc::Plan plan = ctc::plan(g, FLOAT, FLOAT, 1, 3, 1, 3);
  // Probabilities 1/4, 1/2, 1/4 at each step: the label 1 has 1/8 + 6 paths.
  const double quarter = -1.3862943611198906, half = -0.6931471805599453;
  const Tensor logs = c.input("logs", FLOAT, {3, 1, 3}, {quarter, half, quarter});
  const Tensor labels = c.input("labels", UNSIGNED_INT, {1, 1}, {1});
  const Tensor steps = c.input("steps", UNSIGNED_INT, {1}, {3});
  const Tensor lengths = c.input("lengths", UNSIGNED_INT, {1}, {1});
  const auto out = ctc::calcLossAndGradientLogProbabilities(g, FLOAT, logs, labels, steps, lengths,
                                                            c.prog, 0, plan, "alone",
                                                            {{"includeSoftmaxGradient", "false"}});
  c.output("loss", out.first);
  c.output("gradient", out.second);
  c.output("loss alone", ctc::calcCTCLossLogProbabilities(g, FLOAT, logs, labels, steps, lengths,
                                                          c.prog, 0, plan));
  Sequence prog;
  const ctc::Plan search = ctc_infer::plan(g, FLOAT, 1, 10, 5, 5);
  expectError("kind", [&] { ctc::createDataInput(g, FLOAT, 1, 10, 5, search); });
  expectError("empty", [&] { ctc::createDataInput(g, FLOAT, 1, 10, 5, ctc::Plan()); });
  expectError("search kind", [&] { ctc_infer::createDataInput(g, FLOAT, 1, 10, 5, plan); });
  expectError("search",
              [&] { ctc_infer::beamSearchDecoderLogits(g, logs, steps, prog, 0, 5, 1, search); });
  expectError("labels",
              [&] { ctc::calcCTCLossLogits(g, FLOAT, logs, logs, steps, lengths, prog, 0, plan); });
  expectError("blank", [&] {
    ctc::calcCTCLossLogits(g, FLOAT, logs, labels, steps, lengths, prog, 3, plan);
  });
  expectError("softmax", [&] {
    ctc::calcLossAndGradientLogits(g, FLOAT, logs, labels, steps, lengths, prog, 0, plan, "",
                                   {{"includeSoftmaxGradient", "false"}});
  });
  expectError("memory", [&] {
    ctc::plan(g, FLOAT, FLOAT, 1, 3, 1, 3, {{"availableMemoryProportion", "0.0"}});
  });
  const auto constrained = [&](const char* text) {
    return ctc::plan(g, FLOAT, FLOAT, 1, 3, 1, 3, {{"planConstraints", text}});
  };
  expectError("constraint", [&] { constrained("{\"parallel\": {\"time\": 1}}"); });
  expectError("none", [&] { constrained("{\"parallel\": {\"batch\": 0}}"); });
  expectError("name", [&] { constrained("{\"parallel\": {\"xyz\": 1}}"); });
  const bool same = plan == ctc::plan(g, FLOAT, FLOAT, 1, 3, 1, 3) && plan != search;
  c.output("same", c.input("", FLOAT, {}, {same ? 1.0 : 0.0}));
  c.run();
}

int main() {
  losses("float", FLOAT, FLOAT, 0, 8);
  losses("last blank", FLOAT, FLOAT, 5, 2);
  losses("half", HALF, HALF, 0, 2);
  losses("half to float", HALF, FLOAT, 0, 8);
  logProbabilities();
}
