#include <cstdlib>
#include <popops/ElementWise.hpp>
#include <popops/codelets.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/GraphFunction.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/Util.hpp>
#include <poputil/VarStructure.hpp>
#include <poputil/VertexTemplates.hpp>

#include "harness.hpp"

using namespace poputil;

enum class Colour { RED, BLUE };

namespace poputil {
template <>
struct VertexTemplateToString<Colour> {
  static std::string to_string(const Colour& c) { return c == Colour::RED ? "Colour::RED" : "?"; }
};
}  // namespace poputil

static std::size_t onTile(const std::vector<std::vector<Interval>>& mapping, unsigned tile) {
  return intervalSequenceNumElements({mapping[tile]});
}

static void mapping() {
  Case c("mapping");
  Graph& g = c.graph;
  const Tensor t = g.addVariable(FLOAT, {10, 100});
  const auto even = calcLinearTileMapping(g, {1000}, 1, 1);
  for (unsigned tile = 0; tile < 8; ++tile) CHECK(onTile(even, tile) == 125);
  const auto offset = calcLinearTileMapping(g, {30}, 10, 2, 7);
  CHECK(onTile(offset, 7) == 10 && onTile(offset, 0) == 10 && onTile(offset, 1) == 10);
  CHECK(offset[7][0].begin() == 0 && offset[0][0].begin() == 10);
  const auto down = calcLinearTileMapping(g, {30}, 10, 2, 1, false);
  CHECK(down[6][0].begin() == 0 && down[5][0].begin() == 10);
  CHECK(calcLinearTileMappingAndNewOffset(g, t.slice(0, 1), 7).second == 3);
  for (unsigned tile = 0; tile < 8; ++tile) {
    CHECK(invTransformTileIndex(transformTileIndex(tile, 8, 3, false), 8, 3, false) == tile);
  }
  mapTensorLinearlyWithOffset(g, t, 100, 100, 2);
  CHECK(g.getTileMapping(t[0])[2].size() == 1);
  CHECK(dimIsSplitOverTiles(g, t, 0) && !dimIsSplitOverTiles(g, t.slice(0, 2), 1));
  CHECK(getTileImbalance(g, t) == 200 - 125);
  const Tensor operand = createBroadcastOperand(g, t, HALF, 1);
  CHECK(operand.numElements() == 100 && operand.elementType() == HALF);
  expectError("grain", [&] { calcLinearTileMapping(g, {3}, 1, 0); });
}

static void regions() {
  using I = Interval;
  std::vector<I> merged = {I(5, 9), I(0, 2), I(9, 11), I(2, 2)};
  mergeAdjacentRegions(merged);
  CHECK((merged == std::vector<I>{I(0, 2), I(5, 11)}));
  CHECK((flattenIntervals({{I(0, 1)}, {I(4, 5)}}) == std::vector<I>{I(0, 1), I(4, 5)}));

  // Every element once, in order, in whole grains, and within the limits.
  for (unsigned grain : {1u, 2u, 4u}) {
    for (unsigned parts : {1u, 3u, 6u, 50u}) {
      const auto split = splitRegions({I(0, 8), I(12, 44), I(100, 104)}, grain, parts, 8, 24, 16);
      CHECK(split.size() <= std::max(parts, (44 + 23) / 24u));
      std::vector<I> all = flattenIntervals(split);
      std::size_t before = 0;
      for (const I& r : all) {
        CHECK(r.begin() >= before && r.size() <= 16);
        before = r.end();
      }
      mergeAdjacentRegions(all);
      CHECK((all == std::vector<I>{I(0, 8), I(12, 44), I(100, 104)}));
      for (std::size_t i = 0; i + 1 < split.size(); ++i) {
        const std::size_t n = intervalSequenceNumElements({split[i]});
        CHECK(n % grain == 0 && n >= 8 && n <= 24);
      }
    }
  }
  const Target target = Target::createIPUTarget(1, "ipu2");
  CHECK(splitRegionsBetweenWorkers(target, {I(0, 600)}, 1).size() == 6);
  CHECK(splitRegionsBetweenWorkers(target, {{I(0, 3), I(9, 12)}, {I(20, 26)}}, 2).size() == 6);
  expectError("grains", [] { splitRegions({Interval(0, 4)}, 0, 1); });
}

static void helpers() {
  CHECK(templateVertex("a::B") == "a::B");
  CHECK(templateVertex("a::B", FLOAT, 4, true, "x::Y", std::string("z"), Colour::RED) ==
        "a::B<float,4,true,x::Y,z,Colour::RED>");
  const std::vector<std::size_t> shape = {3, 4, 5};
  CHECK((unflattenIndex(shape, 37) == std::vector<std::size_t>{1, 3, 2}));
  CHECK(flattenIndex(shape, {1, 3, 2}) == 37);
  CHECK((balancedPartition(11, 4) == std::vector<int>{3, 3, 3, 2}));
  CHECK((balancedPartition(9, 3) == std::vector<int>{3, 3, 3}));
  const Target target = Target::createIPUTarget(1, "ipu2");
  CHECK(castToDeviceHalfValue(target, 1e6) > 1e30);
  CHECK(checkAccuracyWhenCast(target, 0.5, FLOAT, HALF, 0));
  CHECK(!checkAccuracyWhenCast(target, 0.1, FLOAT, HALF, 1e-6));
  const int one = 1;
  PoplibsOpDebugInfo info("outer", DI_ARGS(shape, one));
  CHECK(DebugContext(info, "inner").getPathName() == "outer/inner");

  bool flag = false;
  int number = 0;
  std::vector<unsigned> list;
  const poplibs::OptionSpec spec{{"flag", poplibs::OptionHandler::createWithBool(flag)},
                                 {"number", poplibs::OptionHandler::createWithInteger(number)},
                                 {"list", poplibs::OptionHandler::createWithList(list)}};
  spec.parse("flag", "true");
  spec.parse("number", "0x1f");
  spec.parse("list", "1,2,0x10");
  spec.parse("other", "1", true);
  CHECK(flag && number == 31 && (list == std::vector<unsigned>{1, 2, 16}));
  try {
    spec.parse("flag", "maybe");
    CHECK(false);
  } catch (const invalid_option& e) {
    CHECK(std::string(e.what()) ==
          "Invalid value 'maybe' for option 'flag': Not one of the values: ['false', 'true']");
  }
}

static void functions() {
  Case c("functions");
  Graph& g = c.graph;
  popops::addCodelets(g);
  const Tensor x = c.input("x", FLOAT, {3, 8}, numbers(24, -1, 1));
  const Tensor sum = c.input("sum", FLOAT, {8}, {0});
  using namespace graphfn;
  for (bool inlined : {false, true}) {
    VoidFunction accumulate(
        g, {input(x[0]), inout(sum)},
        [&](std::vector<Tensor>& args, Sequence& prog) {
          popops::addInPlace(g, args[1], args[0], prog);
        },
        inlined);
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<Tensor> args = {x[i], sum};
      accumulate(args, c.prog);
    }
  }
  TensorFunction twice(g, {input(x[0])}, [&](std::vector<Tensor>& args, Sequence& prog) {
    return popops::add(g, args[0], args[0], prog);
  });
  std::vector<Tensor> args = {x[1]};
  c.output("twice", twice(args, c.prog));
  CHECK(args.size() == 1);
  ProgramFunction negate(g, {inout(x[2])}, [&](std::vector<Tensor>& a) {
    Sequence prog;
    popops::negInPlace(g, a[0], prog);
    return prog;
  });
  std::vector<Tensor> last = {x[2]};
  c.prog.add(negate(last));
  c.output("sum_after", sum);
  c.output("x_after", x);
  c.output("copied", duplicate(g, x, c.prog));
  // Rows 2, 2 and 0 of a clone that has row 2 once.
  const Tensor aliased = concat({x.slice(2, 3).broadcast(2, 0), x.slice(0, 1)});
  for (TensorCloneMethod method :
       {TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES,
        TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES,
        TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES, TensorCloneMethod::CREATE_NEW_ORDER}) {
    const Tensor copy = duplicate(g, aliased, c.prog, {}, method);
    CHECK(copy.containsAliases() == (method == TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES ||
                                     toString(method).compare(0, 6, "GATHER") == 0));
    c.output(toString(method), copy);
    c.output("to ipu " + toString(method), copyToIpu(g, aliased, c.prog, 0, {}, method));
  }
  c.output("factored", factorDims(x, {3, 2}));
  c.output("unfactored", unfactorDims(factorDims(x, {3, 2}), 2));
  expectError("arguments", [&] {
    std::vector<Tensor> none;
    VoidFunction(g, {input(x)}, [](std::vector<Tensor>&, Sequence&) {})(none, c.prog);
  });
  expectError("factors", [&] { factorDims(x, {2}); });
  c.run();
}

static void structure() {
  Case c("structure", 4);
  Graph& g = c.graph;
  // {4, 6} stored as blocks of 2 rows by 3 columns, a block to a tile.
  const Tensor t = createPartitionableTensor(g, FLOAT, {4, 6}, {2, 2});
  unsigned tile = 0;
  std::vector<Tensor> parts;
  iterateTensorPartitions(t, {2, 2}, [&](const std::vector<std::size_t>& i, const Tensor& part) {
    g.setTileMapping(part, tile++);
    if (!part.flatten().isContiguous() || i.size() != 2) std::abort();
    parts.push_back(part);
  });
  c.fill(t, numbers(24, 0, 99, true));
  c.show("t", t);
  for (unsigned i = 0; i < parts.size(); ++i) c.output("part" + std::to_string(i), parts[i]);
  std::vector<double> found = {double(detectInnermostGrouping(g, t))};
  for (const GroupingInfo& info : detectDimGroupings(g, t)) {
    found.push_back(info.first);
    found.push_back(info.second);
  }
  c.input("groupings", INT, {found.size()}, found);
  const Tensor ragged = createPartitionableTensor(g, FLOAT, {5, 2}, {4, 1});
  std::vector<double> sizes;
  iterateTensorPartitions(ragged, {4, 1}, [&](const std::vector<std::size_t>&, const Tensor& s) {
    sizes.push_back(static_cast<double>(s.dim(0)));
  });
  c.input("sizes", INT, {sizes.size()}, sizes);
  expectError("partitions", [&] { createPartitionableTensor(g, FLOAT, {4, 6}, {2}); });
  expectError("scalar", [&] { detectInnermostGrouping(g, t[0][0]); });
  c.run();
}

static void places() {
  IPUModel model;
  model.numIPUs = 2;
  model.tilesPerIPU = 4;
  Graph g(model.createDevice());
  const Tensor t = g.addVariable(INT, {6}, "t");
  g.setTileMapping(t.slice(0, 2), 1);
  g.setTileMapping(t.slice(2, 6), 3);
  Sequence prog;
  Tensor source, destination;
  Graph upper = g.createVirtualGraph(2, 8), small = g.createVirtualGraph(0, 3);
  const std::vector<Tensor> tensors = {cloneToIpu(g, t, 1), copyToIpu(g, t, prog, 1),
                                       createIpuCopy(g, t, 1, source, destination),
                                       cloneToGraph(g, upper, t)};
  if (source != t || destination != tensors[2]) std::abort();
  Case c("places");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    std::vector<double> tiles(6);
    const auto mapping = g.getTileMapping(tensors[i]);
    for (unsigned tile = 0; tile < mapping.size(); ++tile) {
      for (const Interval& r : mapping[tile]) {
        for (std::size_t e = r.begin(); e < r.end(); ++e) tiles[e] = tile;
      }
    }
    c.input(std::to_string(i), INT, {6}, tiles);
  }
  expectError("ipu", [&] { cloneToIpu(g, t, 2); });
  expectError("tile", [&] { cloneToGraph(g, small, t); });
  c.run();
}

int main() {
  mapping();
  regions();
  helpers();
  functions();
  structure();
  places();
}
