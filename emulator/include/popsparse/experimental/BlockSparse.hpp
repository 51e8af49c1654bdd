#ifndef popsparse_BlockSparse_hpp
#define popsparse_BlockSparse_hpp

#include <array>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <string>
#include <vector>

namespace popsparse {
namespace experimental {

/// What is zero within the blocks on the diagonal.
enum class SubBlockMask { None, ZeroUpperTriangle, ZeroLowerTriangle };

// Softmax over the rows of matrices of blocks, [blocks that are there, elements of a block]. `dim`
// is that of a group, whose blocks `sparsity` has row by row.

poplar::Tensor bsSoftmax(poplar::Graph& graph, poplar::Tensor sparseTensor,
                         const std::array<int, 2>& dim, const std::array<int, 2>& blockSize,
                         const std::vector<unsigned char>& sparsity, SubBlockMask subBlockMaskType,
                         unsigned numGroups, poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {});
void bsSoftmaxInPlace(poplar::Graph& graph, poplar::Tensor sparseTensor,
                      const std::array<int, 2>& dim, const std::array<int, 2>& blockSize,
                      const std::vector<unsigned char>& sparsity, SubBlockMask subBlockMaskType,
                      unsigned numGroups, poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {});
poplar::Tensor bsSoftmaxGrad(poplar::Graph& graph, poplar::Tensor sparseOut,
                             poplar::Tensor sparseOutGrad, const std::array<int, 2>& dim,
                             const std::array<int, 2>& blockSize,
                             const std::vector<unsigned char>& sparsity,
                             poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {});

}  // namespace experimental
}  // namespace popsparse

#endif  // popsparse_BlockSparse_hpp
