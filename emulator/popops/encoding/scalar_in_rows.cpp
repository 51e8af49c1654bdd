#include <limits>
#include <popops/ElementWise.hpp>
#include <popops/EncodingConstants.hpp>
#include <popops/Reduce.hpp>
#include <popops/SelectScalarFromRows.hpp>
#include <popops/UpdateScalarInRows.hpp>

#include "encoding/class_indices.hpp"

namespace popops {

using namespace poplar;
using namespace poplar::program;
using namespace expr;

namespace {

const Const kNaN(std::numeric_limits<float>::quiet_NaN());

// Whether the label in placeholder `labels` is none of n classes, and not masked.
Any outside(const PlaceHolder& labels, std::size_t n) {
  return And(Gte(labels, Const(static_cast<unsigned>(n))),
             NotEqual(labels, Const(MASKED_LABEL_CODE)));
}

}  // namespace

Tensor selectScalarFromRows(Graph& graph, const Tensor& params, const Tensor& indices,
                            Sequence& prog, const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "selectScalarFromRows");
  const Tensor labels = labelColumn(indices, params, "selectScalarFromRows");
  const Tensor classes = classIndices(graph, params.dim(1), dc);
  const Tensor selected =
      map(graph, Select(_1, Const(0.0f), Equal(_2, _3)), {params, labels, classes}, prog, dc);
  const Tensor sums = reduce(graph, selected, {1}, Operation::ADD, prog, dc);
  return map(graph, Select(kNaN, _1, outside(_2, params.dim(1))), {sums, labels.squeeze({1})}, prog,
             dc);
}

void updateScalarInRows(Graph& graph, const Tensor& params, const Tensor& indices,
                        Sequence& program, const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "updateScalarInRows");
  const Tensor labels = labelColumn(indices, params, "updateScalarInRows");
  const Cast hot(Equal(_2, _3), params.elementType());
  mapInPlace(graph, Select(kNaN, Sub(_1, hot), outside(_2, params.dim(1))),
             {params, labels, classIndices(graph, params.dim(1), dc)}, program, dc);
}

}  // namespace popops
