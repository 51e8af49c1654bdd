#ifndef poplin_TriangularSolve_hpp
#define poplin_TriangularSolve_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplin/MatMul.hpp>
#include <utility>
#include <vector>

namespace poplin {

/// Tensors for triangularSolve(): the matrix A [..., N, N], and B [..., N, K], or [..., K, N]
/// where A is on the right side.
poplar::Tensor createTriangularSolveInputLHS(poplar::Graph& graph, const poplar::Type& inputType,
                                             const poplar::Type& outputType,
                                             const std::vector<std::size_t>& aShape,
                                             const std::vector<std::size_t>& bShape, bool leftSide,
                                             const poplar::DebugContext& debugContext,
                                             const poplar::OptionFlags& options = {},
                                             PlanningCache* cache = nullptr);
poplar::Tensor createTriangularSolveInputRHS(poplar::Graph& graph, const poplar::Type& inputType,
                                             const poplar::Type& outputType,
                                             const std::vector<std::size_t>& aShape,
                                             const std::vector<std::size_t>& bShape, bool leftSide,
                                             const poplar::DebugContext& debugContext,
                                             const poplar::OptionFlags& options = {},
                                             PlanningCache* cache = nullptr);

/// `a` [..., N, N] with zeros in the other triangle, and ones on the diagonal where it is a unit
/// one.
poplar::Tensor triangularMask(poplar::Graph& graph, const poplar::Tensor& a, bool lower,
                              bool unitDiagonal, poplar::program::Sequence& prog,
                              const poplar::DebugContext& debugContext = {});

/// Solves A X = B, or X A = B where A is on the right side; of A only the one triangle is read,
/// without the diagonal where it is a unit one. The option `blockSize` [= 64] is the number of
/// rows that are solved by substitution; the others are those of matMul(). Throws
/// poputil::poplibs_error where shapes do not fit.
poplar::Tensor triangularSolve(poplar::Graph& graph, const poplar::Tensor& a,
                               const poplar::Tensor& b, bool leftSide, bool lower,
                               bool unitDiagonal, poplar::program::Sequence& prog,
                               const poplar::DebugContext& debugContext = {},
                               const poplar::OptionFlags& options = {},
                               PlanningCache* cache = nullptr);

/// The matrix products of triangularSolve(), for preplan().
std::vector<std::pair<MatMulParams, poplar::OptionFlags>> getTriangularSolveMatMulPrePlanParameters(
    const poplar::Type& inputType, const poplar::Type& outputType,
    const std::vector<std::size_t>& aShape, const std::vector<std::size_t>& bShape, bool leftSide,
    bool lower, const poplar::OptionFlags& options);

}  // namespace poplin

#endif  // poplin_TriangularSolve_hpp
