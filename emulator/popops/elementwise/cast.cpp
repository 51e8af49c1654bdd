#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/exceptions.hpp>

#include "elementwise/map_vertices.hpp"

namespace popops {

using namespace poplar;
using namespace poplar::program;

namespace {

// Stricter than a map with an output, as in poplibs.
void checkShapes(const Tensor& src, const Tensor& dst) {
  if (src.shape() == dst.shape()) return;
  throw poputil::poplibs_error("cast: expected a destination of the source's shape " +
                               src.shapeToString() + ", got " + dst.shapeToString());
}

}  // namespace

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
  if (src.elementType() == dst.elementType()) {
    prog.add(Copy(src, dst, false, {debugContext, "cast"}));  // in any shape
    return;
  }
  checkShapes(src, dst);
  mapWithOutput(graph, expr::Cast(expr::_1, dst.elementType()), {src}, dst, prog,
                {debugContext, "cast"});
}

Program cast(Graph& graph, Tensor src, Tensor dst, const DebugContext& debugContext) {
  Sequence prog;
  castWithOutput(graph, src, dst, prog, debugContext);
  return prog;
}

void cast(Graph& graph, Tensor src, Tensor dst, ComputeSet cs) {
  checkShapes(src, dst);
  addMapVertices(graph, expr::Cast(expr::_1, dst.elementType()), {src}, dst, cs, "cast");
}

}  // namespace popops
