// The vertices of products with a sparse matrix, spread over the tiles.
#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "layout.hpp"

namespace popsparse {

// S X, or S^T X: X is [columns or rows of S, N], and the result, of its type, [rows or columns, N].
// `meta` and `values` have all buckets.
poplar::Tensor addProduct(poplar::Graph& graph, const Layout& layout, const poplar::Tensor& meta,
                          const poplar::Tensor& values, const poplar::Tensor& x, bool transposed,
                          poplar::program::Sequence& prog, const poplar::DebugContext& dc);

// Where S has values, those of left [rows, N] times right [columns, N] transposed; as they lie.
poplar::Tensor addGradient(poplar::Graph& graph, const Layout& layout, const poplar::Tensor& meta,
                           const poplar::Tensor& left, const poplar::Tensor& right,
                           poplar::program::Sequence& prog, const poplar::DebugContext& dc);

void checkOperand(const poplar::Tensor& t, std::size_t rows, std::size_t columns,
                  const char* operation);

}  // namespace popsparse
