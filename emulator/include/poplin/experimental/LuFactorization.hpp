#ifndef poplin_LuFactorization_hpp
#define poplin_LuFactorization_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <utility>

namespace poplin {
namespace experimental {

/// Factors of `input` [M, N] of float or half, without exchange of rows: L [M, M], lower with ones
/// on the diagonal, and U [M, N], upper; both float. Throws poputil::poplibs_error for a tensor of
/// another rank or type.
std::pair<poplar::Tensor, poplar::Tensor> LUFactorization(
    poplar::Graph& graph, poplar::Tensor& input, poplar::program::Sequence& seq,
    const poplar::DebugContext& debugContext = {});

}  // namespace experimental
}  // namespace poplin

#endif  // poplin_LuFactorization_hpp
