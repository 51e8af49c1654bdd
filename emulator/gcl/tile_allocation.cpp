#include <gcl/TileAllocation.hpp>
#include <numeric>
#include <poputil/exceptions.hpp>

namespace gcl {

unsigned getMinIoTiles(const poplar::Graph&) { return 32; }

std::vector<unsigned> perIPUTiles(const poplar::Graph& graph, unsigned offset, unsigned count, bool,
                                  bool tilePairs) {
  const unsigned tiles = graph.getTarget().getTilesPerIPU();
  if (offset > tiles || count > tiles - offset) {
    throw poputil::poplibs_error("perIPUTiles: expected tiles below " + std::to_string(tiles) +
                                 ", got " + std::to_string(count) + " from " +
                                 std::to_string(offset) + " on");
  }
  if (tilePairs && (offset % 2 != 0 || count % 2 != 0)) {
    throw poputil::poplibs_error("perIPUTiles: expected whole pairs of tiles, got " +
                                 std::to_string(count) + " tiles from " + std::to_string(offset) +
                                 " on");
  }
  std::vector<unsigned> out(count);
  std::iota(out.begin(), out.end(), offset);
  return out;
}

}  // namespace gcl
