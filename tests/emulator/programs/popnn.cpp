#include <poplin/codelets.hpp>
#include <popnn/LogSoftmax.hpp>
#include <popnn/Loss.hpp>
#include <popnn/NonLinearity.hpp>
#include <popnn/NonLinearityDefUtil.hpp>
#include <popnn/SpatialSoftMax.hpp>
#include <popnn/codelets.hpp>
#include <sstream>

#include "harness.hpp"

using popnn::NonLinearityType;

static void nonLinearities(Type type) {
  Case c("non-linearities " + type.toString());
  Graph& g = c.graph;
  popnn::addCodelets(g);
  const Tensor x = c.input("x", type, {6, 21}, numbers(126, -3, 3));
  const Tensor gradient = c.input("gradient", type, {6, 21}, numbers(126, -1, 1, false, 2));
  for (int i = 0; i <= static_cast<int>(NonLinearityType::SOFTMAX_SCALED); ++i) {
    const NonLinearityType nl = static_cast<NonLinearityType>(i);
    float scale = 0;
    const Tensor y = popnn::nonLinearity(g, nl, x, scale, c.prog);
    const std::string name = std::to_string(i);
    c.output(name, y);
    c.output(name + " scale", c.input("", FLOAT, {}, {scale}));
    if (nl == NonLinearityType::SOFTMAX_SCALED) continue;
    const bool softmax = nl == NonLinearityType::SOFTMAX || nl == NonLinearityType::SOFTMAX_STABLE;
    const bool of_input = nl == NonLinearityType::GELU || nl == NonLinearityType::GELU_ERF ||
                          nl == NonLinearityType::SWISH;
    c.output(name + " gradient",
             popnn::nonLinearityInputGradient(g, nl, of_input ? x : y, gradient, c.prog));
    if (softmax || nl == NonLinearityType::HARD_SIGMOID) continue;
    ComputeSet cs = g.addComputeSet("non-linearities");
    const Tensor z = c.input("", type, {6, 21}, numbers(126, -3, 3));
    popnn::nonLinearityInPlace(g, nl, z, scale, cs);
    const Tensor dz = popnn::nonLinearityInputGradient(g, nl, of_input ? x : y, gradient, cs);
    c.prog.add(Execute(cs));
    c.output(name + " in a compute set", z);
    c.output(name + " gradient in a compute set", dz);
  }
  popnn::sigmoidInPlace(g, x, c.prog);
  c.output("in place", x);
  c.run();
}

static void losses() {
  Case c("losses");
  Graph& g = c.graph;
  popnn::addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {7, 10}, numbers(70, -2, 2));
  const Tensor labels = c.input("labels", UNSIGNED_INT, {7}, {3, 9, 0, 4294967295.0, 1, 2, 3});
  const Tensor correct = c.input("correct", UNSIGNED_INT, {1}, {100});
  const Tensor loss = c.input("loss", FLOAT, {7}, {0}), square = c.input("square", FLOAT, {7}, {0});
  const Tensor deltas = c.input("deltas", FLOAT, {7, 10}, {0});
  const Tensor differences = c.input("differences", FLOAT, {7, 10}, {0});
  const Tensor p = popnn::softmax(g, x, c.prog);
  c.prog.add(popnn::calcLoss(g, p, labels, loss, deltas, correct, popnn::CROSS_ENTROPY_LOSS));
  c.prog.add(popnn::calcLoss(g, x, labels, square, differences, popnn::SUM_SQUARED_LOSS));
  c.output("p", p);
  c.output("loss_after", loss);
  c.output("deltas_after", deltas);
  c.output("square_after", square);
  c.output("differences_after", differences);
  c.output("correct_after", correct);
  const auto best = popnn::maxAndArgMax(g, x, c.prog);
  c.output("max", best.first);
  c.output("argmax", best.second);
  c.output("argmin", popnn::argMin(g, x, c.prog));
  Tensor indices;
  c.output("top", popnn::topK(g, x, indices, 3, true, c.prog));
  c.output("top indices", indices);
  const Tensor scaled_loss = c.input("scaled_loss", HALF, {7}, {0});
  const Tensor scaled_deltas = c.input("scaled_deltas", HALF, {7, 10}, {0});
  float scale;
  const Tensor q = popnn::nonLinearity(g, NonLinearityType::SOFTMAX_SCALED, x, scale, c.prog);
  const Tensor by = c.input("by", FLOAT, {}, {scale}), of = c.input("of", FLOAT, {}, {8});
  c.prog.add(
      popnn::calcLoss(g, q, labels, scaled_loss, scaled_deltas, of, by, popnn::CROSS_ENTROPY_LOSS));
  c.output("scaled_loss_after", scaled_loss);
  c.output("scaled_deltas_after", scaled_deltas);
  Sequence unused;
  expectError("labels", [&] { popnn::calcAccuracy(g, x, loss, correct); });
  expectError("deltas",
              [&] { popnn::calcLoss(g, x, labels, loss, loss, popnn::SUM_SQUARED_LOSS); });
  expectError("type", [&] { popnn::relu(g, labels, unused); });
  ComputeSet cs = g.addComputeSet("unused");
  expectError("compute set",
              [&] { popnn::nonLinearityInPlace(g, NonLinearityType::SOFTMAX, x, cs); });
  expectError("gradient shape", [&] {
    popnn::nonLinearityInputGradient(g, NonLinearityType::SOFTMAX, x, loss, unused);
  });
  c.run();
}

static void logSoftmaxes() {
  Case c("log softmax");
  Graph& g = c.graph;
  popnn::addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {4, 3, 9}, numbers(108, -900, 900));
  const Tensor h = c.input("h", HALF, {5, 11}, numbers(55, -9, 9));
  c.output("out", popnn::logSoftmax(g, x, c.prog));
  popnn::logSoftmaxInPlace(g, h, c.prog);
  c.output("h_after", h);
  c.run();
}

static void spatialSoftmaxes() {
  Case c("spatial softmax");
  Graph& g = c.graph;
  poplin::addCodelets(g);
  popnn::addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {3, 4, 5}, numbers(60, -2, 2));
  const auto out = popnn::spatialSoftMax2D(g, c.prog, x, 2.5f);
  const auto raw = popnn::spatialSoftMax2D(g, c.prog, x, 1, true);
  c.output("out", out.first);
  c.output("temperature", out.second);
  c.output("raw", raw.first);
  c.run();
}

// Vertices of poplibs that programs add by name: of 20 elements, in groups of 3 for the workers.
static void classVertices(const std::string& order) {
  Case c("class " + order);
  Graph& g = c.graph;
  popnn::addCodelets(g);
  const std::string value = order == "Max" ? "maxValue" : "minValue";
  const std::string index = order == "Max" ? "maxIndex" : "minIndex";
  const ComputeSet cs = g.addComputeSet("class");
  const Tensor x = c.input("x", FLOAT, {20}, numbers(20, -2, 2));
  const Tensor h = c.input("h", HALF, {20}, numbers(20, -2, 2, false, 2));
  const Tensor labels = c.input("labels", UNSIGNED_INT, {20}, numbers(20, 0, 90, true));
  const Tensor best = c.input("", FLOAT, {}, {0}), at = c.input("", UNSIGNED_INT, {}, {0});
  VertexRef sparse = g.addVertex(
      cs, poputil::templateVertex("popnn::Reduce" + order + "ClassSparse", FLOAT, UNSIGNED_INT),
      {{"activations", x}, {"labels", labels}, {value, best}, {index, at}});
  g.setTileMapping(sparse, 0);
  const Tensor groups = c.input("", FLOAT, {7}, {0}), where = c.input("", INT, {7}, {0});
  VertexRef gather =
      g.addVertex(cs, poputil::templateVertex("popnn::Reduce" + order + "ClassGather", HALF, INT),
                  {{"activations", h}, {value, groups}, {index, where}});
  g.setInitialValue(gather["index"], 100);
  g.setInitialValue(gather["size"], 20u);
  g.setInitialValue(gather["workerSize"], 3u);
  g.setTileMapping(gather, 0);
  c.prog.add(Execute(cs));
  c.output("best", best);
  c.output("at", at);
  c.output("groups", groups);
  c.output("where", where);
  c.run();
}

static void words() {
  for (const char* word : {"sigmoid", "hard_sigmoid", "gelu_erf", "softmax_scaled", "relu6"}) {
    NonLinearityType type = NonLinearityType::RELU;
    std::istringstream in(word);
    expectError(word, [&] { in >> type; });
    std::cout << "{\"error\":\"" << word << " as\",\"text\":\"" << type << "\"}\n";
  }
  std::cout << "{\"error\":\"vertex\",\"text\":\""
            << poputil::templateVertex("V", FLOAT, NonLinearityType::GELU) << "\"}\n";
}

int main() {
  nonLinearities(FLOAT);
  nonLinearities(HALF);
  losses();
  logSoftmaxes();
  spatialSoftmaxes();
  classVertices("Max");
  classVertices("Min");
  words();
}
