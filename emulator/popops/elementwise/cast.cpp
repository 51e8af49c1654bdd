#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>

#include "elementwise/map_vertices.hpp"

namespace popops {

using namespace poplar;
using namespace poplar::program;

Tensor cast(Graph& graph, const Tensor& src, const Type& dstType, Sequence& prog,
            const DebugContext& debugContext) {
  return map(graph, expr::Cast(expr::_1, dstType), {src}, prog, {debugContext, "cast"});
}

Tensor cast(Graph& graph, Tensor src, const Type& dstType, ComputeSet cs,
            const DebugContext& debugContext) {
  const Tensor dst = graph.clone(dstType, src, {debugContext, "cast"});
  cast(graph, src, dst, cs);
  return dst;
}

void castWithOutput(Graph& graph, const Tensor& src, const Tensor& dst, Sequence& prog,
                    const DebugContext& debugContext) {
  mapWithOutput(graph, expr::Cast(expr::_1, dst.elementType()), {src}, dst, prog,
                {debugContext, "cast"});
}

Program cast(Graph& graph, Tensor src, Tensor dst, const DebugContext& debugContext) {
  Sequence prog;
  castWithOutput(graph, src, dst, prog, debugContext);
  return prog;
}

void cast(Graph& graph, Tensor src, Tensor dst, ComputeSet cs) {
  addMapVertices(graph, expr::Cast(expr::_1, dst.elementType()), {src}, dst, cs, "cast");
}

}  // namespace popops
