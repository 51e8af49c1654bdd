// What solvers by blocks share. Matrices are [groups, rows, columns] of float.
#pragma once
#include <cstdint>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplin/MatMul.hpp>
#include <string>
#include <vector>

namespace poplin {

/// The options of a solver by blocks.
struct BlockOptions {
  /// Throws poputil::poplibs_error for a block size of 0.
  BlockOptions(const poplar::OptionFlags& options, std::size_t defaultSize, const char* operation);
  std::size_t blockSize;
  poplar::OptionFlags matMul;
};

/// The shape of a stack of matrices [..., rows, columns], with its leading dimensions as one.
std::vector<std::size_t> groupedShape(const std::vector<std::size_t>& shape);
/// Throws poputil::poplibs_error where `shape` is not [..., N, N].
void checkSquare(const std::vector<std::size_t>& shape);
/// Throws poputil::poplibs_error for a type that is neither float nor half.
void checkFloating(const poplar::Type& type, const char* operation);

/// A contiguous copy of each group's `block`, flat, for a vertex of its own: one to a tile.
std::vector<poplar::Tensor> copyBlocks(poplar::Graph& graph, const poplar::Tensor& block,
                                       poplar::program::Sequence& prog,
                                       const poplar::DebugContext& dc);

/// Factorises each of `blocks` [n * n] in place by a vertex.
void factorise(poplar::Graph& graph, const std::string& vertex,
               const std::vector<poplar::Tensor>& blocks, std::size_t n,
               poplar::program::Sequence& prog, const poplar::DebugContext& dc);

/// The solutions X of A X = B by substitution, for `a` [groups][n * n] and `b` [groups, n,
/// columns]: a tensor of the shape of `b`.
poplar::Tensor substitute(poplar::Graph& graph, const std::vector<poplar::Tensor>& a,
                          const poplar::Tensor& b, bool lower, bool unitDiagonal,
                          poplar::program::Sequence& prog, const poplar::DebugContext& dc);

}  // namespace poplin
