#include <popsparse/codelets.hpp>
#include <popsparse/experimental/BlockSparse.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>
#include <string>

#include "pattern.hpp"

namespace popsparse {
namespace experimental {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;

namespace {

Pattern patternOf(const Tensor& t, const std::array<int, 2>& dim, const std::array<int, 2>& block,
                  const std::vector<unsigned char>& sparsity, unsigned groups,
                  const char* operation) {
  for (int i = 0; i < 2; ++i) {
    checkBlocks(dim[static_cast<std::size_t>(i)], block[static_cast<std::size_t>(i)], i, operation);
  }
  const Pattern p = {static_cast<std::size_t>(dim[0] / block[0]),
                     static_cast<std::size_t>(dim[1] / block[1]),
                     {{static_cast<unsigned>(block[0]), static_cast<unsigned>(block[1])}},
                     groups,
                     sparsity};
  if (sparsity.size() != groups * p.rows * p.columns) {
    throw poplibs_error(std::string(operation) + ": sparsity: expected " + std::to_string(groups) +
                        " groups of " + std::to_string(p.rows) + " x " + std::to_string(p.columns) +
                        " blocks, got " + std::to_string(sparsity.size()));
  }
  if (t.shape() != std::vector<std::size_t>{p.blocks(), p.area()} ||
      (t.elementType() != FLOAT && t.elementType() != HALF)) {
    throw poplibs_error(std::string(operation) + ": expected a tensor of float or half of " +
                        std::to_string(p.blocks()) + " x " + std::to_string(p.area()) + ", got " +
                        t.shapeToString() + " of " + t.elementType().toString());
  }
  return p;
}

// Calls each(first block, last block, tile) for the rows of blocks that are not empty.
template <class Each>
void forRows(const Graph& graph, const Pattern& p, const Each& each) {
  std::size_t first = 0;
  for (std::size_t row = 0; row < p.rows * p.groups; ++row) {
    std::size_t last = first;
    for (std::size_t c = 0; c < p.columns; ++c) last += p.mask[row * p.columns + c] != 0;
    if (last != first) {
      each(first, last, static_cast<unsigned>(row % graph.getTarget().getNumTiles()));
    }
    first = last;
  }
}

// Writes the softmax of each row to `out`, which may be the input.
void addSoftmax(Graph& graph, const Tensor& in, const Tensor& out, const Pattern& p,
                SubBlockMask masked, Sequence& prog, const char* operation,
                const DebugContext& debugContext) {
  const DebugContext dc(debugContext, operation);
  const std::vector<int> offsets = diagonals(p, masked, operation);
  addCodelets(graph);
  const Tensor result = graph.addVariable(in.elementType(), in.shape(), {dc, "out"});
  const ComputeSet cs = graph.addComputeSet(dc);
  forRows(graph, p, [&](std::size_t first, std::size_t last, unsigned tile) {
    const Tensor block = result.slice(first, last);
    graph.setTileMapping(block, tile);
    const VertexRef v =
        graph.addVertex(cs, poputil::templateVertex("popsparse::BlockSoftmax", in.elementType()),
                        {{"in", in.slice(first, last).flatten()}, {"out", block.flatten()}});
    const std::vector<int> own(offsets.begin() + static_cast<std::ptrdiff_t>(first),
                               offsets.begin() + static_cast<std::ptrdiff_t>(last));
    graph.setInitialValue(v["offsets"], ArrayRef<int>(own));
    graph.setInitialValue(v["high"], p.block[0]);
    graph.setInitialValue(v["wide"], p.block[1]);
    graph.setInitialValue(v["masked"], static_cast<unsigned>(masked));
    graph.setTileMapping(v, tile);
  });
  prog.add(Execute(cs, dc));
  prog.add(Copy(result, out, false, dc));
}

}  // namespace

Tensor bsSoftmax(Graph& graph, Tensor sparseTensor, const std::array<int, 2>& dim,
                 const std::array<int, 2>& blockSize, const std::vector<unsigned char>& sparsity,
                 SubBlockMask subBlockMaskType, unsigned numGroups, Sequence& prog,
                 const DebugContext& debugContext) {
  const char* const operation = "bsSoftmax";
  const Pattern p = patternOf(sparseTensor, dim, blockSize, sparsity, numGroups, operation);
  const Tensor out = graph.addVariable(sparseTensor.elementType(), sparseTensor.shape(),
                                       {debugContext, operation});
  poputil::mapTensorLinearly(graph, out);
  addSoftmax(graph, sparseTensor, out, p, subBlockMaskType, prog, operation, debugContext);
  return out;
}

void bsSoftmaxInPlace(Graph& graph, Tensor sparseTensor, const std::array<int, 2>& dim,
                      const std::array<int, 2>& blockSize,
                      const std::vector<unsigned char>& sparsity, SubBlockMask subBlockMaskType,
                      unsigned numGroups, Sequence& prog, const DebugContext& debugContext) {
  const char* const operation = "bsSoftmaxInPlace";
  const Pattern p = patternOf(sparseTensor, dim, blockSize, sparsity, numGroups, operation);
  addSoftmax(graph, sparseTensor, sparseTensor, p, subBlockMaskType, prog, operation, debugContext);
}

Tensor bsSoftmaxGrad(Graph& graph, Tensor sparseOut, Tensor sparseOutGrad,
                     const std::array<int, 2>& dim, const std::array<int, 2>& blockSize,
                     const std::vector<unsigned char>& sparsity, Sequence& prog,
                     const DebugContext& debugContext) {
  const char* const operation = "bsSoftmaxGrad";
  const Type type = sparseOut.elementType();
  const Pattern p = patternOf(sparseOut, dim, blockSize, sparsity, 1, operation);
  if (sparseOutGrad.shape() != sparseOut.shape() || sparseOutGrad.elementType() != type) {
    throw poplibs_error("bsSoftmaxGrad: sparseOutGrad: expected " + sparseOut.shapeToString() +
                        " of " + type.toString() + ", got " + sparseOutGrad.shapeToString() +
                        " of " + sparseOutGrad.elementType().toString());
  }
  addCodelets(graph);
  const DebugContext dc(debugContext, operation);
  const Tensor out = graph.addVariable(type, sparseOut.shape(), {dc, "out"});
  const ComputeSet cs = graph.addComputeSet(dc);
  forRows(graph, p, [&](std::size_t first, std::size_t last, unsigned tile) {
    const Tensor block = out.slice(first, last);
    graph.setTileMapping(block, tile);
    const VertexRef v =
        graph.addVertex(cs, poputil::templateVertex("popsparse::BlockSoftmaxGrad", type),
                        {{"probabilities", sparseOut.slice(first, last).flatten()},
                         {"gradient", sparseOutGrad.slice(first, last).flatten()},
                         {"out", block.flatten()}});
    graph.setInitialValue(v["high"], p.block[0]);
    graph.setInitialValue(v["wide"], p.block[1]);
    graph.setTileMapping(v, tile);
  });
  prog.add(Execute(cs, dc));
  return out;
}

}  // namespace experimental
}  // namespace popsparse
