#ifndef poplin_Cholesky_hpp
#define poplin_Cholesky_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplin/MatMul.hpp>
#include <utility>
#include <vector>

namespace poplin {

class PlanningCache;

// The option `blockSize` [= 8] is the number of columns that are factorised at once; the others
// are those of matMul().

/// The matrix products of cholesky(), for preplan().
std::vector<std::pair<MatMulParams, poplar::OptionFlags>> getCholeskyMatMulPrePlanParameters(
    const poplar::Type& type, const std::vector<std::size_t>& shape, bool lower,
    poplar::OptionFlags options);

/// A tensor [..., N, N] to be factorised.
poplar::Tensor createCholeskyInput(poplar::Graph& graph, const poplar::Type& type,
                                   const std::vector<std::size_t>& shape, bool lower,
                                   const poplar::DebugContext& debugContext,
                                   const poplar::OptionFlags& options = {},
                                   PlanningCache* cache = nullptr);

/// The factor of positive definite matrices `a` [..., N, N], of which the one triangle is read:
/// lower L with a = L L^T, or upper U with a = U^T U. The other triangle is zero. Throws
/// poputil::poplibs_error where the matrices are not square.
poplar::Tensor cholesky(poplar::Graph& graph, const poplar::Tensor& a, bool lower,
                        poplar::program::Sequence& prog,
                        const poplar::DebugContext& debugContext = {},
                        poplar::OptionFlags options = {}, PlanningCache* cache = nullptr);
void choleskyInPlace(poplar::Graph& graph, const poplar::Tensor& a, bool lower,
                     poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                     poplar::OptionFlags options = {}, PlanningCache* cache = nullptr);

}  // namespace poplin

#endif  // poplin_Cholesky_hpp
