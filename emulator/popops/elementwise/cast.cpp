#include <poplar/exceptions.hpp>
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/exceptions.hpp>

#include "elementwise/map_vertices.hpp"
#include "elementwise/quarter.hpp"

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

Tensor cast(Graph& graph, const Tensor& src, const Type& dstType, const Tensor& metadata,
            Sequence& prog, const DebugContext& debugContext) {
  const Tensor dst = graph.clone(dstType, metadata, src, {debugContext, "cast"});
  castWithOutput(graph, src, dst, prog, debugContext);
  return dst;
}

Tensor cast(Graph& graph, Tensor src, const Type& dstType, const Tensor& metadata, ComputeSet cs,
            const DebugContext& debugContext) {
  const Tensor dst = graph.clone(dstType, metadata, src, {debugContext, "cast"});
  cast(graph, src, dst, cs);
  return dst;
}

Tensor checkAccuracyWhenCast(Graph& graph, const Tensor& input, Type outputType, double tolerance,
                             Sequence& prog, const DebugContext& debugContext) {
  const Type type = input.elementType();
  const auto floating = [](const Type& t) { return t == FLOAT || t == HALF; };
  if (!floating(type) || !floating(outputType) || input.numElements() != 1) {
    throw poputil::poplibs_error(
        "checkAccuracyWhenCast: expected one float or half and such an output type, got " +
        input.shapeToString() + " of " + type.toString() + " and " + outputType.toString());
  }
  namespace e = popops::expr;
  const e::Any x = e::Cast(e::_1, FLOAT);
  const e::Any rounded = e::Cast(e::Cast(e::_1, outputType), FLOAT);
  const e::Any limit = e::Mul(e::Abs(x), e::Const(static_cast<float>(tolerance)));
  return map(graph, e::Lt(e::Abs(e::Sub(rounded, x)), limit), {input.reshape({})}, prog,
             {debugContext, "checkAccuracyWhenCast"});
}

Tensor cast(Graph& graph, const Tensor& src, const Type& dstType, Sequence& prog,
            const DebugContext& debugContext) {
  checkQuarterHasMetadata(dstType);
  if (src.elementType() == QUARTER) {
    return cast(graph, src, dstType, Tensor(), prog, debugContext);
  }
  return map(graph, expr::Cast(expr::_1, dstType), {src}, prog, {debugContext, "cast"});
}

Tensor cast(Graph& graph, Tensor src, const Type& dstType, ComputeSet cs,
            const DebugContext& debugContext) {
  checkQuarterHasMetadata(dstType);
  return cast(graph, src, dstType, Tensor(), cs, debugContext);
}

void castWithOutput(Graph& graph, const Tensor& src, const Tensor& dst, Sequence& prog,
                    const DebugContext& debugContext) {
  if (isQuarterCast(src, dst)) {
    const ComputeSet cs = graph.addComputeSet({debugContext, "Cast"});
    cast(graph, src, dst, cs);
    prog.add(Execute(cs, {debugContext, "cast"}));
    return;
  }
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
  if (isQuarterCast(src, dst)) {
    addQuarterCast(graph, src, dst, cs);
    return;
  }
  addMapVertices(graph, expr::Cast(expr::_1, dst.elementType()), {src}, dst, cs, "cast");
}

}  // namespace popops
