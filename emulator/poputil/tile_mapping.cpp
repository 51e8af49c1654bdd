#include <algorithm>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {

using poplar::Graph;
using poplar::Interval;
using poplar::Tensor;

namespace {

// Below this a tile gains less than the exchange of its part costs.
constexpr unsigned kMinBytesPerTile = 128;

}  // namespace

std::vector<std::vector<Interval>> calcLinearTileMapping(const Graph& graph,
                                                         std::vector<std::size_t> shape,
                                                         unsigned minElementsPerTile,
                                                         unsigned grainSize) {
  if (grainSize == 0) {
    throw poplibs_error("calcLinearTileMapping: expected a grainSize above 0, got 0");
  }
  const std::size_t tiles = graph.getTarget().getNumTiles();
  std::size_t n = 1;
  for (std::size_t d : shape) n *= d;
  const auto roundUp = [&](std::size_t x) { return (x + grainSize - 1) / grainSize * grainSize; };
  const std::size_t even = roundUp((n + tiles - 1) / tiles);
  const std::size_t each = std::max<std::size_t>(even, roundUp(minElementsPerTile));
  std::vector<std::vector<Interval>> mapping(tiles);
  for (std::size_t begin = 0, tile = 0; begin < n; begin += each, ++tile) {
    mapping[tile].emplace_back(begin, std::min(n, begin + each));
  }
  return mapping;
}

std::vector<std::vector<Interval>> calcLinearTileMapping(const Graph& graph, const Tensor& t) {
  const poplar::Target& target = graph.getTarget();
  const unsigned bytes = target.getTypeSize(t.elementType());
  return calcLinearTileMapping(graph, t.shape(), kMinBytesPerTile / bytes,
                               target.getVectorWidth(t.elementType()));
}

void mapTensorLinearly(Graph& graph, const Tensor& t, unsigned minElementsPerTile,
                       unsigned grainSize) {
  graph.setTileMapping(t, calcLinearTileMapping(graph, t.shape(), minElementsPerTile, grainSize));
}

void mapTensorLinearly(Graph& graph, const Tensor& t) {
  graph.setTileMapping(t, calcLinearTileMapping(graph, t));
}

}  // namespace poputil
