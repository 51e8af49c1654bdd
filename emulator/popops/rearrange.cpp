#include <popops/Cast.hpp>
#include <popops/Rearrange.hpp>
#include <poputil/exceptions.hpp>

namespace popops {
namespace rearrange {

using namespace poplar;
using namespace poplar::program;
using poputil::GroupingInfo;

bool canUseFastTranspose(const Target&, const Type& type, unsigned numRows, unsigned numColumns,
                         unsigned numTranspositions) {
  constexpr unsigned kMost = 65535;  // of a field of the codelet
  const bool halves = type == HALF || type == SHORT || type == UNSIGNED_SHORT;
  return halves && numTranspositions <= kMost && numRows % 4 == 0 && numColumns % 4 == 0;
}

void addTransposeVertices(
    Graph& graph, const ComputeSet& cs, const Type& dType, unsigned rows, unsigned cols,
    const Graph::TileToTensorMapping& mapping,
    std::function<std::pair<const Tensor, const Tensor>(std::size_t)> getInOut,
    const DebugContext&) {
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const Interval& r : mapping[tile]) {
      for (std::size_t i = r.begin(); i < r.end(); ++i) {
        const std::pair<const Tensor, const Tensor> matrices = getInOut(i);
        const Tensor &in = matrices.first, &out = matrices.second;
        const std::size_t n = std::size_t{rows} * cols;
        if (in.numElements() != n || out.numElements() != n || in.elementType() != dType) {
          throw poputil::poplibs_error("addTransposeVertices: expected " + std::to_string(n) +
                                       " elements of " + dType.toString() + ", got " +
                                       in.shapeToString() + " of " + in.elementType().toString() +
                                       " and " + out.shapeToString());
        }
        const Tensor flat = out.flatten();
        if (graph.getTileMapping(flat, nullptr)[tile].empty()) graph.setTileMapping(flat, tile);
        cast(graph, in.reshape({rows, cols}).transpose().flatten(), flat, cs);
      }
    }
  }
}

Tensor partialTranspose(Graph& graph, const Tensor& in, const ComputeSet& cs,
                        const DebugContext& debugContext) {
  const unsigned rank = in.rank();
  if (rank < 2) {
    throw poputil::poplibs_error("partialTranspose: expected at least two dimensions, got " +
                                 in.shapeToString());
  }
  const std::size_t rows = in.dim(rank - 2), cols = in.dim(rank - 1), n = rows * cols;
  std::vector<std::size_t> shape = in.shape();
  std::swap(shape[rank - 2], shape[rank - 1]);
  const Tensor out = graph.addVariable(in.elementType(), shape, {debugContext, "partialTranspose"});
  if (in.numElements() == 0) return out;
  const Tensor from = in.reshape({in.numElements() / n, n}), to = out.reshape(from.shape());
  addTransposeVertices(graph, cs, in.elementType(), static_cast<unsigned>(rows),
                       static_cast<unsigned>(cols), graph.getTileMapping(from.slice(0, 1, 1)),
                       [&](std::size_t i) { return std::make_pair(from[i], to[i]); });
  return out;
}

unsigned getMinimumRegroupGrainSize(const Type& type) {
  if (type == QUARTER) return 8;
  if (type == HALF || type == SHORT || type == UNSIGNED_SHORT) return 4;
  return type == FLOAT || type == INT || type == UNSIGNED_INT ? 2 : 1;
}

}  // namespace rearrange
}  // namespace popops
