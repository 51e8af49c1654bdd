#ifndef popops_HostSliceTensor_hpp
#define popops_HostSliceTensor_hpp

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>
#include <vector>

namespace popops {

struct IndicesAndTensor {
  poplar::Tensor indices;
  poplar::Tensor tensor;
};

// Tensors for copies with the host: packets of 1 KiB, distributed over the tiles. `offset` are
// bytes that are taken to be on the tiles before; `isRead`, whether the host reads, changes
// nothing.

/// A tensor of rank 2, and UNSIGNED_INT {shape[0]} for the rows of a remote buffer.
IndicesAndTensor createHostSliceableTensor(poplar::Graph& graph, const poplar::Type& type,
                                           const std::vector<std::size_t>& shape, const bool isRead,
                                           const poplar::DebugContext& debugContext = {});
IndicesAndTensor createHostSliceableTensor(poplar::Graph& graph, const poplar::Type& type,
                                           const std::vector<std::size_t>& shape, const bool isRead,
                                           const std::size_t offset,
                                           const poplar::DebugContext& debugContext = {});

poplar::Tensor createHostTransferableTensor(poplar::Graph& graph, const poplar::Type& type,
                                            const std::vector<std::size_t>& shape, bool isRead,
                                            const poplar::DebugContext& debugContext = {});
poplar::Tensor createHostTransferableTensor(poplar::Graph& graph, const poplar::Type& type,
                                            const std::vector<std::size_t>& shape, bool isRead,
                                            const std::size_t offset,
                                            const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_HostSliceTensor_hpp
