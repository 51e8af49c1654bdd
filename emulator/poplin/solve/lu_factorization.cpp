#include <algorithm>
#include <poplin/MatMul.hpp>
#include <poplin/TriangularSolve.hpp>
#include <poplin/experimental/LuFactorization.hpp>
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include "blocks.hpp"

namespace poplin {
namespace experimental {

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr std::size_t kBlock = 32;

Tensor newMatrix(Graph& graph, std::size_t rows, std::size_t columns, const DebugContext& dc) {
  const Tensor t = graph.addVariable(FLOAT, {rows, columns}, dc);
  poputil::mapTensorLinearly(graph, t);
  return t;
}

Tensor transposed(const Tensor& t) { return t.dimShuffle({0, 2, 1}); }

}  // namespace

std::pair<Tensor, Tensor> LUFactorization(Graph& graph, Tensor& input, Sequence& seq,
                                          const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "LUFactorization");
  if (input.rank() != 2) {
    throw poputil::poplibs_error("LUFactorization: expected a matrix [M,N], got " +
                                 input.shapeToString());
  }
  checkFloating(input.elementType(), "LUFactorization");
  const std::size_t m = input.dim(0), n = input.dim(1);
  const Tensor l = newMatrix(graph, m, m, {dc, "L"}), u = newMatrix(graph, m, n, {dc, "U"});
  const Tensor zero = graph.addConstant(FLOAT, {1, 1}, 0, {dc, "zero"});
  graph.setTileMapping(zero, 0);
  const auto clear = [&](const Tensor& t) {
    seq.add(Copy(zero.broadcast(static_cast<unsigned>(t.dim(0)), 0)
                     .broadcast(static_cast<unsigned>(t.dim(1)), 1),
                 t, false, dc));
  };
  clear(l);
  clear(u);
  // Those rows of L that no column of the input stands for are of the identity.
  const Tensor one = graph.addConstant(FLOAT, {1}, 1, {dc, "one"});
  graph.setTileMapping(one, 0);
  std::vector<Tensor> diagonal;
  for (std::size_t i = n; i < m; ++i) diagonal.push_back(l[i].slice(i, i + 1));
  if (!diagonal.empty()) {
    seq.add(Copy(one.broadcast(static_cast<unsigned>(m - n), 0), concat(diagonal), false, dc));
  }
  Tensor rest = input.elementType() == FLOAT ? input : popops::cast(graph, input, FLOAT, seq, dc);
  rest = rest.expand({0});
  for (std::size_t begin = 0; begin < std::min(m, n);) {
    const std::size_t size = std::min({kBlock, m - begin, n - begin}), end = begin + size;
    const std::vector<Tensor> block =
        copyBlocks(graph, rest.slice(0, size, 1).slice(0, size, 2), seq, {dc, "diagonal"});
    factorise(graph, "poplin::LuBlock", block, size, seq, dc);
    const Tensor both = block[0].reshape({size, size});
    seq.add(Copy(triangularMask(graph, both, true, true, seq, dc),
                 l.slice(begin, end).slice(begin, end, 1), false, dc));
    seq.add(Copy(triangularMask(graph, both, false, false, seq, dc),
                 u.slice(begin, end).slice(begin, end, 1), false, dc));
    Tensor right, below;
    if (end < n) {
      right = substitute(graph, block, rest.slice(0, size, 1).slice(size, n - begin, 2), true, true,
                         seq, dc);
      seq.add(Copy(right[0], u.slice(begin, end).slice(end, n, 1), false, dc));
    }
    if (end < m) {
      // The rows below are X of X U = A, or U^T X^T = A^T.
      const std::vector<Tensor> turned = {both.transpose().flatten()};
      below = transposed(substitute(graph, turned,
                                    transposed(rest.slice(size, m - begin, 1).slice(0, size, 2)),
                                    true, false, seq, dc));
      seq.add(Copy(below[0], l.slice(end, m).slice(begin, end, 1), false, dc));
    }
    if (end < n && end < m) {
      rest = popops::sub(graph, rest.slice(size, m - begin, 1).slice(size, n - begin, 2),
                         matMulGrouped(graph, below, right, seq, FLOAT, dc), seq, dc);
    }
    begin = end;
  }
  return {l, u};
}

}  // namespace experimental
}  // namespace poplin
