#include <cmath>
#include <popops/Encoding.hpp>
#include <popops/GatherStatistics.hpp>
#include <popops/NaN.hpp>
#include <popops/SelectScalarFromRows.hpp>
#include <popops/UpdateScalarInRows.hpp>
#include <popops/codelets.hpp>

#include "../harness.hpp"

using namespace popops;

static void encodings() {
  Case c("encodings");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor at = c.input("at", UNSIGNED_INT, {6}, {3, 0, 6, 4294967295.0, 9, 2});
  const Tensor signs = c.input("signs", INT, {6}, {3, -1, 6, 0, 9, 2});
  const Tensor hot = c.input("hot", HALF, {6, 7}, {5}), ints = c.input("ints", INT, {6, 7}, {5});
  const Tensor on = c.input("on", INT, {1}, {-4}), off = c.input("off", INT, {}, {9});
  encodeOneHot(g, at, hot, c.prog);
  encodeOneHot(g, signs, ints, c.prog, on, off);
  c.output("hot_after", hot);
  c.output("ints_after", ints);
  const Tensor up = c.input("up", UNSIGNED_INT, {100}, {0}), down = c.input("down", INT, {9}, {0});
  iota(g, up, 7u, c.prog);
  iota(g, down, -4, c.prog);
  c.output("up_after", up);
  c.output("down_after", down);
  const Tensor x = c.input("x", FLOAT, {6, 7}, numbers(42, -1, 1));
  const Tensor y = c.input("y", HALF, {6, 7}, numbers(42, -1, 1));
  c.output("selected", selectScalarFromRows(g, x, at, c.prog));
  updateScalarInRows(g, y, at, c.prog);
  c.output("y_after", y);
  Sequence p;
  expectError("rank", [&] { encodeOneHot(g, at, up, p); });
  expectError("type", [&] { encodeOneHot(g, x.slice(0, 1).flatten().slice(0, 6), hot, p); });
  expectError("start", [&] { iota(g, up, -1, p); });
  c.run();
}

static void statistics() {
  Case c("statistics");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {11, 13}, numbers(143, -3, 3));
  const Tensor levels = c.input("levels", FLOAT, {4}, {-2, -0.5, 0.25, 2});
  OptionFlags as_float;
  as_float.set("useFloatArithmetic", "true");
  c.output("counts", histogram(g, x, levels, false, c.prog));
  c.output("absolute", histogram(g, x, levels, true, c.prog, {}, as_float));
  Tensor sums = c.input("sums", UNSIGNED_INT, {5}, {10});
  histogram(g, x, sums, true, levels, false, c.prog);
  c.output("sums_after", sums);
  Tensor column = c.input("column", FLOAT, {5, 1}, {2});
  histogram(g, x, column, true, levels, false, c.prog);
  c.output("column_after", column);
  const Tensor finite = c.input("finite", HALF, {50}, {1, 2});
  const Tensor nan = c.input("nan", HALF, {50}, {1, NAN});
  const Tensor infinite = c.input("infinite", FLOAT, {50}, {1, -INFINITY});
  c.output("finite_has", hasNaN(g, finite, c.prog));
  c.output("nan_has", hasNaN(g, nan, c.prog));
  c.output("infinite_has", hasNaN(g, infinite, c.prog));
  c.output("finite_has_either", hasNaNOrInf(g, finite, c.prog));
  c.output("nan_has_either", hasNaNOrInf(g, nan, c.prog));
  c.output("infinite_has_either", hasNaNOrInf(g, infinite, c.prog));
  Sequence p;
  expectError("levels", [&] { histogram(g, x, finite, false, p); });
  expectError("counts", [&] { histogram(g, x, sums, false, levels.slice(0, 2), false, p); });
  c.run();
}

int main() {
  encodings();
  statistics();
}
