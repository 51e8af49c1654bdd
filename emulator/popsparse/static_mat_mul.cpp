#include <popsparse/MatMul.hpp>
#include <popsparse/MatMulParams.hpp>
#include <poputil/exceptions.hpp>
#include <string>

#include "entries.hpp"
#include "products.hpp"
#include "tensors.hpp"

namespace popsparse {
namespace static_ {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;

namespace {

void check(const MatMulParams& params, bool transposed, const OptionFlags& options,
           const char* operation) {
  checkStaticOptions(options);
  if (params.isTransposed() != transposed || params.getNumGroups() != 1) {
    throw poplibs_error(
        std::string(operation) + ": expected parameters of one group, created for " +
        (transposed ? "dense times sparse" : "sparse times dense") + ", got others");
  }
}

template <typename T>
SparseTensor createSparse(Graph& graph, const Type& type, const MatMulParams& params,
                          bool transposed, const CSRMatrix<T>& csr, const DebugContext& dc,
                          const OptionFlags& options, const char* operation) {
  check(params, transposed, options, operation);
  const std::size_t rows = transposed ? params.getK() : params.getM(),
                    columns = transposed ? params.getM() : params.getK();
  const Entries entries = entriesOf(csr, rows, columns);
  const Layout layout = makeLayout(rows, columns, csr.getBlockDimensions(), entries.rows.size());
  return {createDense(graph, type, {entries.values.size()}, {dc, "nzValues"}),
          poputil::TensorMetaData(std::unique_ptr<poputil::TensorMetaDataBase>(
              new SparseMetaData(layout, makeBuckets(layout, entries))))};
}

// The product with a pattern that is known: a constant, with values that fill whole buckets.
Tensor multiply(Graph& graph, const SparseTensor& sparse, const Tensor& x, bool transposed,
                Sequence& prog, const DebugContext& dc, const char* operation) {
  const SparseMetaData& data = metaDataOf(sparse.getOpMetaData(), operation);
  checkOperand(x, transposed ? data.layout.rows : data.layout.columns, 0, operation);
  const std::vector<unsigned short> buckets(data.buckets.begin(), data.buckets.end());
  const Tensor meta = graph.addConstant(UNSIGNED_SHORT, {buckets.size()}, buckets, {dc, "pattern"});
  poputil::mapTensorLinearly(graph, meta);
  Tensor values = sparse.getNzValuesTensor();
  const std::size_t room = data.layout.buckets * data.layout.valueElements();
  if (values.numElements() < room) {
    const Tensor rest =
        graph.addConstant(values.elementType(), {room - values.numElements()}, 0.0f, {dc, "rest"});
    graph.setTileMapping(rest, 0);
    values = concat(values, rest);
  }
  return addProduct(graph, data.layout, meta, values, x, transposed, prog, dc);
}

void refuseTransposed(bool transposed, const char* operation) {
  if (transposed) {
    throw poplibs_error(std::string(operation) +
                        ": expected a sparse operand that is not transposed, as in poplibs");
  }
}

}  // namespace

#define POPSPARSE_STATIC(T)                                                                      \
  template <>                                                                                    \
  SparseTensor createSparseDenseMatMulLHS<T>(                                                    \
      Graph & graph, const Type& inputType, const MatMulParams& params, const CSRMatrix<T>& csr, \
      const DebugContext& debugContext, const OptionFlags& options, PlanningCache*) {            \
    return createSparse(graph, inputType, params, false, csr, debugContext, options,             \
                        "createSparseDenseMatMulLHS");                                           \
  }                                                                                              \
  template <>                                                                                    \
  SparseTensor createDenseSparseMatMulRHS<T>(                                                    \
      Graph & graph, const Type& inputType, const MatMulParams& params, const CSRMatrix<T>& csr, \
      const DebugContext& debugContext, const OptionFlags& options, PlanningCache*) {            \
    return createSparse(graph, inputType, params, true, csr, debugContext, options,              \
                        "createDenseSparseMatMulRHS");                                           \
  }                                                                                              \
  template <>                                                                                    \
  Tensor createSparseDenseMatMulRHS<T>(                                                          \
      Graph & graph, const Type& inputType, const MatMulParams& params, const CSRMatrix<T>&,     \
      const DebugContext& debugContext, const OptionFlags options, PlanningCache*) {             \
    check(params, false, options, "createSparseDenseMatMulRHS");                                 \
    return createDense(graph, inputType, {1, params.getK(), params.getN()}, debugContext);       \
  }                                                                                              \
  template <>                                                                                    \
  Tensor createDenseSparseMatMulLHS<T>(                                                          \
      Graph & graph, const Type& inputType, const MatMulParams& params, const CSRMatrix<T>&,     \
      const DebugContext& debugContext, const OptionFlags options, PlanningCache*) {             \
    check(params, true, options, "createDenseSparseMatMulLHS");                                  \
    return createDense(graph, inputType, {1, params.getN(), params.getK()}, debugContext);       \
  }
POPSPARSE_STATIC(float)
POPSPARSE_STATIC(double)

Tensor sparseDenseMatMul(Graph& graph, const SparseTensor& lhs, const Tensor& rhs, Sequence& prog,
                         bool transposeLHS, bool transposeRHS, const DebugContext& debugContext,
                         const OptionFlags& options, PlanningCache*) {
  const char* const operation = "sparseDenseMatMul";
  checkStaticOptions(options);
  refuseTransposed(transposeLHS, operation);
  return multiply(graph, lhs, operandOf(rhs, transposeRHS, operation), false, prog,
                  {debugContext, operation}, operation)
      .expand({0});
}

Tensor denseSparseMatMul(Graph& graph, const Tensor& lhs, const SparseTensor& rhs, Sequence& prog,
                         bool transposeLHS, bool transposeRHS, const DebugContext& debugContext,
                         const OptionFlags& options, PlanningCache*) {
  const char* const operation = "denseSparseMatMul";
  checkStaticOptions(options);
  refuseTransposed(transposeRHS, operation);
  // (X S)^T = S^T X^T
  return multiply(graph, rhs, operandOf(lhs, !transposeLHS, operation), true, prog,
                  {debugContext, operation}, operation)
      .transpose()
      .expand({0});
}

}  // namespace static_
}  // namespace popsparse
