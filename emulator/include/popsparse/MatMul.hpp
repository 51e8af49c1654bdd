#ifndef popsparse_MatMul_hpp
#define popsparse_MatMul_hpp

#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <popsparse/PlanningCache.hpp>
#include <popsparse/SparseStorageFormats.hpp>
#include <popsparse/SparseTensor.hpp>

namespace popsparse {
namespace dynamic {

class MatMulParams;

/// Options: availableMemoryProportion, metaInfoBucketOversizeProportion (0.3: how many more values
/// than the ratio of the parameters there is room for), partialsType, sharedBuckets and those of
/// the partitioner.
SparseTensor createSparseDenseMatMulLHS(poplar::Graph& graph, const poplar::Type& inputType,
                                        const MatMulParams& params,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {},
                                        PlanningCache* cache = nullptr);
/// [groups, k, n]
poplar::Tensor createSparseDenseMatMulRHS(poplar::Graph& graph, const poplar::Type& inputType,
                                          const MatMulParams& params,
                                          const poplar::DebugContext& debugContext = {},
                                          const poplar::OptionFlags& options = {},
                                          PlanningCache* cache = nullptr);
/// [groups, m, n], or with the left operand transposed [groups, k, n] of [groups, m, n].
poplar::Tensor sparseDenseMatMul(poplar::Graph& graph, const SparseTensor& lhs,
                                 const poplar::Tensor& rhs, poplar::program::Sequence& prog,
                                 bool transposeLHS = false, bool transposeRHS = false,
                                 const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {},
                                 PlanningCache* cache = nullptr);

}  // namespace dynamic

namespace static_ {

class MatMulParams;

// Of matrices of float and double. The values of a sparse tensor are written as a Partitioner
// orders them. Options: numBands, nSplit, verboseLogging, availableMemoryProportion,
// enablePreprocessing.

template <typename T>
SparseTensor createSparseDenseMatMulLHS(poplar::Graph& graph, const poplar::Type& inputType,
                                        const MatMulParams& params, const CSRMatrix<T>& csrLHS,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {},
                                        PlanningCache* cache = nullptr) = delete;
template <>
SparseTensor createSparseDenseMatMulLHS<float>(poplar::Graph& graph, const poplar::Type& inputType,
                                               const MatMulParams& params,
                                               const CSRMatrix<float>& csrLHS,
                                               const poplar::DebugContext& debugContext,
                                               const poplar::OptionFlags& options,
                                               PlanningCache* cache);
template <>
SparseTensor createSparseDenseMatMulLHS<double>(poplar::Graph& graph, const poplar::Type& inputType,
                                                const MatMulParams& params,
                                                const CSRMatrix<double>& csrLHS,
                                                const poplar::DebugContext& debugContext,
                                                const poplar::OptionFlags& options,
                                                PlanningCache* cache);

template <typename T>
SparseTensor createDenseSparseMatMulRHS(poplar::Graph& graph, const poplar::Type& inputType,
                                        const MatMulParams& params, const CSRMatrix<T>& csrRHS,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {},
                                        PlanningCache* cache = nullptr) = delete;
template <>
SparseTensor createDenseSparseMatMulRHS<float>(poplar::Graph& graph, const poplar::Type& inputType,
                                               const MatMulParams& params,
                                               const CSRMatrix<float>& csrRHS,
                                               const poplar::DebugContext& debugContext,
                                               const poplar::OptionFlags& options,
                                               PlanningCache* cache);
template <>
SparseTensor createDenseSparseMatMulRHS<double>(poplar::Graph& graph, const poplar::Type& inputType,
                                                const MatMulParams& params,
                                                const CSRMatrix<double>& csrRHS,
                                                const poplar::DebugContext& debugContext,
                                                const poplar::OptionFlags& options,
                                                PlanningCache* cache);

/// [groups, k, n]
template <typename T>
poplar::Tensor createSparseDenseMatMulRHS(poplar::Graph& graph, const poplar::Type& inputType,
                                          const MatMulParams& params, const CSRMatrix<T>& csrLHS,
                                          const poplar::DebugContext& debugContext = {},
                                          const poplar::OptionFlags options = {},
                                          PlanningCache* cache = nullptr) = delete;
template <>
poplar::Tensor createSparseDenseMatMulRHS<float>(
    poplar::Graph& graph, const poplar::Type& inputType, const MatMulParams& params,
    const CSRMatrix<float>& csrLHS, const poplar::DebugContext& debugContext,
    const poplar::OptionFlags options, PlanningCache* cache);
template <>
poplar::Tensor createSparseDenseMatMulRHS<double>(
    poplar::Graph& graph, const poplar::Type& inputType, const MatMulParams& params,
    const CSRMatrix<double>& csrLHS, const poplar::DebugContext& debugContext,
    const poplar::OptionFlags options, PlanningCache* cache);

/// [groups, n, k]
template <typename T>
poplar::Tensor createDenseSparseMatMulLHS(poplar::Graph& graph, const poplar::Type& inputType,
                                          const MatMulParams& params, const CSRMatrix<T>& csrRHS,
                                          const poplar::DebugContext& debugContext = {},
                                          const poplar::OptionFlags options = {},
                                          PlanningCache* cache = nullptr) = delete;
template <>
poplar::Tensor createDenseSparseMatMulLHS<float>(
    poplar::Graph& graph, const poplar::Type& inputType, const MatMulParams& params,
    const CSRMatrix<float>& csrRHS, const poplar::DebugContext& debugContext,
    const poplar::OptionFlags options, PlanningCache* cache);
template <>
poplar::Tensor createDenseSparseMatMulLHS<double>(
    poplar::Graph& graph, const poplar::Type& inputType, const MatMulParams& params,
    const CSRMatrix<double>& csrRHS, const poplar::DebugContext& debugContext,
    const poplar::OptionFlags options, PlanningCache* cache);

/// [groups, m, n]. The sparse operand is not transposed, as in poplibs.
poplar::Tensor sparseDenseMatMul(poplar::Graph& graph, const SparseTensor& lhs,
                                 const poplar::Tensor& rhs, poplar::program::Sequence& prog,
                                 bool transposeLHS = false, bool transposeRHS = false,
                                 const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {},
                                 PlanningCache* cache = nullptr);
/// [groups, n, m]
poplar::Tensor denseSparseMatMul(poplar::Graph& graph, const poplar::Tensor& lhs,
                                 const SparseTensor& rhs, poplar::program::Sequence& prog,
                                 bool transposeLHS = false, bool transposeRHS = false,
                                 const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {},
                                 PlanningCache* cache = nullptr);

}  // namespace static_
}  // namespace popsparse

#endif  // popsparse_MatMul_hpp
