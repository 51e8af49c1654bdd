// Tensors for copies with the host.
#include <algorithm>
#include <poplar/emulator/Sizes.hpp>
#include <popops/HostSliceTensor.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

using namespace poplar;
using Shape = std::vector<std::size_t>;

namespace {

constexpr std::size_t kPacketBytes = 1024;

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
  const std::size_t tiles = target.getNumTiles();
  const std::size_t first = (offset + kPacketBytes - 1) / kPacketBytes;
  // Packet i goes to tile i * tiles / packets where there are more of them than tiles.
  const auto tileOf = [&](std::size_t i) {
    const std::size_t at = packets <= tiles ? i : i / ((packets + tiles - 1) / tiles);
    return static_cast<unsigned>((first + at) % tiles);
  };
  for (std::size_t row = 0; row < shape[0]; ++row) {
    graph.setTileMapping(out.indices[row], tileOf(row * each));
    for (std::size_t p = 0; p < each; ++p) {
      const std::size_t end = std::min((p + 1) * packet, shape[1]);
      graph.setTileMapping(out.tensor[row].slice(p * packet, end), tileOf(row * each + p));
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
