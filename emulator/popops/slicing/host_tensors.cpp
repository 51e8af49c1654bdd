// Tensors for copies with the host.
#include <algorithm>
#include <array>
#include <poplar/emulator/Sizes.hpp>
#include <popops/HostSliceTensor.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

using namespace poplar;
using Shape = std::vector<std::size_t>;

namespace {

constexpr std::size_t kPacketBytes = 1024;

// Tiles in the order in which they get one packet more than others: those of different exchange
// contexts, of which there are 32, after one another, the nearest to the west edge first.
std::vector<unsigned> byContext(const Graph& graph, std::size_t tiles) {
  constexpr unsigned kContexts = 32;
  std::array<std::vector<unsigned>, kContexts> contexts;  // by their distance
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const unsigned physical = graph.convertVirtualTileToPhysicalTile(tile);
    const unsigned context = 2 * (physical % 64 / 4) + physical % 2;
    contexts[context < 16 ? 2 * context : 2 * (31 - context) + 1].push_back(tile);
  }
  for (unsigned distance = 0; distance < kContexts; ++distance) {
    // In odd contexts the larger tiles are nearer to the spine.
    const unsigned context = distance % 2 == 0 ? distance / 2 : 31 - distance / 2;
    if (context % 2 == 1) std::reverse(contexts[distance].begin(), contexts[distance].end());
  }
  std::vector<unsigned> out;
  for (std::size_t i = 0; out.size() < tiles; ++i) {
    for (const auto& context : contexts) {
      if (i < context.size()) out.push_back(context[i]);
    }
  }
  return out;
}

// The tile of each packet: all have as many, or one more.
std::vector<unsigned> tilesOfPackets(const Graph& graph, std::size_t packets, std::size_t first) {
  const std::size_t tiles = graph.getTarget().getNumTiles();
  std::vector<std::size_t> counts(tiles, packets / tiles);
  const std::vector<unsigned> order = byContext(graph, tiles);
  for (std::size_t i = 0; i < packets % tiles; ++i) ++counts[(first + order[i]) % tiles];
  std::vector<unsigned> out;
  for (unsigned tile = 0; tile < tiles; ++tile) out.insert(out.end(), counts[tile], tile);
  return out;
}

}  // namespace

IndicesAndTensor createHostSliceableTensor(Graph& graph, const Type& type, const Shape& shape,
                                           const bool, const std::size_t offset,
                                           const DebugContext& debugContext) {
  if (shape.size() != 2) {
    throw poputil::poplibs_error(
        "createHostSliceableTensor: expected a shape of rank 2, got rank " +
        std::to_string(shape.size()));
  }
  const Target& target = graph.getTarget();
  if (target.getNumIPUs() != 1) {
    throw poputil::poplibs_error("createHostSliceableTensor: expected a graph of one IPU, got " +
                                 std::to_string(target.getNumIPUs()));
  }
  IndicesAndTensor out;
  out.tensor = graph.addVariable(type, shape, {debugContext, "HostSliceAble"});
  out.indices = graph.addVariable(UNSIGNED_INT, {shape[0]}, {debugContext, "HostSliceIndices"});
  const std::size_t packet = kPacketBytes / target.getTypeSize(type);
  const std::size_t each = (shape[1] + packet - 1) / packet, packets = shape[0] * each;
  const std::size_t first = (offset + kPacketBytes - 1) / kPacketBytes;
  const std::vector<unsigned> tile_of =
      tilesOfPackets(graph, packets, first % target.getNumTiles());
  for (std::size_t row = 0; row < shape[0]; ++row) {
    graph.setTileMapping(out.indices[row], each == 0 ? 0 : tile_of[row * each]);
    for (std::size_t p = 0; p < each; ++p) {
      const std::size_t end = std::min((p + 1) * packet, shape[1]);
      graph.setTileMapping(out.tensor[row].slice(p * packet, end), tile_of[row * each + p]);
    }
  }
  return out;
}

IndicesAndTensor createHostSliceableTensor(Graph& graph, const Type& type, const Shape& shape,
                                           const bool isRead, const DebugContext& debugContext) {
  return createHostSliceableTensor(graph, type, shape, isRead, 0, debugContext);
}

Tensor createHostTransferableTensor(Graph& graph, const Type& type, const Shape& shape, bool isRead,
                                    const std::size_t offset, const DebugContext& debugContext) {
  const std::size_t n = emulator::checkedElements("createHostTransferableTensor", shape);
  return createHostSliceableTensor(graph, type, {1, n}, isRead, offset, debugContext)
      .tensor.reshape(shape);
}

Tensor createHostTransferableTensor(Graph& graph, const Type& type, const Shape& shape, bool isRead,
                                    const DebugContext& debugContext) {
  return createHostTransferableTensor(graph, type, shape, isRead, 0, debugContext);
}

}  // namespace popops
