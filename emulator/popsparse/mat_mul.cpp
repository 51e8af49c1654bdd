#include <popsparse/MatMul.hpp>
#include <popsparse/MatMulParams.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include "products.hpp"
#include "tensors.hpp"

namespace popsparse {
namespace dynamic {

using namespace poplar;
using namespace poplar::program;

SparseTensor createSparseDenseMatMulLHS(Graph& graph, const Type& inputType,
                                        const MatMulParams& params,
                                        const DebugContext& debugContext,
                                        const OptionFlags& options, PlanningCache*) {
  return createSparse(graph, inputType, layoutOf(params, options), debugContext);
}

Tensor createSparseDenseMatMulRHS(Graph& graph, const Type& inputType, const MatMulParams& params,
                                  const DebugContext& debugContext, const OptionFlags& options,
                                  PlanningCache*) {
  layoutOf(params, options);
  return createDense(graph, inputType, {params.getNumGroups(), params.getK(), params.getN()},
                     debugContext);
}

Tensor sparseDenseMatMul(Graph& graph, const SparseTensor& lhs, const Tensor& rhs, Sequence& prog,
                         bool transposeLHS, bool transposeRHS, const DebugContext& debugContext,
                         const OptionFlags&, PlanningCache*) {
  const char* const operation = "sparseDenseMatMul";
  const Layout& layout = metaDataOf(lhs.getOpMetaData(), operation).layout;
  const Tensor x = operandOf(rhs, transposeRHS, operation);
  checkOperand(x, transposeLHS ? layout.rows : layout.columns, 0, operation);
  return addProduct(graph, layout, lhs.getMetaInfoTensor(), lhs.getNzValuesTensor(), x,
                    transposeLHS, prog, {debugContext, operation})
      .expand({0});
}

}  // namespace dynamic
}  // namespace popsparse
