#include <poprand/RandomGen.hpp>
#include <poprand/codelets.hpp>
#include <poputil/Util.hpp>

#include "harness.hpp"

using namespace poprand;

static void distributions() {
  Case c("distributions");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor r = c.input("r", FLOAT, {40, 50}, {0}), h = c.input("h", HALF, {2000}, {0});
  const Tensor seed = c.input("seed", UNSIGNED_INT, {2}, {12345, 678});
  Sequence& p = c.prog;
  c.output("uniform", uniform(g, &seed, 1, r, FLOAT, -2, 3, p));
  c.output("uniform_half", uniform(g, &seed, 2, h, HALF, 0, 1, p));
  c.output("uniform_int", uniform(g, &seed, 3, r, INT, -2, 2, p));
  c.output("all_ints", uniform(g, &seed, 3, r, INT, -2147483648.0, 2147483647.0, p));
  c.output("log_uniform", logUniform(g, &seed, 4, r, FLOAT, 1, 1000, p));
  c.output("bernoulli", bernoulli(g, &seed, 5, r, FLOAT, 0.25, p));
  c.output("bernoulli_int", bernoulli(g, &seed, 5, r, INT, 0.25, p));
  c.output("normal", normal(g, &seed, 6, r, FLOAT, 1, 2, p));
  c.output("normal_half", normal(g, &seed, 6, h, HALF, 1, 2, p));
  c.output("truncated", truncatedNormal(g, &seed, 7, r, FLOAT, 1, 2, 1.5, p));
  // The same numbers wherever the tensor lies; others for another modifier.
  const Tensor here = g.addVariable(FLOAT, {40, 50}, "here");
  g.setTileMapping(here, 3);
  c.output("uniform_here", uniform(g, &seed, 1, here, FLOAT, -2, 3, p));
  c.output("uniform_other", uniform(g, &seed, 9, r, FLOAT, -2, 3, p));
  const Tensor x = c.input("x", FLOAT, {40, 50}, numbers(2000, 1, 2));
  const Tensor rows = c.input("rows", FLOAT, {40, 1}, {0});
  c.output("dropped", dropout(g, &seed, 8, x, r, 0.75, 4, p));
  c.output("rows_dropped", shapedDropout(g, &seed, 8, x, rows, 0.5, 2, p));
  Sequence e;
  expectError("interval", [&] { uniform(g, &seed, 1, r, FLOAT, 1, 1, e); });
  expectError("type", [&] { normal(g, &seed, 1, r, INT, 1, 1, e); });
  expectError("seed", [&] { uniform(g, &r, 1, r, FLOAT, 0, 1, e); });
  expectError("shape", [&] { dropout(g, &seed, 1, x, rows, 0.5, 2, e); });
  expectError("probability", [&] { bernoulli(g, &seed, 1, r, FLOAT, 1.5, e); });
  c.run();
}

// Without a seed: each run goes on, and setSeed begins again.
static void generator() {
  Case c("generator");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor r = c.input("r", HALF, {101}, {0});
  const Tensor seed = c.input("seed", UNSIGNED_INT, {2}, {1, 2});
  const auto next = [&] { return normal(g, nullptr, 0, r, FLOAT, 0, 1, c.prog); };
  c.output("first", next());
  c.output("second", next());
  Sequence loop;
  const Tensor again = uniform(g, nullptr, 0, r, FLOAT, 0, 1, loop);
  const Tensor before = g.clone(again), after = g.clone(again);
  c.prog.add(loop);
  c.prog.add(Copy(again, before));
  c.prog.add(Repeat(2, loop));
  c.prog.add(Copy(again, after));
  c.output("before", before);
  c.output("after", after);
  setSeed(g, seed, 5, c.prog);
  c.output("seeded", next());
  setSeed(g, seed, 5, c.prog);
  c.output("seeded_again", next());
  setSeed(g, seed, 6, c.prog);
  c.output("seeded_otherwise", next());
  c.run();
}

int main() {
  distributions();
  generator();
}
