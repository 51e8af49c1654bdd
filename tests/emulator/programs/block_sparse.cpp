// Products and softmax of matrices of blocks.
#include <popsparse/experimental/BlockSparseMatMul.hpp>

#include "harness.hpp"

using namespace popsparse::experimental;

using Mask = std::vector<unsigned char>;

static Mask maskOf(std::size_t blocks, unsigned seed) {
  Mask mask(blocks);
  for (std::size_t i = 0; i < blocks; ++i) mask[i] = (i * 7 + seed + i * i) % 5 < 3;
  return mask;
}

static void show(Case& c, const Mask& mask) {
  c.input("mask", INT, {mask.size()}, std::vector<double>(mask.begin(), mask.end()));
}

static void dense(const std::string& name, Type in, Type out, bool transposed, unsigned groups) {
  Case c("dense " + name);
  const std::array<int, 3> dim = {{4, 9, 8}}, block = {{2, 3, 4}};
  const Mask mask = maskOf(groups * 3 * 2, transposed);
  show(c, mask);
  const BSMatMulParams params(dim, block, mask, transposed, in, out, FLOAT, groups);
  const OptionFlags options = {{"partitionMethod", "block"}, {"memoryCycleRatio", "0.5"}};
  const Tensor lhs = createBSMatMulInputLHS(c.graph, params, "lhs", options),
               rhs = createBSMatMulInputRHS(c.graph, params, "rhs", options);
  c.fill(lhs, numbers(lhs.numElements(), -1, 1, false, 2));
  c.fill(rhs, numbers(rhs.numElements(), -1, 1, false, 3));
  c.show("lhs", lhs);
  c.show("rhs", rhs);
  c.output("out", bsMatMul(c.graph, params, c.prog, lhs, rhs, options, "product"));
  c.run();
}

static void sparse(const std::string& name, SubBlockMask masked, const Mask& mask,
                   unsigned groups) {
  Case c("sparse " + name);
  const BSMatMulParams params({{6, 8, 6}}, {{2, 4, 3}}, mask, FLOAT, HALF, FLOAT, masked, groups);
  show(c, mask);
  const Tensor lhs = createBSMatMulInputLHS(c.graph, params, "lhs"),
               rhs = createBSMatMulInputRHS(c.graph, params, "rhs");
  c.fill(lhs, numbers(lhs.numElements(), -1, 1, false, 4));
  c.fill(rhs, numbers(rhs.numElements(), -1, 1, false, 5));
  c.show("lhs", lhs);
  c.show("rhs", rhs);
  c.output("out", bsMatMul(c.graph, params, c.prog, lhs, rhs));
  c.run();
}

static void softmax(const std::string& name, Type type, SubBlockMask masked, const Mask& mask,
                    unsigned groups, bool in_place) {
  Case c("softmax " + name);
  const std::array<int, 2> dim = {{6, 6}}, block = {{2, 3}};
  show(c, mask);
  std::size_t blocks = 0;
  for (const unsigned char there : mask) blocks += there;
  const double range = type == HALF ? 60000 : 1000;  // the exponential of none of them is finite
  Tensor x = c.input("in", type, {blocks, 6}, numbers(blocks * 6, -3, range, true, 6));
  if (in_place) {
    bsSoftmaxInPlace(c.graph, x, dim, block, mask, masked, groups, c.prog);
  } else {
    x = bsSoftmax(c.graph, x, dim, block, mask, masked, groups, c.prog, "softmax");
  }
  c.output("out", x);
  c.run();
}

static void gradient(Type type) {
  Case c("gradient " + type.toString());
  const Mask mask = maskOf(6, 1);
  show(c, mask);
  std::size_t blocks = 0;
  for (const unsigned char there : mask) blocks += there;
  const Tensor y = c.input("out", type, {blocks, 6}, numbers(blocks * 6, 0, 1, false, 7)),
               dy = c.input("dout", type, {blocks, 6}, numbers(blocks * 6, -1, 1, false, 8));
  c.output("din", bsSoftmaxGrad(c.graph, y, dy, {{6, 6}}, {{2, 3}}, mask, c.prog));
  c.run();
}

static void refusals() {
  Case c("refusals");
  Graph& g = c.graph;
  using Params = BSMatMulParams;
  const auto none = SubBlockMask::None;
  expectError("size",
              [] { Params({{8, 8, 9}}, {{4, 4, 4}}, Mask(4), false, FLOAT, FLOAT, FLOAT); });
  expectError("mask",
              [] { Params({{8, 8, 8}}, {{4, 4, 4}}, Mask(3), false, FLOAT, FLOAT, FLOAT); });
  expectError("groups",
              [] { Params({{8, 8, 8}}, {{4, 4, 4}}, Mask(), false, FLOAT, FLOAT, FLOAT, 0); });
  expectError("type", [] { Params({{4, 4, 4}}, {{4, 4, 4}}, Mask(1), false, INT, FLOAT, FLOAT); });
  expectError("partials",
              [&] { Params({{4, 4, 4}}, {{4, 4, 4}}, Mask(1), FLOAT, FLOAT, HALF, none); });
  const Params two({{4, 4, 4}}, {{4, 4, 4}}, Mask(2, 1), false, FLOAT, FLOAT, FLOAT, 2);
  expectError("passes", [&] { createBSMatMulInputLHS(g, two, "", {{"numberOfPass", "2"}}); });
  const Tensor lhs = createBSMatMulInputLHS(g, two, "lhs");
  expectError("shape", [&] { bsMatMul(g, two, c.prog, lhs, lhs); });
  const Params upper({{4, 4, 8}}, {{4, 4, 4}}, Mask(2, 1), FLOAT, FLOAT, FLOAT,
                     SubBlockMask::ZeroUpperTriangle);
  const Tensor a = createBSMatMulInputLHS(g, upper, "a"), b = createBSMatMulInputRHS(g, upper, "b");
  expectError("above", [&] { bsMatMul(g, upper, c.prog, a, b); });
  const Tensor t = g.addVariable(FLOAT, {1, 16});
  expectError("rows", [&] { bsSoftmax(g, t, {{8, 8}}, {{4, 4}}, Mask(4, 1), none, 1, c.prog); });
}

int main() {
  dense("float", FLOAT, FLOAT, false, 1);
  dense("half", HALF, FLOAT, false, 1);
  dense("transposed", FLOAT, HALF, true, 1);
  dense("groups", HALF, HALF, false, 2);
  dense("transposed groups", FLOAT, FLOAT, true, 2);
  const Mask some = {1, 0, 1, 1, 0, 1}, lower = {1, 0, 1, 1, 1, 1}, high = {1, 1, 1, 1, 0, 1};
  sparse("plain", SubBlockMask::None, some, 1);
  sparse("upper", SubBlockMask::ZeroUpperTriangle, lower, 1);
  sparse("lower", SubBlockMask::ZeroLowerTriangle, high, 1);
  Mask both = lower;
  both.insert(both.end(), lower.begin(), lower.end());
  sparse("groups", SubBlockMask::ZeroUpperTriangle, both, 2);
  softmax("plain", FLOAT, SubBlockMask::None, some, 1, false);
  softmax("half", HALF, SubBlockMask::ZeroUpperTriangle, lower, 1, true);
  softmax("lower", FLOAT, SubBlockMask::ZeroLowerTriangle, high, 1, true);
  softmax("groups", FLOAT, SubBlockMask::ZeroUpperTriangle, both, 2, false);
  softmax("empty rows", FLOAT, SubBlockMask::ZeroUpperTriangle, {0, 0, 0, 1, 1, 0}, 1, false);
  gradient(FLOAT);
  gradient(HALF);
  refusals();
}
