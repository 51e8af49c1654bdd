// Mappings by use, and orders of tiles.
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>

#include "harness.hpp"

using namespace poputil;
using Method = TensorUseTracker::MappingMethod;

// The tile of each element.
static std::vector<unsigned> tiles(const Graph& g, const Tensor& t) {
  std::vector<unsigned> out(t.numElements(), ~0u);
  const auto mapping = g.getTileMapping(t);
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const Interval& r : mapping[tile]) {
      for (std::size_t i = r.begin(); i < r.end(); ++i) out[i] = tile;
    }
  }
  return out;
}

using Tiles = std::vector<unsigned>;

static void orders() {
  CHECK(transformTileIndex(5, 8, 3, true) == 2 && transformTileIndex(1, 8, 3, true) == 6);
  CHECK(invTransformTileIndex(2, 8, 3, true) == 5);
  CHECK(transformTileIndex(4, 8, 3, false) == 1 && invTransformTileIndex(1, 8, 3, false) == 4);
  CHECK(chooseMappingOffset(7, {3, 4}) < 7);
  // Values of poplibs' TileMappingTest.
  CHECK(chooseMappingOffset(1024, {4, 64}) == 239 && chooseMappingOffset(1024, {256}) == 206);
  CHECK(chooseMappingOffset(1024, {4, 64}, 0x1234) == 2 && chooseMappingOffset(4, {4, 64}) == 3);
  CHECK(chooseMappingOffset(1472, {3, 4}) == chooseMappingOffset(1472, {3, 4}));
  CHECK(chooseMappingOffset(1472, {3, 4}) != chooseMappingOffset(1472, {4, 3}));
  CHECK(chooseMappingOffset(1472, {3, 4}, 1) != chooseMappingOffset(1472, {3, 4}, 2));
  expectError("no tiles", [] { chooseMappingOffset(0, {1}); });
  CHECK(getTileImbalance({{Interval(0, 7)}, {Interval(7, 9)}}) == 2);
  CHECK(getTileImbalance({{Interval(0, 7)}, {Interval(7, 9)}}, 0, 6) == 1);
  CHECK(getTileImbalance({{Interval(0, 10)}, {Interval(10, 18)}, {}, {}}, 0, 4) == 5);
}

static void uses() {
  const Device device = modelDevice(4);
  Graph g(device);
  // Whole grains, each on one of the tiles that use it.
  const Tensor t = g.addVariable(FLOAT, {16});
  TensorUseTracker tracker(4);
  CHECK(tracker.empty());
  tracker.add(g, 1, t.slice(0, 8));
  tracker.add(g, 2, t.slice(0, 8));
  tracker.add(g, 3, t.slice(8, 16).reverse(0));
  CHECK(!tracker.empty());
  tracker.mapTensorsByUse(g, 4, 4);
  CHECK((tiles(g, t) == Tiles{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3}));

  // What no tile uses goes with its neighbours.
  const Tensor gap = g.addVariable(FLOAT, {9});
  TensorUseTracker some(4);
  some.add(g, 0, gap.slice(1, 2));
  some.add(g, 2, gap.slice(4, 6));
  some.mapTensorsByUse(g, 1, 1, true);
  CHECK((tiles(g, gap) == Tiles{0, 0, 0, 0, 2, 2, 2, 2, 2}));

  // A halo goes with the range before it, or is divided.
  for (Method method : {Method::None, Method::OptimizeHaloRegions}) {
    const Tensor halo = g.addVariable(FLOAT, {6});
    TensorUseTracker two(4);
    two.add(g, 0, halo.slice(0, 4));
    two.add(g, 1, halo.slice(2, 6));
    two.mapTensorsByUse(g, 1, 1, false, method);
    const unsigned third = method == Method::None ? 1 : 0;
    CHECK((tiles(g, halo) == Tiles{0, 0, 0, third, 1, 1}));
  }

  // One variable by two trackers, in an order of tiles that descends.
  const Tensor rows = g.addVariable(FLOAT, {2, 4});
  TensorUseTracker both(4, 0, false);
  for (unsigned row = 0; row < 2; ++row) {
    TensorUseTracker part(4);
    part.add(g, row, rows[row]);
    part.add(g, 3, rows[row]);
    part.resolve(g, 2, 2);
    both.add(std::move(part));
  }
  const TensorUseTracker copy = both;
  both.mapTensorsByUse(g, 2, 2);
  CHECK((tiles(g, rows) == Tiles{0, 0, 1, 1, 3, 3, 1, 1}));
  CHECK(!copy.empty());
  expectError("tile", [&] { both.add(g, 4, rows); });
  expectError("trackers", [&] { both.add(TensorUseTracker(3)); });
}

static void operands() {
  const Device device = modelDevice(4);
  Graph g(device);
  const Tensor t = g.addVariable(HALF, {3, 16});
  g.setTileMapping(t.slice(0, 1, 1), 0);
  g.setTileMapping(t.slice(1, 8, 1), 1);
  g.setTileMapping(t.slice(8, 16, 1), 2);
  const Tensor columns = createBroadcastOperand(g, t, HALF, 1);
  CHECK((tiles(g, columns) == Tiles{0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2}));
  const Tensor dithered = createBroadcastOperand(g, t, HALF, 1, true);
  const unsigned offset = static_cast<unsigned>(chooseMappingOffset(4, {3, 16}));
  CHECK(tiles(g, dithered)[0] == offset && tiles(g, dithered)[15] == (2 + offset) % 4);
  expectError("operand", [&] { createBroadcastOperand(g, t, HALF, 2); });

  const Tensor once = g.addVariable(FLOAT, {64});
  g.setTileMapping(once, 3);
  const auto expanded = cloneAndExpandAliasing(g, once.broadcast(2, 0), 1);
  CHECK(!expanded.first.containsAliases() && expanded.first.numElements() == 128);
  Tiles expected(128, 3);
  std::fill(expected.begin() + 64, expected.begin() + 96, 1);
  std::fill(expected.begin() + 96, expected.end(), 2);
  CHECK(tiles(g, expanded.first) == expected && expanded.second == 3);
  CHECK(cloneAndExpandAliasing(g, once, 2).second == 2);
}

int main() {
  orders();
  uses();
  operands();
}
