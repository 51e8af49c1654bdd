// Tensors of sparse matrices, and dense operands of groups.
#pragma once
#include <poplar/Graph.hpp>
#include <popsparse/SparseTensor.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>
#include <string>
#include <vector>

#include "layout.hpp"

namespace popsparse {

inline poplar::Tensor createDense(poplar::Graph& graph, const poplar::Type& type,
                                  const std::vector<std::size_t>& shape,
                                  const poplar::DebugContext& dc) {
  const poplar::Tensor t = graph.addVariable(type, shape, dc);
  poputil::mapTensorLinearly(graph, t);
  return t;
}

inline dynamic::SparseTensor createSparse(poplar::Graph& graph, const poplar::Type& type,
                                          const Layout& layout, const poplar::DebugContext& dc) {
  return {createDense(graph, poplar::UNSIGNED_SHORT, {layout.buckets * layout.bucketElements()},
                      {dc, "metaInfo"}),
          createDense(graph, type, {layout.buckets * layout.valueElements()}, {dc, "nzValues"}),
          poputil::TensorMetaData(
              std::unique_ptr<poputil::TensorMetaDataBase>(new SparseMetaData(layout, {})))};
}

// The matrix of a dense operand of one group, [1, ., .].
inline poplar::Tensor operandOf(const poplar::Tensor& t, bool transposed, const char* operation) {
  if (t.rank() != 3 || t.dim(0) != 1) {
    throw poputil::poplibs_error(std::string(operation) +
                                 ": expected a dense operand of one group, [1, ., .], got " +
                                 t.shapeToString());
  }
  return transposed ? t[0].transpose() : t[0];
}

}  // namespace popsparse
