#ifndef popsparse_BlockSparseMatMul_hpp
#define popsparse_BlockSparseMatMul_hpp

#include <array>
#include <memory>
#include <poplar/Graph.hpp>
#include <popsparse/experimental/BlockSparse.hpp>
#include <vector>

namespace popsparse {
namespace experimental {

class BSMatMulImpl;

// Products of matrices of blocks, [M, K] x [K, N]: `dim` and `blockSize` are those of M, K and N.
// Sparse matrices are [blocks that are there, elements of a block]; groups lie one below the other.

class BSMatMulParams {
 public:
  /// Dense times sparse is dense.
  BSMatMulParams(const std::array<int, 3>& dim, const std::array<int, 3>& blockSize,
                 const std::vector<unsigned char>& rhsSparsity, bool rhsNeedTranspose,
                 poplar::Type inDataType, poplar::Type outDataType, poplar::Type partialDataType,
                 unsigned numGroupsIn = 1);
  /// Dense times dense is sparse.
  BSMatMulParams(const std::array<int, 3>& dim, const std::array<int, 3>& blockSize,
                 const std::vector<unsigned char>& resSparsity, poplar::Type inDataType,
                 poplar::Type outDataType, poplar::Type partialDataType,
                 SubBlockMask subBlockMask = SubBlockMask::None, unsigned numGroupsIn = 1);
  BSMatMulParams(BSMatMulParams&& other);
  ~BSMatMulParams();
  std::unique_ptr<BSMatMulImpl> impl;
};

poplar::Tensor createBSMatMulInputLHS(poplar::Graph& graph, const BSMatMulParams& bsMatMul,
                                      const poplar::DebugContext& debugContext,
                                      const poplar::OptionFlags& options = {});
poplar::Tensor createBSMatMulInputRHS(poplar::Graph& graph, const BSMatMulParams& bsMatMul,
                                      const poplar::DebugContext& debugContext,
                                      const poplar::OptionFlags& options = {});
poplar::Tensor bsMatMul(poplar::Graph& graph, const BSMatMulParams& bsMatMulParams,
                        poplar::program::Sequence& prog, const poplar::Tensor& lhsMatrix,
                        const poplar::Tensor& rhsMatrix, const poplar::OptionFlags& options = {},
                        const poplar::DebugContext& debugContext = {});

}  // namespace experimental
}  // namespace popsparse

#endif  // popsparse_BlockSparseMatMul_hpp
