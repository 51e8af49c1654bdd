// Triangular systems, and the Cholesky, LU and QR factorisations.
#include <poplin/Cholesky.hpp>
#include <poplin/ConvPreplan.hpp>
#include <poplin/TriangularSolve.hpp>
#include <poplin/codelets.hpp>
#include <poplin/experimental/LuFactorization.hpp>
#include <poplin/experimental/QRFactorization.hpp>
#include <popops/codelets.hpp>

#include "../harness.hpp"

using Shape = std::vector<std::size_t>;
using Products = std::vector<std::pair<poplin::MatMulParams, OptionFlags>>;

struct SolveCase : Case {
  SolveCase(const std::string& name, unsigned tiles) : Case(name, tiles) {
    popops::addCodelets(graph);
    poplin::addCodelets(graph);
  }
  // Numbers with `diagonal` added on the diagonal of each matrix of [..., n, n].
  Tensor matrices(const std::string& name, Type type, const Shape& shape, double diagonal,
                  std::uint32_t seed) {
    std::size_t count = 1;
    for (std::size_t d : shape) count *= d;
    std::vector<double> values = numbers(count, -1, 1, false, seed);
    const std::size_t n = shape[shape.size() - 1], m = shape[shape.size() - 2];
    for (std::size_t i = 0; i < count; ++i) {
      if (i / n % m == i % n) values[i] += diagonal;
    }
    return input(name, type, shape, values);
  }
  // Plans the products ahead; the caller runs them, and expects no further one.
  void plan(const Products& products) {
    std::set<poplin::MatMulPlanParams> params;
    for (const auto& p : products) params.emplace(&graph.getTarget(), p.first, &p.second);
    poplin::preplan({}, params, cache);
    planned = products.size();
    check();
  }
  void check() const {
    if (cache.size() != planned) throw std::runtime_error("expected the planned products alone");
  }
  poplin::PlanningCache cache;
  std::size_t planned = 0;
};

static void triangular(const std::string& name, Type type, const Shape& a, const Shape& b,
                       bool left, bool lower, bool unit, unsigned tiles, unsigned block) {
  SolveCase c("solve " + name, tiles);
  const OptionFlags options = {{"blockSize", std::to_string(block)}};
  const Tensor ta = c.matrices("a", type, a, 3, 1);
  const Tensor tb = c.matrices("b", type, b, 0, 2);
  c.plan(poplin::getTriangularSolveMatMulPrePlanParameters(type, type, a, b, left, lower, options));
  c.output("x", poplin::triangularSolve(c.graph, ta, tb, left, lower, unit, c.prog, "solve",
                                        options, &c.cache));
  c.check();
  c.output("mask", poplin::triangularMask(c.graph, ta, lower, unit, c.prog));
  c.run();
}

static void cholesky(const std::string& name, Type type, const Shape& shape, bool lower,
                     unsigned block) {
  SolveCase c("cholesky " + name, 6);
  const OptionFlags options = {{"blockSize", std::to_string(block)}};
  const Tensor t = c.matrices("t", type, shape, 3, 3);
  const Tensor flat = t.rank() == 2 ? t.expand({0}) : t.flatten(0, t.rank() - 2);
  const Tensor a =
      poplin::matMulGrouped(c.graph, flat, poplin::transposeGroupedMatrix(flat), c.prog, type)
          .reshape(shape);
  c.plan(poplin::getCholeskyMatMulPrePlanParameters(type, shape, lower, options));
  c.output("a", a);
  c.output("factor", poplin::cholesky(c.graph, a, lower, c.prog, {}, options, &c.cache));
  c.check();
  const Tensor in = poplin::createCholeskyInput(c.graph, type, shape, lower, "in", options);
  c.prog.add(Copy(a, in));
  poplin::choleskyInPlace(c.graph, in, lower, c.prog, {}, options);
  c.output("in_place", in);
  c.run();
}

static void lu(std::size_t m, std::size_t n, Type type, unsigned tiles) {
  SolveCase c("lu " + std::to_string(m) + " " + std::to_string(n), tiles);
  Tensor a = c.matrices("a", type, {m, n}, 4, 4);
  const std::pair<Tensor, Tensor> factors =
      poplin::experimental::LUFactorization(c.graph, a, c.prog);
  c.output("l", factors.first);
  c.output("u", factors.second);
  c.run();
}

static void qr(std::size_t m, std::size_t n, unsigned tiles) {
  SolveCase c("qr " + std::to_string(m) + " " + std::to_string(n), tiles);
  std::array<Tensor, 2> t =
      poplin::experimental::createQRFactorizationMatrices(c.graph, FLOAT, m, n, "qr");
  std::vector<double> identity(m * m, 0);
  for (std::size_t i = 0; i < m; ++i) identity[i * m + i] = 1;
  c.fill(t[0], numbers(m * n, -1, 1, false, 5));
  c.fill(t[1], identity);
  c.show("a", t[0]);
  poplin::experimental::QRFactorization(c.graph, t[0], t[1], c.prog, {},
                                        {{"rowsPerIteration", "4"}});
  c.output("r", t[0]);
  c.output("q", t[1]);
  c.run();
}

static void misuse() {
  SolveCase c("misuse", 2);
  Graph& g = c.graph;
  Sequence p;
  Tensor a = c.input("a", FLOAT, {2, 4, 4}, {1}), b = c.input("b", FLOAT, {2, 4, 3}, {1});
  Tensor whole = c.input("whole", INT, {4, 4}, {1}), wide = b[0].transpose();
  expectError("square", [&] { poplin::triangularSolve(g, b, a, true, true, false, p); });
  expectError("left", [&] { poplin::triangularSolve(g, a, b, false, true, false, p); });
  expectError("ranks", [&] { poplin::triangularSolve(g, a, b[0], true, true, false, p); });
  expectError("block", [&] {
    poplin::triangularSolve(g, a, b, true, true, false, p, {}, {{"blockSize", "0"}});
  });
  expectError("cholesky", [&] { poplin::cholesky(g, b, true, p); });
  expectError("cholesky type", [&] { poplin::cholesky(g, whole, true, p); });
  expectError("lu", [&] { poplin::experimental::LUFactorization(g, a, p); });
  expectError("qr", [&] {
    Tensor q = a[0].slice(0, 3).slice(0, 3, 1);
    poplin::experimental::QRFactorization(g, wide, q, p);
  });
}

int main() {
  const Shape a = {2, 3, 13, 13}, left = {2, 3, 13, 9}, right = {2, 3, 9, 13};
  for (unsigned i = 0; i < 8; ++i) {
    const bool on_left = i & 1, lower = i & 2, unit = i & 4;
    const std::string name = std::string(on_left ? "left" : "right") +
                             (lower ? " lower" : " upper") + (unit ? " unit" : "");
    triangular(name, FLOAT, a, on_left ? left : right, on_left, lower, unit, 7, 4);
  }
  triangular("left lower half", HALF, {9, 9}, {9, 1}, true, true, false, 1, 64);
  triangular("left upper many", FLOAT, {70, 70}, {70, 40}, true, false, false, 32, 16);
  cholesky("lower", FLOAT, {2, 20, 20}, true, 8);
  cholesky("upper", FLOAT, {1, 2, 19, 19}, false, 8);
  cholesky("lower half", HALF, {6, 6}, true, 64);
  lu(8, 8, FLOAT, 4);
  lu(70, 45, FLOAT, 16);
  lu(33, 80, FLOAT, 16);
  lu(16, 2, HALF, 1);
  qr(16, 4, 1);
  qr(20, 20, 5);
  qr(40, 33, 64);
  misuse();
}
