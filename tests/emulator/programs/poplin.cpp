#include <poplin/MatMul.hpp>
#include <poplin/MeshGrid.hpp>
#include <poplin/codelets.hpp>
#include <popops/codelets.hpp>

#include "harness.hpp"

static void product(Type type, Type out, std::size_t m, std::size_t k, std::size_t n,
                    unsigned tiles, bool transposed = false) {
  static int count = 0;
  Case c("product " + std::to_string(count++), tiles);
  popops::addCodelets(c.graph);
  poplin::addCodelets(c.graph);
  const Tensor a = c.input("a", type, {m, k}, numbers(m * k, -1, 1));
  const Tensor b = transposed ? c.input("bt", type, {n, k}, numbers(k * n, -1, 1, false, 2))
                              : c.input("b", type, {k, n}, numbers(k * n, -1, 1, false, 2));
  c.output("out", poplin::matMul(c.graph, a, transposed ? b.transpose() : b, c.prog, out));
  c.run();
}

// Long sums of one number, on one tile: columns of each width that the codelet has.
static void sums() {
  Case c("sums", 1);
  popops::addCodelets(c.graph);
  poplin::addCodelets(c.graph);
  const Tensor a = c.input("a", FLOAT, {1, 2048}, {1});
  const Tensor b = c.input("b", FLOAT, {2048, 41}, {0.1f});
  c.output("out", poplin::matMul(c.graph, a, b, c.prog, FLOAT));
  c.run();
}

static void rest() {
  Case c("rest");
  Graph& g = c.graph;
  popops::addCodelets(g);
  poplin::addCodelets(g);
  const std::vector<std::size_t> as = {9, 200}, bs = {200, 12};
  const Tensor a = poplin::createMatMulInputLHS(g, FLOAT, as, bs, "a");
  const Tensor b = poplin::createMatMulInputRHS(g, FLOAT, as, bs, "b");
  const Tensor sum = poplin::createMatMulOutput(g, FLOAT, as, bs, "sum");
  c.fill(a, numbers(1800, -1, 1));
  c.fill(b, numbers(2400, -1, 1));
  c.fill(sum, {1});
  c.show("a", a);
  c.show("b", b);
  poplin::matMulAcc(g, sum, -0.5f, a, b, c.prog);
  c.output("sum", sum);
  Tensor out = c.input("out", HALF, {9, 12}, {0});
  poplin::matMulWithOutput(g, a, b, out, c.prog);
  c.output("out_after", out);
  const Tensor x = c.input("x", HALF, {3, 4, 20}, numbers(240, -1, 1));
  const Tensor y = c.input("y", HALF, {3, 20, 5}, numbers(300, -1, 1));
  c.output("groups", poplin::matMulGrouped(g, x, y, c.prog, FLOAT));
  Sequence p;
  expectError("shapes", [&] { poplin::matMul(g, a, a, p); });
  expectError("types", [&] { poplin::matMul(g, x[0], b.slice(0, 20), p); });
  c.run();
}

static void groups() {
  Case c("groups");
  Graph& g = c.graph;
  popops::addCodelets(g);
  poplin::addCodelets(g);
  const std::vector<std::size_t> as = {2, 7, 130}, bs = {2, 130, 5};
  poplin::matmul::PlanningCache cache;
  const OptionFlags options;
  poplin::preplanMatMuls({poplin::MatMulPlanParams(
                             &g.getTarget(), poplin::MatMulParams{HALF, HALF, as, bs}, &options)},
                         cache);
  const Tensor a = poplin::createMatMulGroupedInputLHS(g, HALF, HALF, as, bs, "a", {}, &cache);
  const Tensor b = poplin::createMatMulGroupedInputRHS(g, HALF, HALF, as, bs, "b");
  Tensor out = poplin::createMatMulGroupedOutput(g, HALF, HALF, as, bs, "out");
  c.fill(a, numbers(1820, -1, 1));
  c.fill(b, numbers(1300, -1, 1));
  c.show("a", a);
  c.show("b", b);
  poplin::matMulGroupedWithOutput(g, a, b, out, c.prog);
  c.output("out", out);
  const Tensor sum = c.input("sum", FLOAT, {2, 7, 5}, {1}), k = c.input("k", HALF, {}, {-2});
  poplin::matMulGroupedAcc(g, sum, k, a, b, c.prog);
  c.output("sum_after", sum);
  const Tensor right = poplin::preArrangeMatMulInputRHS(g, {7, 130}, b[1], c.prog);
  c.output("arranged", poplin::matMul(g, a[0], right, c.prog));
  c.output("arranged_groups", poplin::preArrangeMatMulGroupedInputRHS(g, as, b, c.prog, HALF));
  const Tensor x = poplin::linspace(g, FLOAT, -1, 2, 7), y = poplin::linspace(g, FLOAT, 5, 5, 1);
  c.output("line", x);
  const std::vector<Tensor> grid = poplin::meshgrid2d(g, x, concat(y, y));
  c.output("grid_x", grid[0]);
  c.output("grid_y", grid[1]);
  Sequence p;
  expectError("output", [&] {
    Tensor wrong = right;
    poplin::matMulGroupedWithOutput(g, a, b, wrong, p);
  });
  expectError("groups", [&] { poplin::createMatMulGroupedOutput(g, HALF, HALF, as, {5}, "o"); });
  c.run();
}

int main() {
  for (unsigned tiles : {1u, 4u, 64u}) {
    product(FLOAT, FLOAT, 10, 784, 1, tiles);
    product(FLOAT, FLOAT, 1, 300, 70, tiles);
    product(HALF, HALF, 33, 65, 17, tiles, true);
    product(HALF, FLOAT, 16, 1, 31, tiles);
    product(FLOAT, HALF, 64, 64, 64, tiles);
    product(FLOAT, FLOAT, 5, 0, 3, tiles);
  }
  sums();
  rest();
  groups();
}
