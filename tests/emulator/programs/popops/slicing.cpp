#include <popops/CircBuf.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Loop.hpp>
#include <popops/Sort.hpp>
#include <popops/TopK.hpp>
#include <popops/codelets.hpp>
#include <poputil/Util.hpp>

#include "../harness.hpp"

using namespace popops;
using Shape = std::vector<std::size_t>;

static void dynamicSlices() {
  Case c("dynamic");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {6, 5, 9}, numbers(270, -1, 1));
  const Tensor at = c.input("at", UNSIGNED_INT, {1}, {4});
  const Tensor two = c.input("two", INT, {2}, {2, 3});
  c.output("middle", dynamicSlice(g, x, at, {1}, {1}, c.prog));
  c.output("wrapped", dynamicSlice(g, x, at, {0}, {3}, c.prog));
  c.output("two_dims", dynamicSlice(g, x, two, {0, 2}, {2, 4}, c.prog));
  const Tensor bytes = c.input("bytes", BOOL, {8, 3}, {1, 0, 1, 1, 0});
  c.output("bools", dynamicSlice(g, bytes, at, {0}, {2}, c.prog));
  const Tensor out = c.input("out", FLOAT, {6, 1, 9}, {0});
  dynamicSliceWithOutput(g, out, x, at, {1}, {1}, c.prog);
  c.output("out_after", out);

  const Tensor sliceable = createSliceableTensor(g, HALF, {7, 20, 3}, {0}, {1});
  c.fill(sliceable, numbers(420, -1, 1));
  c.show("sliceable", sliceable);
  const Tensor part = c.input("part", HALF, {2, 20, 3}, numbers(120, 5, 6));
  dynamicUpdate(g, sliceable, part, at, {0}, {2}, c.prog);
  c.output("sliceable_after", sliceable);
  const Tensor block = c.input("block", FLOAT, {2, 5, 4}, numbers(40, 5, 6));
  dynamicUpdate(g, x, block, two, {0, 2}, {2, 4}, c.prog);
  c.output("x_after", x);
  const Tensor from = createSliceableTensorFromSlice(g, part, {0}, {4});
  c.fill(from, {1});
  c.output("from_slice", from);
  Sequence p;
  expectError("slice size", [&] { dynamicSlice(g, x, at, {1}, {6}, p); });
  expectError("offset", [&] { dynamicSlice(g, x, two, {1}, {1}, p); });
  expectError("update", [&] { dynamicUpdate(g, x, block, at, {0}, {2}, p); });
  c.run();
}

static void multipleSlices() {
  Case c("multi");
  Graph& g = c.graph;
  addCodelets(g);
  const SlicePlan plan = embedding::plan(g, FLOAT, 10, 33, {5}, {});
  const std::vector<SlicePlan> plans = embedding::planMultiple(
      {{g, FLOAT, 10, 33, {5}, {}}, {g, HALF, std::size_t{3}, 10, 33, {5, 6}, {}}});
  if (plans.size() != 2 || plans[0] != plan || plans[0] == plans[1] ||
      plans[1] != embedding::plan(g, HALF, 3, 10, 33, {5, 6}, {}))
    std::abort();
  const Tensor x = createSliceableTensor(g, FLOAT, {10, 33}, {0}, {1}, plan, {});
  c.fill(x, numbers(330, -1, 1));
  c.show("x", x);
  const Tensor at = c.input("at", UNSIGNED_INT, {6, 1}, {3, 0, 9, 3, 77, 5});
  const Tensor s = c.input("s", FLOAT, {6, 1, 33}, numbers(198, 1, 2));
  const Tensor scale = c.input("scale", FLOAT, {}, {0.5});
  c.output("slices", multiSlice(g, x, at, {0}, {1}, c.prog, plan, {}));
  c.output("constant", multiSlice(g, x, {2, 2, 8}, 1, c.prog));
  const Tensor ints = c.input("ints", INT, {4, 4}, numbers(16, -9, 9, true));
  const Tensor two = c.input("two", UNSIGNED_INT, {2, 1}, {3, 3});
  const Tensor values = c.input("values", INT, {2, 1, 4}, numbers(8, -9, 9, true, 4));
  multiUpdateMax(g, ints, values, two, {0}, {1}, c.prog, plan, {});
  c.output("ints_after", ints);
  multiUpdateAdd(g, x, s, at, scale, {0}, {1}, c.prog, plan, {});
  c.output("added", x);
  const Tensor y = c.input("y", FLOAT, {10, 33}, {0});
  multiUpdate(g, y, s, at, {0}, {1}, c.prog, plan, {});
  c.output("y_after", y);
  Sequence p;
  expectError("many dims", [&] { multiUpdateMax(g, x, s, two, {0}, {2}, p, plan, {}); });
  expectError("columns", [&] { multiSlice(g, x, at, {0, 1}, {1, 1}, p, plan, {}); });
  c.run();
}

static void groupsOfSlices() {
  Case c("groups");
  Graph& g = c.graph;
  addCodelets(g);
  const SlicePlan plan;
  const Tensor t = createGroupedSliceableTensor(g, HALF, 2, {5, 7}, {0}, {1}, plan, {});
  c.fill(t, numbers(70, -1, 1));
  c.show("t", t);
  const Tensor at = createGroupedIndicesTensor(g, 2, {0}, 3, plan, {});
  c.fill(at, {1, 4, 0, 2, 9, 2});
  c.show("at", at);
  c.output("slices", groupedMultiSlice(g, t, at, {0}, {1}, c.prog, plan, {}));
  const Tensor s = createGroupedSliceTensor(g, HALF, 2, {5, 7}, {0}, {1}, 3, plan, {});
  c.fill(s, numbers(42, 1, 2));
  c.show("s", s);
  const Tensor one = c.input("one", HALF, {}, {1});
  groupedMultiUpdateAdd(g, t, s, at, one, {0}, {1}, c.prog, plan, {});
  c.output("added", poputil::duplicate(g, t, c.prog));
  groupedMultiUpdateMul(g, t, s, at, {0}, {1}, c.prog, plan, {});
  c.output("multiplied", poputil::duplicate(g, t, c.prog));
  groupedMultiUpdate(g, t, s, at, {0}, {1}, c.prog, plan, {});
  c.output("written", t);

  // Halves of one word on a tile in two pieces: tile 0 has columns 0 and 2, tile 1 the others.
  const Tensor odd = g.addVariable(HALF, {4, 5}, "odd");
  g.setTileMapping(odd, 1);
  for (const std::size_t column : {0, 2}) g.setTileMapping(odd.slice(column, column + 1, 1), 0);
  c.fill(odd, numbers(20, -1, 1));
  c.show("odd", odd);
  const Tensor rows = c.input("rows", UNSIGNED_INT, {2, 1}, {3, 1});
  c.output("odd_slices", multiSlice(g, odd, rows, {0}, {1}, c.prog, plan, {}));
  const Tensor places = c.input("places", UNSIGNED_INT, {2, 2}, {1, 2, 0, 3});
  c.output("blocks", multiSlice(g, odd, places, {0, 1}, {2, 2}, c.prog, plan, {}));
  const Tensor block = c.input("block", HALF, {2, 2, 2}, numbers(8, 5, 6));
  multiUpdate(g, odd, block, places, {0, 1}, {2, 2}, c.prog, plan, {});
  c.output("odd_after", odd);
  c.run();
}

static void loops() {
  Case c("loops");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor sum = c.input("sum", UNSIGNED_INT, {1}, {0});
  const Tensor runs = c.input("runs", INT, {1}, {0});
  c.prog.add(countedLoop(g, 3, 12, 4, [&](const Tensor& i) {
    Sequence body;
    addInPlace(g, sum, i, body);
    return body;
  }));
  const Tensor limit = c.input("limit", INT, {1}, {-11});
  const Tensor count = c.input("count", INT, {1}, {99});
  Sequence body;
  addInPlace(g, runs, count, body);
  c.prog.add(countedForLoop(g, count, -3, limit, -2, body));
  c.output("sum_after", sum);
  c.output("runs_after", runs);

  CircBuf buffer(g, FLOAT, 3, {2, 5});
  const Tensor x = c.input("x", FLOAT, {2, 5}, numbers(10, -1, 1));
  Sequence step;
  buffer.add(x, step);
  addInPlace(g, x, 1.0f, step);
  c.prog.add(Repeat(5, step));
  c.output("newest", buffer.prev(0, c.prog));
  c.output("oldest", buffer.prev(2, c.prog));
  c.output("index", buffer.getIndex());
  Sequence p;
  expectError("step", [&] { countedLoop(g, 0, 1, 0, [](const Tensor&) { return Sequence(); }); });
  expectError("age", [&] { buffer.prev(3, p); });
  c.run();
}

static void order() {
  Case c("order");
  Graph& g = c.graph;
  addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {3, 4, 37}, numbers(444, -1, 1));
  const Tensor i = c.input("i", INT, {5, 6}, numbers(30, 0, 4, true));
  const TopKParams largest(5, true, SortOrder::DESCENDING);
  const auto top = topKWithPermutation(g, c.prog, x, largest);
  c.output("values", top.first);
  c.output("indices", top.second);
  c.output("smallest", topK(g, c.prog, x, TopKParams(2, false, SortOrder::DESCENDING)));
  const auto pairs = topKKeyValue(g, c.prog, i, i, TopKParams(3, true, SortOrder::ASCENDING));
  c.output("pairs", pairs.second);
  c.output("sorted", sort(g, x, 1, c.prog));
  const Tensor places = c.input("places", HALF, {5, 6}, {0, 1, 2, 3, 4, 5});
  c.output("stable", sortKeyValue(g, i, places, 1, c.prog));
  sortInPlace(g, i, 0, c.prog);
  c.output("i_after", i);
  Sequence p;
  expectError("k", [&] { topK(g, p, i, TopKParams(7, true, SortOrder::NONE)); });
  c.run();
}

// The order in which poplibs slices: first what leaves the least of a dimension.
static void sliceOrder() {
  const Device device = modelDevice(4);
  Graph g(device);
  popops::addCodelets(g);
  const Tensor t = g.addVariable(FLOAT, {10, 5, 4}, VariableMappingMethod::LINEAR);
  const Tensor offset = g.addVariable(UNSIGNED_INT, {3}, VariableMappingMethod::LINEAR);
  const Tensor s = g.addVariable(FLOAT, {9, 2, 3}, VariableMappingMethod::LINEAR);
  Sequence prog;
  popops::dynamicSlice(g, t, offset, {2, 0, 1}, {3, 9, 2}, prog, "a");
  popops::dynamicUpdate(g, t, s, offset, {2, 0, 1}, {3, 9, 2}, prog, "b");
  std::stringstream text;
  g.outputComputeGraph(text, {prog});
  std::size_t at = 0;
  for (const char* name :
       {"a/dynamicSlice_d1/slice", "a/dynamicSlice_d2/slice", "a/dynamicSlice_d0/slice",
        "b/dynamicUpdateS_d1/slice", "b/dynamicUpdateS_d2/slice", "b/dynamicUpdateU_d0",
        "b/dynamicUpdateU_d2", "b/dynamicUpdateU_d1"}) {
    at = text.str().find(name, at);
    CHECK(at != std::string::npos);
  }
}

// What options say of offsets beyond the end, 20.
static void beyondTheEnd() {
  const OptionFlags remap{{"remapOutOfBoundIndices", "true"}},
      padding{{"paddingIndexUsed", "true"}};
  Case c("beyond");
  popops::addCodelets(c.graph);
  const Tensor t = c.input("t", FLOAT, {20, 3}, numbers(60, 1, 2));
  const Tensor at = c.input("at", UNSIGNED_INT, {4, 1}, {8, 20, 1, 22});
  const Tensor s = c.input("s", FLOAT, {4, 1, 3}, numbers(12, 1, 2, false, 3));
  c.output("zeros", popops::multiSlice(c.graph, t, at, {0}, {1}, c.prog, {}, {}));
  c.output("remap", popops::multiSlice(c.graph, t, at, {0}, {1}, c.prog, {}, remap));
  c.output("static", popops::multiSlice(c.graph, t, {8, 20, 1, 22}, 0, c.prog, {}, remap));
  c.output("padding", popops::multiSlice(c.graph, t, {8, 20}, 0, c.prog, {}, padding));
  c.output("one", popops::dynamicSlice(c.graph, t, at[3], {0}, {2}, c.prog));
  c.output("none", popops::dynamicSlice(c.graph, t, at[1], {0}, {2}, c.prog, {}, padding));
  const Tensor copy = c.graph.clone(t);
  c.prog.add(Copy(t, copy));
  popops::multiUpdate(c.graph, copy, s, at, {0}, {1}, c.prog, {}, remap);
  c.output("updated", copy);
  const Tensor h = c.input("h", HALF, {20, 3}, numbers(60, -2, 2));
  const Tensor more = c.input("more", HALF, {2, 1, 3}, numbers(6, -2, 2, false, 5));
  const Tensor scale = c.input("scale", FLOAT, {}, {0.1});
  popops::multiUpdateAdd(c.graph, h, more, {3, 7}, scale, 0, c.prog);
  c.output("scaled", h);
  c.run();
  expectError("static", [&] { popops::multiSlice(c.graph, t, {8, 20}, 0, c.prog, {}); });
}

static bool ends(unsigned offset, const OptionFlags& options, bool update) {
  const Device device = modelDevice(4);
  Graph g(device);
  popops::addCodelets(g);
  const Tensor t = g.addVariable(FLOAT, {20, 3}, VariableMappingMethod::LINEAR);
  const Tensor at = g.addVariable(UNSIGNED_INT, {2, 1}, VariableMappingMethod::LINEAR);
  g.setInitialValue(at, ArrayRef<unsigned>({1, offset}));
  Sequence prog;
  const Tensor s =
      popops::multiSlice(g, t, at, {0}, {1}, prog, {}, update ? OptionFlags() : options);
  const Tensor one = g.addConstant(FLOAT, {}, 1.0f);
  g.setTileMapping(one, 0);
  if (update) popops::multiUpdateAdd(g, t, s, at, one, {0}, {1}, prog, {}, options);
  Engine engine(g, prog);
  engine.load(device);
  try {
    engine.run();
  } catch (const application_runtime_error&) {
    return true;
  }
  return false;
}

static void validated() {
  OptionFlags options{{"validateIndices", "true"}};
  for (const bool update : {false, true}) {
    CHECK(!ends(19, options, update) && ends(20, options, update) && ends(~0u, options, update));
    CHECK(!ends(20, {}, update));
  }
  options.set("paddingIndexUsed", "true");
  CHECK(!ends(20, options, false) && ends(21, options, false));
  options.set("remapOutOfBoundIndices", "true");
  CHECK(!ends(21, options, false));
}

int main() {
  beyondTheEnd();
  validated();
  sliceOrder();
  dynamicSlices();
  multipleSlices();
  groupsOfSlices();
  loops();
  order();
}
