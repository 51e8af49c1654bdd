#include <popops/ElementWise.hpp>
#include <popops/NaN.hpp>
#include <popops/Reduce.hpp>

namespace popops {

using namespace poplar;
using namespace poplar::program;

namespace {

Tensor any(Graph& graph, const expr::Expr& test, const Tensor& src, Sequence& prog,
           const DebugContext& dc) {
  const Tensor matches = map(graph, test, {src.flatten()}, prog, dc);
  return reduce(graph, matches, {0}, Operation::LOGICAL_OR, prog, dc);
}

}  // namespace

Tensor hasNaN(Graph& graph, const Tensor& src, Sequence& prog, const DebugContext& debugContext) {
  return any(graph, expr::IsNaN(expr::_1), src, prog, {debugContext, "hasNaN"});
}

Tensor hasNaNOrInf(Graph& graph, const Tensor& src, Sequence& prog,
                   const DebugContext& debugContext) {
  return any(graph, expr::Not(expr::IsFinite(expr::_1)), src, prog, {debugContext, "hasNaNOrInf"});
}

}  // namespace popops
