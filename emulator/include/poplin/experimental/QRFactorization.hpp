#ifndef poplin_QRFactorization_hpp
#define poplin_QRFactorization_hpp

#include <array>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace poplin {
namespace experimental {

/// The operands of QRFactorization(): A [m, n] with m >= n, and Q [m, m].
std::array<poplar::Tensor, 2> createQRFactorizationMatrices(
    poplar::Graph& graph, const poplar::Type& type, const std::size_t m, const std::size_t n,
    const poplar::DebugContext& debugContext);

/// Overwrites A with the upper triangular R, and Q, which must be the identity, with the
/// orthogonal factor: A before is Q R. The option `rowsPerIteration` [= 32] is checked; it changes
/// nothing here. Throws poputil::poplibs_error where shapes do not fit, or a type is not float.
void QRFactorization(poplar::Graph& graph, poplar::Tensor& A, poplar::Tensor& Q,
                     poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                     const poplar::OptionFlags& options = {});

}  // namespace experimental
}  // namespace poplin

#endif  // poplin_QRFactorization_hpp
