#include <algorithm>
#include <poplar/emulator/Sizes.hpp>
#include <poplin/TriangularSolve.hpp>
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include "blocks.hpp"

namespace poplin {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;
using Shape = std::vector<std::size_t>;
using ProductParams = std::vector<std::pair<MatMulParams, OptionFlags>>;

namespace {

constexpr std::size_t kDefaultBlock = 64;

void checkShapes(const Shape& a, const Shape& b, bool left) {
  checkSquare(a);
  if (b.size() < 2) {
    throw poplibs_error("rank of tensor B must be greater or equal to 2, got " +
                        std::to_string(b.size()));
  }
  if (a.size() != b.size()) {
    throw poplibs_error("ranks of tensors A and B must match, got " + std::to_string(a.size()) +
                        " and " + std::to_string(b.size()));
  }
  if (b[b.size() - (left ? 2 : 1)] != a.back()) {
    throw poplibs_error(
        std::string("mismatched shape for triangular solver. For A [..., N, N], B must have "
                    "shape of ") +
        (left ? "[..., N, K]" : "[..., K, N]"));
  }
  if (!std::equal(a.begin(), a.end() - 2, b.begin())) {
    throw poplibs_error("major (batch) dimensions A and B must match");
  }
}

Tensor newInput(Graph& graph, const Type& type, const Shape& shape, const DebugContext& dc,
                const char* operation) {
  checkFloating(type, operation);
  emulator::checkedElements(operation, shape);
  const Tensor t = graph.addVariable(type, shape, dc);
  poputil::mapTensorLinearly(graph, t);
  return t;
}

// The begins of blocks, in the order of their solution.
std::vector<std::size_t> blockOrder(std::size_t n, std::size_t block, bool lower) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < n; i += block) out.push_back(i);
  if (!lower) std::reverse(out.begin(), out.end());
  return out;
}

// Solves A X = B for [groups, n, n] and [groups, n, columns] of float, block after block of rows.
Tensor solve(Graph& graph, const Tensor& a, const Tensor& b, bool lower, bool unitDiagonal,
             const BlockOptions& options, Sequence& prog, const DebugContext& dc,
             PlanningCache* cache) {
  const std::size_t n = a.dim(1);
  Tensor solved;  // those rows that are known
  for (const std::size_t begin : blockOrder(n, options.blockSize, lower)) {
    const std::size_t end = std::min(n, begin + options.blockSize);
    const Tensor rows = a.slice(begin, end, 1);
    Tensor right = b.slice(begin, end, 1);
    if (solved.valid()) {
      const Tensor known = lower ? rows.slice(0, begin, 2) : rows.slice(end, n, 2);
      const Tensor product =
          matMulGrouped(graph, known, solved, prog, FLOAT, dc, options.matMul, cache);
      right = popops::sub(graph, right, product, prog, dc);
    }
    const std::vector<Tensor> diagonal =
        copyBlocks(graph, rows.slice(begin, end, 2), prog, {dc, "diagonal"});
    const Tensor x = substitute(graph, diagonal, right, lower, unitDiagonal, prog, dc);
    solved = !solved.valid() ? x : lower ? concat(solved, x, 1) : concat(x, solved, 1);
  }
  return solved.valid() ? solved : b;
}

}  // namespace

Tensor createTriangularSolveInputLHS(Graph& graph, const Type& inputType, const Type&,
                                     const Shape& aShape, const Shape& bShape, bool leftSide,
                                     const DebugContext& debugContext, const OptionFlags& options,
                                     PlanningCache*) {
  checkShapes(aShape, bShape, leftSide);
  BlockOptions(options, kDefaultBlock, "createTriangularSolveInputLHS");
  return newInput(graph, inputType, aShape, {debugContext, "A"}, "createTriangularSolveInputLHS");
}

Tensor createTriangularSolveInputRHS(Graph& graph, const Type&, const Type& outputType,
                                     const Shape& aShape, const Shape& bShape, bool leftSide,
                                     const DebugContext& debugContext, const OptionFlags& options,
                                     PlanningCache*) {
  checkShapes(aShape, bShape, leftSide);
  BlockOptions(options, kDefaultBlock, "createTriangularSolveInputRHS");
  return newInput(graph, outputType, bShape, {debugContext, "B"}, "createTriangularSolveInputRHS");
}

Tensor triangularMask(Graph& graph, const Tensor& a, bool lower, bool unitDiagonal, Sequence& prog,
                      const DebugContext& debugContext) {
  checkSquare(a.shape());
  checkFloating(a.elementType(), "triangularMask");
  const DebugContext dc(debugContext, "triangularMask");
  const std::size_t n = a.dim(a.rank() - 1);
  const Tensor out = graph.clone(a, dc);
  const Tensor from = a.reshape(groupedShape(a.shape())), to = out.reshape(from.shape());
  const Tensor zero = graph.addConstant(a.elementType(), {1}, 0, {dc, "zero"}),
               one = graph.addConstant(a.elementType(), {1}, 1, {dc, "one"});
  graph.setTileMapping(zero, 0);
  graph.setTileMapping(one, 0);
  // Rows of the views that one copy moves.
  std::vector<Tensor> sources, targets;
  for (std::size_t g = 0; g < from.dim(0); ++g) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto zeros = [&](std::size_t count) {
        return zero.broadcast(static_cast<unsigned>(count), 0);
      };
      const Tensor row = from[g][i], diagonal = unitDiagonal ? one : row.slice(i, i + 1);
      sources.push_back(lower ? concat({row.slice(0, i), diagonal, zeros(n - i - 1)})
                              : concat({zeros(i), diagonal, row.slice(i + 1, n)}));
      targets.push_back(to[g][i]);
    }
  }
  if (!sources.empty()) prog.add(Copy(concat(sources), concat(targets), false, dc));
  return out;
}

Tensor triangularSolve(Graph& graph, const Tensor& a, const Tensor& b, bool leftSide, bool lower,
                       bool unitDiagonal, Sequence& prog, const DebugContext& debugContext,
                       const OptionFlags& options, PlanningCache* cache) {
  const DebugContext dc(debugContext, "triangularSolve");
  const BlockOptions blocks(options, kDefaultBlock, "triangularSolve");
  checkShapes(a.shape(), b.shape(), leftSide);
  checkFloating(a.elementType(), "triangularSolve");
  if (a.elementType() != b.elementType()) {
    throw poplibs_error("triangularSolve: expected tensors of one type, got " +
                        a.elementType().toString() + " and " + b.elementType().toString());
  }
  const auto prepare = [&](const Tensor& t) {
    const Tensor grouped = t.reshape(groupedShape(t.shape()));
    // X A = B is A^T X^T = B^T.
    const Tensor left = leftSide ? grouped : grouped.dimShuffle({0, 2, 1});
    return t.elementType() == FLOAT ? left : popops::cast(graph, left, FLOAT, prog, dc);
  };
  Tensor x = solve(graph, prepare(a), prepare(b), lower == leftSide, unitDiagonal, blocks, prog, dc,
                   cache);
  if (!leftSide) x = x.dimShuffle({0, 2, 1});
  if (b.elementType() != FLOAT) x = popops::cast(graph, x, b.elementType(), prog, dc);
  return x.reshape(b.shape());
}

ProductParams getTriangularSolveMatMulPrePlanParameters(const Type& inputType, const Type&,
                                                        const Shape& aShape, const Shape& bShape,
                                                        bool leftSide, bool lower,
                                                        const OptionFlags& options) {
  checkShapes(aShape, bShape, leftSide);
  checkFloating(inputType, "getTriangularSolveMatMulPrePlanParameters");
  const BlockOptions blocks(options, kDefaultBlock, "getTriangularSolveMatMulPrePlanParameters");
  const Shape a = groupedShape(aShape), b = groupedShape(bShape);
  const std::size_t n = a[1], columns = leftSide ? b[2] : b[1];
  ProductParams out;
  std::size_t known = 0;
  for (const std::size_t begin : blockOrder(n, blocks.blockSize, lower == leftSide)) {
    const std::size_t rows = std::min(blocks.blockSize, n - begin);
    if (known != 0) {
      out.push_back(
          {MatMulParams{FLOAT, FLOAT, {a[0], rows, known}, {a[0], known, columns}}, blocks.matMul});
    }
    known += rows;
  }
  return out;
}

}  // namespace poplin
