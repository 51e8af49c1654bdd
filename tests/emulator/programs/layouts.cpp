// Rearrangements, images, tensors for the host, and slices of sequences.
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <popops/ExprOpUtils.hpp>
#include <popops/HostSliceTensor.hpp>
#include <popops/NormaliseImage.hpp>
#include <popops/OperationDefUtil.hpp>
#include <popops/Rearrange.hpp>
#include <popops/SequenceSlice.hpp>
#include <popops/codelets.hpp>
#include <sstream>

#include "harness.hpp"

using namespace popops;

// As the SDK declares it: deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void variances() {
  Case c("variances");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {40}, numbers(40, 0.1, 4));
  const Tensor h = c.input("h", HALF, {40}, numbers(40, 0.1, 4, false, 2));
  c.output("half", varianceToInvStdDev(g, x, 0.125f, c.prog));
  c.output("float", varianceToInvStdDev(g, x, 0.125f, c.prog, FLOAT));
  c.output("back", invStdDevToVariance(g, h, 0.125f, c.prog, FLOAT));
  c.output("same", invStdDevToVariance(g, x, 0.125f, c.prog, DebugContext("x"), OptionFlags()));
  c.output("within", popops::checkAccuracyWhenCast(g, x[0], HALF, 0.01, c.prog));
  c.output("beyond", popops::checkAccuracyWhenCast(g, x[0], HALF, 1e-9, c.prog));
  c.output("castx", cast(g, x, HALF, Tensor(), c.prog));
  expectError("variance", [&] { varianceToInvStdDev(g, h, 0.1f, c.prog, FLOAT); });
  expectError("accuracy", [&] { popops::checkAccuracyWhenCast(g, x, HALF, 0.1, c.prog); });
  expectError("codelet", [&] {
    std::ostringstream out;
    outputGeneratedCodelet(g.getTarget(), expr::_1 + 1, {x}, {}, out);
  });
  using namespace expr::ostream_ext;
  std::ostringstream text;
  text << expr::UnaryOpType::TANH << ' ' << expr::BinaryOpType::ADD << ' '
       << expr::TernaryOpType::CLAMP;
  CHECK(text.str() == "TANH ADD CLAMP");
  Operation op = Operation::ADD;
  std::istringstream name("LOG_ADD");
  name >> op;
  CHECK(op == Operation::LOG_ADD && std::string(poputil::asString(op)) == "Log Add");
  CHECK(poputil::templateVertex("V", op) == "V<popops::Operation::LOG_ADD>");
  expectError("operation", [&] {
    std::istringstream other("SUM");
    other >> op;
  });
  const expr::Any e = expr::_1 + expr::Const(4.0f);
  CHECK(e.name({x}) != e.name({h}) && e.name({x}) == (expr::_1 + expr::Const(4.0f)).name({x}));
  const float four = 4;
  const char* const data = reinterpret_cast<const char*>(&four);
  const expr::Const same(TypeTraits::make<float>(), FLOAT, data);
  CHECK(same.deepEquals(expr::Const(4.0f)) && same.getTypeTraits().size == 4);
  const short minus = -3;
  const expr::Const small(TypeTraits::make<short>(), SHORT, reinterpret_cast<const char*>(&minus));
  CHECK(small.getDataAsDouble() == -3 && small.deepEquals(expr::Const(minus)));
  c.run();
}

static void rearranged() {
  Case c("rearranged");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor x = c.input("x", HALF, {3, 4, 8}, numbers(96, -1, 1));
  const ComputeSet cs = g.addComputeSet("transpose");
  const Tensor t = rearrange::partialTranspose(g, x, cs);
  c.prog.add(Execute(cs));
  c.output("transposed", t);
  CHECK(rearrange::canUseFastTranspose(g.getTarget(), HALF, 4, 8, 3));
  CHECK(!rearrange::canUseFastTranspose(g.getTarget(), FLOAT, 4, 8, 3));
  CHECK(rearrange::getMinimumRegroupGrainSize(HALF) == 4);
  expectError("matrix", [&] { rearrange::partialTranspose(g, x[0][0], cs); });
  c.run();
}

using Groups = std::vector<poputil::GroupingInfo>;

// On eight tiles.
static void regrouped() {
  Case c("regrouped");
  Graph& g = c.graph;
  addCodelets(g);
  const auto at = [&](const Tensor& t) { return poputil::detectDimGroupings(g, t); };
  const Tensor x = g.addVariable(FLOAT, {64, 16}, "x");
  poputil::mapTensorLinearly(g, x, 8, 8);
  c.fill(x, numbers(1024, -1, 1));
  c.show("x", x);
  CHECK((at(x) == Groups{{1, 16}, {0, 8}}));
  // Groups of 16 columns are split, so that each tile transposes a matrix of its own.
  const Tensor rows = rearrange::regroupIfPossible(g, x, c.prog, {0, 16});
  CHECK((at(rows) == Groups{{0, 16}, {1, 8}}));
  c.output("rows", rows);
  CHECK(rearrange::regroupIfPossible(g, x, c.prog, {1, 16}) == x);
  CHECK(rearrange::regroupIfPossible(g, x, c.prog, {0, 7}) == x);
  CHECK(rearrange::regroupIfBeneficial(g, x, x, c.prog) == x);
  const Tensor like = rearrange::regroupIfBeneficial(g, x, rows, c.prog);
  CHECK(at(like)[0] == poputil::GroupingInfo(0, 16));
  c.output("like", like);
  // Back to groups of the last dimension.
  const Tensor back = rearrange::regroupIfBeneficial(g, rows, 8, c.prog);
  CHECK(at(back)[0] == poputil::GroupingInfo(1, 8));
  c.output("back", back);
  const ComputeSet cs = g.addComputeSet("transpose");
  const Tensor four = rearrange::regroupTensor(g, x, c.prog, cs, {1, 4}, {0, 2});
  c.prog.add(Execute(cs));
  CHECK((at(four)[0] == poputil::GroupingInfo(0, 2)));
  c.output("four", four);
  Sequence p;
  expectError("from", [&] { rearrange::regroupTensor(g, x, p, cs, {1, 3}, {0, 2}); });
  expectError("to", [&] { rearrange::regroupTensor(g, x, p, cs, {1, 4}, {2, 2}); });
  expectError("reference", [&] { rearrange::regroupIfBeneficial(g, x, x[0].expand({0}), p); });
  expectError("preferred", [&] { rearrange::regroupIfBeneficial(g, x, 5, p); });
  c.run();
}

static void images() {
  Case c("images");
  Graph& g = c.graph;
  addCodelets(g);
  for (Type type : {UNSIGNED_CHAR, HALF, FLOAT}) {
    const std::string name = type.toString();
    const Type out = type == UNSIGNED_CHAR ? HALF : type;
    const Tensor image = createNormaliseImageInput(g, type, {2, 5, 7, 3});
    c.fill(image, numbers(210, 0, 255, true));
    c.show(name, image);
    const Tensor offsets = c.input(name + " offsets", out, {3}, {0.5, 0.25, 0.125});
    const Tensor scales = c.input(name + " scales", out, {3}, {2, 4, 3});
    c.output(name + " out", normaliseImage(g, c.prog, image, 1.0f / 256, offsets, scales));
    if (type == FLOAT) {
      expectError("scale", [&] { normaliseImage(g, c.prog, image, 0, offsets, scales); });
      expectError("offsets", [&] { normaliseImage(g, c.prog, image, 1, image, scales); });
    }
  }
  expectError("channels", [&] { createNormaliseImageInput(g, HALF, {4, 4}); });

  // 3 packets of each row, on tiles of their own.
  const IndicesAndTensor host = createHostSliceableTensor(g, FLOAT, {2, 600}, true);
  CHECK(host.indices.shape() == std::vector<std::size_t>{2});
  CHECK(g.getTileMapping(host.tensor[1])[3].size() == 1);
  CHECK(g.getTileMapping(host.tensor[1])[3][0] == Interval(0, 256));
  CHECK(g.getTileMapping(host.indices[1])[3].size() == 1);
  // 17 packets on 8 tiles: two on each, and one more on that of the first exchange context.
  const auto many =
      g.getTileMapping(createHostSliceableTensor(g, HALF, {1, 17 * 512}, true).tensor);
  for (unsigned tile = 0; tile < 8; ++tile) {
    CHECK(many[tile].size() == 1 && many[tile][0].size() == (tile == 0 ? 1536u : 1024u));
  }
  const Tensor moved = createHostTransferableTensor(g, HALF, {3, 5}, false, 2000);
  CHECK(moved.rank() == 2 && g.getTileMapping(moved)[2].size() == 1);
  expectError("rank", [&] { createHostSliceableTensor(g, FLOAT, {2}, true); });
  c.run();
}

static void sequences() {
  Case c("sequences");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {10, 2, 5}, numbers(100, -1, 1));
  const Tensor h = c.input("h", HALF, {6, 3}, numbers(18, -1, 1));
  const auto indices = [&](const char* name, const std::vector<double>& values) {
    return c.input(name, UNSIGNED_INT, {values.size()}, values);
  };
  const Tensor n = indices("n", {3, 2, 0, 1}), from = indices("from", {7, 0, 1, 4}),
               to = indices("to", {1, 5, 0, 0});
  const Tensor kept = c.input("kept", FLOAT, {8, 10}, numbers(80, 2, 3));
  const Tensor zeroed = c.input("zeroed", FLOAT, {8, 10}, numbers(80, 2, 3));
  sequenceSlice(g, x, kept, n, from, to, false, c.prog);
  sequenceSlice(g, x, zeroed, n, from, to, true, c.prog);
  c.output("kept_after", kept);
  c.output("zeroed_after", zeroed);
  // Beyond either end.
  const Tensor many = indices("many", {9}), late = indices("late", {4});
  const Tensor short_out = c.input("short", HALF, {5, 3}, {0});
  sequenceSlice(g, h, short_out, many, late, late, false, c.prog);
  c.output("short_after", short_out);
  try {
    sequenceSlice(g, x, short_out, n, from, to, false, c.prog);
    CHECK(false);
  } catch (const graph_connection_error& e) {
    CHECK(std::string(e.what()).find("sequenceSlice: tOut: expected elements of type float") == 0);
  }
  c.run();
}

int main() {
  variances();
  rearranged();
  regrouped();
  images();
  sequences();
}
