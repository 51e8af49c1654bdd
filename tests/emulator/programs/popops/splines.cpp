// B-splines on graphs.
#include <popops/SplineBasis.hpp>
#include <popops/SplineWeighting.hpp>
#include <popops/codelets.hpp>

#include "../harness.hpp"

static void splines(const std::string& name, Type type, unsigned degree) {
  constexpr std::size_t edges = 7, dims = 2, inputs = 3, outputs = 5;
  Case c(name);
  Graph& g = c.graph;
  popops::addCodelets(g);
  const std::size_t n = (degree + 1) * (degree + 1);
  const Tensor pseudo = c.input("pseudo", type, {edges, dims}, numbers(edges * dims, 0, 1));
  const Tensor size = c.input("size", INT, {dims}, {5, 4});
  const Tensor open = c.input("open", UNSIGNED_CHAR, {dims}, {1, 0});
  const Tensor basis = c.input("basis", type, {edges, n}, {0});
  const Tensor index = c.input("index", INT, {edges, n}, {0});
  popops::splineBasis(g, pseudo, size, open, basis, index, degree, c.prog);
  c.output("basis_after", basis);
  c.output("index_after", index);
  const Tensor x = c.input("x", type, {edges, inputs}, numbers(edges * inputs, -1, 1, false, 2));
  const Tensor w =
      c.input("w", type, {20, inputs, outputs}, numbers(20 * inputs * outputs, -1, 1, false, 3));
  c.output("out", popops::splineWeighting(g, x, w, basis, index, c.prog));
  if (degree == 3) {
    expectError("degree",
                [&] { popops::splineBasis(g, pseudo, size, open, basis, index, 4, c.prog); });
    expectError("kernel",
                [&] { popops::splineBasis(g, pseudo, open, open, basis, index, 3, c.prog); });
    expectError("weight", [&] { popops::splineWeighting(g, x, x, basis, index, c.prog); });
  }
  c.run();
}

int main() {
  for (unsigned degree : {1u, 2u, 3u}) {
    splines("float " + std::to_string(degree), FLOAT, degree);
    splines("half " + std::to_string(degree), HALF, degree);
  }
}
