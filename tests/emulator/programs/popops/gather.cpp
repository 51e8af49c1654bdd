#include <popops/ElementWise.hpp>
#include <popops/Gather.hpp>
#include <popops/Pad.hpp>
#include <popops/Scatter.hpp>
#include <popops/codelets.hpp>

#include "../harness.hpp"

using namespace popops;
using popops::padding::MappingMethod;

static void gathers() {
  Case c("gathers");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {4, 6, 5}, numbers(120, -1, 1));
  const Tensor at = c.input("at", UNSIGNED_INT, {3}, {5, 0, 5});
  c.output("rows", gather(g, x, at, 1, c.prog, {}));
  const Tensor made = createGatherInput(g, HALF, {9, 4}, 0);
  c.fill(made, numbers(36, -1, 1));
  c.show("made", made);
  const Tensor grid = c.input("grid", UNSIGNED_INT, {2, 2}, {8, 1, 3, 0});
  c.output("grid_rows", gather(g, made, grid, 0, c.prog, {}));
  // XLA: slices {1, 2, 5} at (i, j) for each of {2, 3} places; the first dimension collapses.
  const Tensor places =
      c.input("places", UNSIGNED_INT, {2, 3, 2}, {0, 1, 3, 4, 2, 0, 1, 1, 2, 3, 0, 4});
  c.output("slices", gather(g, x, places, 2, {1, 3}, {1, 2, 5}, {0}, {0, 1}, c.prog));
  // Scalars: one column each, of the first three rows.
  const Tensor scalars = c.input("scalars", UNSIGNED_INT, {4}, {4, 0, 2, 4});
  const Tensor flat = createGatherInput(g, INT, {6, 5}, {3, 1}, {1});
  c.fill(flat, numbers(30, -9, 9, true));
  c.show("flat", flat);
  c.output("columns", gather(g, flat, scalars, 1, {0}, {3, 1}, {1}, {1}, c.prog));
  Sequence p;
  expectError("sizes", [&] { gather(g, x, places, 2, {1, 3}, {1, 2}, {0}, {0, 1}, p); });
  expectError("vectors", [&] { gather(g, x, places, 1, {1, 3}, {1, 2, 5}, {0}, {0, 1}, p); });
  c.run();
}

static void scatters() {
  Case c("scatters");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {5, 4}, numbers(20, -1, 1));
  const Tensor at = c.input("at", UNSIGNED_INT, {3}, {4, 1, 1});
  const Tensor rows = c.input("rows", FLOAT, {3, 4}, numbers(12, 1, 2));
  scatter(g, x, at, rows, 1, {1}, {0}, {0}, c.prog);
  c.output("x_after", x);
  const Tensor y = c.input("y", FLOAT, {5, 4}, numbers(20, -1, 1));
  UpdateComputationFunc add = [](Graph& graph, Tensor& now, Tensor& update, Sequence& prog) {
    return popops::add(graph, now, update, prog);
  };
  scatter(g, y, at, rows, 1, {1}, {0}, {0}, add, c.prog);
  c.output("y_after", y);
  // Blocks {2, 2} at two places; the updates have the places last.
  const Tensor z = c.input("z", HALF, {5, 4}, {0});
  const Tensor places = c.input("places", INT, {2, 2}, {0, 1, 3, 2});
  const Tensor blocks = c.input("blocks", HALF, {2, 2, 2}, numbers(8, 1, 2));
  scatter(g, z, places, blocks, 1, {0, 1}, {}, {0, 1}, c.prog);
  c.output("z_after", z);
  Sequence p;
  expectError("window", [&] { scatter(g, x, at, rows, 1, {1}, {}, {0}, p); });
  c.run();
}

static void pads() {
  Case c("pads");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {3, 4}, numbers(12, -1, 1));
  const Tensor i = c.input("i", INT, {5}, numbers(5, -9, 9, true)),
               one = c.input("one", INT, {}, {7});
  c.output("zeros", pad(g, x, {1, 0}, {2, 3}));
  c.output("cut", pad(g, x, {-1, 2}, {0, -3}, 1.5f, MappingMethod::EDGE));
  c.output("ints", pad(g, i, 2, 1, 0, -3));
  c.output("tensor", pad(g, i, {1}, {2}, one));
  c.output("edge", pad(x, {2, 1}, {1, 2}, padding::Type::EDGE));
  c.output("reflect", pad(x, {2, 1}, {1, 3}, padding::Type::REFLECT));
  const Tensor unmapped = pad(g, i, {1}, {0}, 0, MappingMethod::NONE);
  g.setTileMapping(unmapped, 1);
  c.output("mapped_later", unmapped);
  expectError("rank", [&] { pad(g, x, {1}, {1}); });
  expectError("cut", [&] { pad(g, x, -2, -2, 0); });
  expectError("reflect", [&] { pad(x, 3, 0, 0, padding::Type::REFLECT); });
  c.run();
}

int main() {
  gathers();
  scatters();
  pads();
}
