#include <algorithm>
#include <cstdint>
#include <poplar/emulator/Sizes.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>
#include <tuple>

#include "without_aliases.hpp"

namespace poputil {

using namespace poplar;
using Mapping = std::vector<std::vector<Interval>>;

namespace {

// Below this a tile gains less than the exchange of its partition costs.
constexpr unsigned kMinBytesPerTile = 128;

std::size_t elementsOn(const std::vector<Interval>& regions) {
  std::size_t n = 0;
  for (const Interval& r : regions) n += r.size();
  return n;
}

// The tile that comes `i`-th in an order that begins at `offset` and may descend.
unsigned tileAt(unsigned i, unsigned tiles, unsigned offset, bool ascending) {
  const unsigned at = static_cast<unsigned>((std::size_t{i} + offset) % tiles);
  return ascending ? at : tiles - 1 - at;
}

// A hash with a further value, as Boost's up to 1.80: poplibs' test of chooseMappingOffset expects
// its values.
std::uint64_t combined(std::uint64_t hash, std::uint64_t value) {
  constexpr std::uint64_t kFactor = 0xc6a4a7935bd1e995u;
  value *= kFactor;
  value ^= value >> 47;
  value *= kFactor;
  return (hash ^ value) * kFactor + 0xe6546b64u;
}

// Whether moving along `dimension` crosses from one group of tiles to another.
template <class GroupOf>
bool isSplit(const Graph& graph, const Tensor& t, unsigned dimension, const GroupOf& groupOf) {
  const Tensor front = t.dimRoll(dimension);
  if (front.dim(0) == 0) return false;
  const std::size_t rest = front.numElements() / front.dim(0);
  std::vector<unsigned> group(front.numElements());
  const Mapping mapping = graph.getTileMapping(front);
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const Interval& r : mapping[tile]) {
      std::fill(group.begin() + static_cast<std::ptrdiff_t>(r.begin()),
                group.begin() + static_cast<std::ptrdiff_t>(r.end()), groupOf(tile));
    }
  }
  for (std::size_t i = rest; i < group.size(); ++i) {
    if (group[i] != group[i - rest]) return true;
  }
  return false;
}

}  // namespace

// Descending, both are poplibs' own sum, which is its own inverse and one tile off the order that
// calcLinearTileMapping maps in.
unsigned transformTileIndex(unsigned tile, unsigned numTiles, unsigned offset, bool ascending) {
  const unsigned back = offset % numTiles;
  if (ascending) return (tile % numTiles + numTiles - back) % numTiles;
  return (2 * numTiles - back - tile % numTiles) % numTiles;
}

unsigned invTransformTileIndex(unsigned tile, unsigned numTiles, unsigned offset, bool ascending) {
  if (!ascending) return transformTileIndex(tile, numTiles, offset, false);
  return static_cast<unsigned>((std::size_t{tile} + offset) % numTiles);
}

std::size_t chooseMappingOffset(std::size_t numTiles, const std::vector<std::size_t>& shape,
                                std::size_t seed) {
  if (numTiles == 0) {
    throw poplibs_error("chooseMappingOffset: expected a number of tiles above 0, got 0");
  }
  for (std::size_t d : shape) seed = combined(seed, d);
  return seed % numTiles;
}

std::size_t chooseMappingOffset(std::size_t numTiles, const std::vector<std::size_t>& shape) {
  return chooseMappingOffset(numTiles, shape, 0x9e3779b9u);
}

Mapping calcLinearTileMapping(const Target& target, std::vector<std::size_t> shape,
                              unsigned minElementsPerTile, unsigned grainSize, unsigned offset,
                              bool ascendingOrder) {
  if (grainSize == 0) {
    throw poplibs_error("calcLinearTileMapping: expected a grainSize above 0, got 0");
  }
  const unsigned tiles = target.getNumTiles();
  const std::size_t n = emulator::checkedElements("calcLinearTileMapping", shape);
  const auto roundUp = [&](std::size_t x) { return (x + grainSize - 1) / grainSize * grainSize; };
  const std::size_t even = roundUp((n + tiles - 1) / tiles);
  const std::size_t each = std::max<std::size_t>(even, roundUp(minElementsPerTile));
  Mapping mapping(tiles);
  unsigned tile = 0;
  for (std::size_t begin = 0; begin < n; begin += each, ++tile) {
    mapping[tileAt(tile, tiles, offset, ascendingOrder)].emplace_back(begin,
                                                                      std::min(n, begin + each));
  }
  return mapping;
}

Mapping calcLinearTileMapping(const Graph& graph, std::vector<std::size_t> shape,
                              unsigned minElementsPerTile, unsigned grainSize, unsigned offset,
                              bool ascendingOrder) {
  return calcLinearTileMapping(graph.getTarget(), std::move(shape), minElementsPerTile, grainSize,
                               offset, ascendingOrder);
}

Mapping calcLinearTileMapping(const Target& target, const std::vector<std::size_t> shape,
                              Type elementType, unsigned offset, bool ascendingOrder) {
  const unsigned bytes = target.getTypeSize(elementType);
  return calcLinearTileMapping(target, shape, kMinBytesPerTile / bytes,
                               target.getVectorWidth(elementType), offset, ascendingOrder);
}

Mapping calcLinearTileMapping(const Graph& graph, const Tensor& t, unsigned offset,
                              bool ascendingOrder) {
  return calcLinearTileMapping(graph.getTarget(), t.shape(), t.elementType(), offset,
                               ascendingOrder);
}

std::pair<Graph::TileToTensorMapping, unsigned> calcLinearTileMappingAndNewOffset(
    const Graph& graph, const Tensor& t, unsigned offset) {
  Mapping mapping = calcLinearTileMapping(graph, t, offset);
  const unsigned used = static_cast<unsigned>(
      std::count_if(mapping.begin(), mapping.end(), [](const auto& r) { return !r.empty(); }));
  const unsigned tiles = static_cast<unsigned>(mapping.size());
  return {std::move(mapping), (offset + used) % tiles};
}

void mapTensorLinearly(Graph& graph, const Tensor& t, unsigned minElementsPerTile,
                       unsigned grainSize) {
  mapTensorLinearlyWithOffset(graph, t, minElementsPerTile, grainSize, 0);
}

void mapTensorLinearly(Graph& graph, const Tensor& t) { mapTensorLinearlyWithOffset(graph, t); }

void mapTensorLinearlyWithOffset(Graph& graph, const Tensor& t, unsigned minElementsPerTile,
                                 unsigned grainSize, unsigned offset, bool ascendingOrder) {
  graph.setTileMapping(t, calcLinearTileMapping(graph, t.shape(), minElementsPerTile, grainSize,
                                                offset, ascendingOrder));
}

void mapTensorLinearlyWithOffset(Graph& graph, const Tensor& t, unsigned offset,
                                 bool ascendingOrder) {
  graph.setTileMapping(t, calcLinearTileMapping(graph, t, offset, ascendingOrder));
}

unsigned getTileImbalance(const Graph::TileToTensorMapping& mapping, unsigned minElementsPerTile,
                          unsigned grainSize) {
  if (grainSize == 0 || mapping.empty()) {
    throw poplibs_error("getTileImbalance: expected a grainSize and tiles above 0, got " +
                        std::to_string(grainSize) + " and " + std::to_string(mapping.size()));
  }
  std::size_t most = 0, all = 0;
  for (const auto& regions : mapping) {
    most = std::max(most, elementsOn(regions));
    all += elementsOn(regions);
  }
  const std::size_t even = (all + mapping.size() - 1) / mapping.size();
  const std::size_t expected = std::max<std::size_t>({even, minElementsPerTile, grainSize});
  return static_cast<unsigned>(most > expected ? most - expected : 0);
}

unsigned getTileImbalance(const Graph& graph, const Tensor& t, unsigned minElementsPerTile,
                          unsigned grainSize) {
  return getTileImbalance(graph.getTileMapping(t), minElementsPerTile, grainSize);
}

bool dimIsSplitOverTiles(const Graph& graph, const Tensor& t, unsigned dimension) {
  return isSplit(graph, t, dimension, [](unsigned tile) { return tile; });
}

bool dimIsSplitOverIPUs(const Graph& graph, const Tensor& t, unsigned dimension) {
  const unsigned tiles = graph.getTarget().getTilesPerIPU();
  return isSplit(graph, t, dimension, [=](unsigned tile) { return tile / tiles; });
}

Tensor cloneToIpu(Graph& graph, const Tensor& t, unsigned dstIPU, const DebugContext& debugContext,
                  TensorCloneMethod method) {
  const Target& target = graph.getTarget();
  if (dstIPU >= target.getNumIPUs()) {
    throw poplibs_error("cloneToIpu: expected an IPU below " + std::to_string(target.getNumIPUs()) +
                        ", got " + std::to_string(dstIPU));
  }
  const Tensor out = graph.clone(t, debugContext, method);
  const unsigned tiles = target.getTilesPerIPU();
  const Mapping from = graph.getTileMapping(t);
  Mapping to(from.size());
  for (unsigned tile = 0; tile < from.size(); ++tile) {
    auto& regions = to[dstIPU * tiles + tile % tiles];
    regions.insert(regions.end(), from[tile].begin(), from[tile].end());
  }
  graph.setTileMapping(out, to);
  return out;
}

Tensor copyToIpu(Graph& graph, const Tensor& t, poplar::program::Sequence& prog, unsigned dstIPU,
                 const DebugContext& debugContext, TensorCloneMethod method) {
  Tensor source, destination;
  const Tensor out = createIpuCopy(graph, t, dstIPU, source, destination, debugContext, method);
  prog.add(poplar::program::Copy(source, destination, false, debugContext));
  return out;
}

Tensor createIpuCopy(Graph& graph, const Tensor& t, unsigned dstIpu, Tensor& copySrc,
                     Tensor& copyDst, const DebugContext& debugContext, TensorCloneMethod method) {
  const Tensor out = cloneToIpu(graph, t, dstIpu, debugContext, method);
  std::tie(copySrc, copyDst) = withoutAliases(graph, t, out);
  return out;
}

Tensor cloneToGraph(Graph& srcGraph, Graph& dstGraph, const Tensor& t,
                    const DebugContext& debugContext, TensorCloneMethod method) {
  Mapping mapping = srcGraph.getTileMapping(t);
  const std::size_t tiles = dstGraph.getTarget().getNumTiles();
  while (mapping.size() > tiles && mapping.back().empty()) mapping.pop_back();
  if (mapping.size() > tiles) {
    throw poplibs_error("cloneToGraph: expected a tensor on tiles below " + std::to_string(tiles) +
                        ", got one on tile " + std::to_string(mapping.size() - 1));
  }
  // Not by dstGraph, which may lack the tiles of t.
  const Tensor out = srcGraph.clone(t, debugContext, method);
  dstGraph.setTileMapping(out, mapping);
  return out;
}

Tensor createBroadcastOperand(Graph& graph, const Tensor& fullTensor, const Type& type,
                              unsigned dim, bool ditherMapping, const DebugContext& debugContext) {
  if (dim >= fullTensor.rank()) {
    throw poplibs_error("createBroadcastOperand: expected a dimension below " +
                        std::to_string(fullTensor.rank()) + ", got " + std::to_string(dim));
  }
  const std::size_t n = fullTensor.dim(dim);
  const Tensor out = graph.addVariable(type, {n}, debugContext);
  // An element lies with those of the tensor that it is broadcast to.
  const Tensor last = fullTensor.dimRoll(dim, fullTensor.rank() - 1).flatten();
  const Mapping mapping = graph.getTileMapping(last);
  TensorUseTracker uses(static_cast<unsigned>(mapping.size()));
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const Interval& r : mapping[tile]) {
      const std::size_t begin = r.begin() % n, end = begin + std::min(r.size(), n);
      if (r.size() != 0) uses.add(graph, tile, out.slice(begin, std::min(end, n)));
      if (end > n) uses.add(graph, tile, out.slice(0, end - n));
    }
  }
  if (uses.empty()) {
    mapTensorLinearly(graph, out);
  } else {
    const Target& target = graph.getTarget();
    const unsigned grain = target.getDataPathWidth() / (8 * target.getTypeSize(type));
    uses.mapTensorsByUse(graph, grain, 0, false,
                         TensorUseTracker::MappingMethod::ConstrainMappingToUsedTiles);
  }
  if (!ditherMapping) return out;
  const Mapping own = graph.getTileMapping(out);
  const unsigned tiles = static_cast<unsigned>(own.size());
  const unsigned offset = static_cast<unsigned>(chooseMappingOffset(tiles, fullTensor.shape()));
  Mapping moved(tiles);
  for (unsigned tile = 0; tile < tiles; ++tile)
    moved[tileAt(tile, tiles, offset, true)] = own[tile];
  graph.setTileMapping(out, moved);
  return out;
}

std::pair<Tensor, unsigned> cloneAndExpandAliasing(Graph& graph, const Tensor& t, unsigned offset,
                                                   const DebugContext& debugContext) {
  if (!t.containsAliases()) return {graph.clone(t, debugContext), offset};
  const Tensor out = graph.clone(t, debugContext, TensorCloneMethod::CREATE_NEW_ORDER);
  // Each element once keeps its tile, and its repeats are spread.
  std::vector<std::size_t> first;
  const auto regions =
      graph.getSortedContiguousRegions(t.flatten(), {{0, t.numElements()}}, false, &first);
  std::vector<Interval> repeats;
  std::size_t i = 0;
  for (const auto& list : regions) {
    for (const Interval& r : list) {
      if (r.begin() != first[i++]) repeats.push_back(r);
    }
  }
  const Tensor spread = concat(out.flatten().slices(repeats));
  const auto mapping = calcLinearTileMappingAndNewOffset(graph, spread, offset);
  graph.setTileMapping(spread, mapping.first);
  return {out, mapping.second};
}

}  // namespace poputil
