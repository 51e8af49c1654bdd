#include <popnn/LogSoftmax.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <poputil/Util.hpp>

namespace popnn {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;

void logSoftmaxInPlace(Graph& graph, Tensor t, Sequence& prog, const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "logSoftmax");
  if (t.rank() == 0 || (t.elementType() != FLOAT && t.elementType() != HALF)) {
    throw poplibs_error("logSoftmax: expected a tensor of rank 1 or more of float or half, got " +
                        t.shapeToString() + " of " + t.elementType().toString());
  }
  using namespace popops::expr;
  const std::size_t last = t.rank() - 1;
  // Less the greatest: no exponential overflows.
  const Tensor greatest = popops::reduce(graph, t, {last}, popops::Operation::MAX, prog, dc);
  popops::subInPlace(graph, t, greatest.expand({last}), prog, dc);
  const Tensor exponentials = popops::map(graph, Exp(Cast(_1, FLOAT)), {t}, prog, dc);
  const Tensor sums = popops::reduce(graph, exponentials, {last}, popops::Operation::ADD, prog, dc);
  popops::mapInPlace(graph, Cast(Sub(Cast(_1, FLOAT), Log(_2)), t.elementType()),
                     {t, sums.expand({last})}, prog, dc);
}

Tensor logSoftmax(Graph& graph, Tensor t, Sequence& prog, const DebugContext& debugContext) {
  const Tensor out = duplicate(graph, t, prog, {debugContext, "logSoftmax"});
  logSoftmaxInPlace(graph, out, prog, debugContext);
  return out;
}

}  // namespace popnn
