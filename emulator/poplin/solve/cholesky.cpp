#include <algorithm>
#include <poplar/emulator/Sizes.hpp>
#include <poplin/Cholesky.hpp>
#include <poplin/TriangularSolve.hpp>
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include "blocks.hpp"

namespace poplin {

using namespace poplar;
using namespace poplar::program;
using Shape = std::vector<std::size_t>;

namespace {

constexpr std::size_t kDefaultBlock = 8;

// Matrices of the columns from `begin` on, after a block of columns is factorised.
MatMulParams updateParams(std::size_t groups, std::size_t rows, std::size_t block) {
  return {FLOAT, FLOAT, {groups, rows, block}, {groups, block, rows}};
}

// The lower factor of `a` [groups, n, n] of float: a block of columns after the other.
Tensor factor(Graph& graph, const Tensor& a, const BlockOptions& options, Sequence& prog,
              const DebugContext& dc, PlanningCache* cache) {
  const std::size_t groups = a.dim(0), n = a.dim(1);
  const Tensor zero = graph.addConstant(FLOAT, {1, 1, 1}, 0, {dc, "zero"});
  graph.setTileMapping(zero, 0);
  std::vector<Tensor> columns;
  Tensor rest = a;  // what is not factorised yet
  for (std::size_t begin = 0; begin < n;) {
    const std::size_t size = std::min(options.blockSize, n - begin), left = n - begin - size;
    const std::vector<Tensor> blocks =
        copyBlocks(graph, rest.slice(0, size, 1).slice(0, size, 2), prog, {dc, "diagonal"});
    factorise(graph, "poplin::CholeskyBlock", blocks, size, prog, dc);
    std::vector<Tensor> diagonal;
    for (const Tensor& t : blocks) diagonal.push_back(t.reshape({1, size, size}));
    Tensor column = concat(diagonal);
    if (left != 0) {
      // The rows below are X of X L^T = A.
      const Tensor below = rest.slice(size, size + left, 1).slice(0, size, 2);
      const Tensor x = substitute(graph, blocks, below.dimShuffle({0, 2, 1}), true, false, prog, dc)
                           .dimShuffle({0, 2, 1});
      const Tensor product =
          matMulGrouped(graph, x, x.dimShuffle({0, 2, 1}), prog, FLOAT, dc, options.matMul, cache);
      rest = popops::sub(graph, rest.slice(size, size + left, 1).slice(size, size + left, 2),
                         product, prog, dc);
      column = concat(column, x, 1);
    }
    const Tensor above = zero.broadcast(static_cast<unsigned>(groups), 0)
                             .broadcast(static_cast<unsigned>(begin), 1)
                             .broadcast(static_cast<unsigned>(size), 2);
    columns.push_back(concat(above, column, 1));
    begin += size;
  }
  return concat(columns, 2);
}

}  // namespace

std::vector<std::pair<MatMulParams, OptionFlags>> getCholeskyMatMulPrePlanParameters(
    const Type& type, const Shape& shape, bool, OptionFlags options) {
  checkSquare(shape);
  checkFloating(type, "getCholeskyMatMulPrePlanParameters");
  const BlockOptions blocks(options, kDefaultBlock, "getCholeskyMatMulPrePlanParameters");
  const Shape grouped = groupedShape(shape);
  std::vector<std::pair<MatMulParams, OptionFlags>> out;
  for (std::size_t end = blocks.blockSize; end < grouped[1]; end += blocks.blockSize) {
    out.push_back({updateParams(grouped[0], grouped[1] - end, blocks.blockSize), blocks.matMul});
  }
  return out;
}

Tensor createCholeskyInput(Graph& graph, const Type& type, const Shape& shape, bool,
                           const DebugContext& debugContext, const OptionFlags& options,
                           PlanningCache*) {
  checkSquare(shape);
  checkFloating(type, "createCholeskyInput");
  BlockOptions(options, kDefaultBlock, "createCholeskyInput");
  emulator::checkedElements("createCholeskyInput", shape);
  const Tensor t = graph.addVariable(type, shape, {debugContext, "A"});
  poputil::mapTensorLinearly(graph, t);
  return t;
}

Tensor cholesky(Graph& graph, const Tensor& a, bool lower, Sequence& prog,
                const DebugContext& debugContext, OptionFlags options, PlanningCache* cache) {
  const Tensor out =
      createCholeskyInput(graph, a.elementType(), a.shape(), lower, debugContext, options, cache);
  prog.add(Copy(a, out, false, debugContext));
  choleskyInPlace(graph, out, lower, prog, debugContext, options, cache);
  return out;
}

void choleskyInPlace(Graph& graph, const Tensor& a, bool lower, Sequence& prog,
                     const DebugContext& debugContext, OptionFlags options, PlanningCache* cache) {
  const DebugContext dc(debugContext, "cholesky");
  checkSquare(a.shape());
  checkFloating(a.elementType(), "cholesky");
  const BlockOptions blocks(options, kDefaultBlock, "cholesky");
  if (a.numElements() == 0) {
    throw poputil::poplibs_error("cholesky: received an empty matrix, got " + a.shapeToString());
  }
  // The upper factor is the transpose of the lower one.
  const Tensor grouped = a.reshape(groupedShape(a.shape()));
  const Tensor in = lower ? grouped : grouped.dimShuffle({0, 2, 1});
  const Type type = a.elementType();
  const Tensor l = factor(graph, type == FLOAT ? in : popops::cast(graph, in, FLOAT, prog, dc),
                          blocks, prog, dc, cache);
  prog.add(Copy(type == FLOAT ? l : popops::cast(graph, l, type, prog, dc), in, false, dc));
}

}  // namespace poplin
