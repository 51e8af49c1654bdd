#ifndef popops_TopK_hpp
#define popops_TopK_hpp

#include <ostream>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/SortOrder.hpp>
#include <utility>
#include <vector>

namespace popops {

struct TopKParams {
  TopKParams(unsigned k_, bool largest_, SortOrder sortOrder_, bool stableSort_ = false) noexcept
      : k(k_), largest(largest_), sortOrder(sortOrder_), stableSort(stableSort_) {}

  unsigned k;
  bool largest;  // else the smallest
  SortOrder sortOrder;
  bool stableSort;
};

std::ostream& operator<<(std::ostream& out, const TopKParams& params);

/// A tensor for topK(): each row along the last dimension lies on one tile.
poplar::Tensor createTopKInput(poplar::Graph& graph, const poplar::Type& type,
                               const std::vector<std::size_t>& shape, const TopKParams& params,
                               const poplar::DebugContext& debugContext = {});

/// The k largest (or smallest) elements along the last dimension, in the order that is asked for.
/// Of equal elements the first ones count.
poplar::Tensor topK(poplar::Graph& graph, poplar::program::Sequence& prog, const poplar::Tensor& t,
                    const TopKParams& params, const poplar::DebugContext& debugContext = {});
/// The keys, and the values at their indices.
std::pair<poplar::Tensor, poplar::Tensor> topKKeyValue(
    poplar::Graph& graph, poplar::program::Sequence& prog, const poplar::Tensor& keys,
    const poplar::Tensor& values, const TopKParams& params,
    const poplar::DebugContext& debugContext = {});
/// The elements, and their indices along the last dimension (unsigned int).
std::pair<poplar::Tensor, poplar::Tensor> topKWithPermutation(
    poplar::Graph& graph, poplar::program::Sequence& prog, const poplar::Tensor& t,
    const TopKParams& params, const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_TopK_hpp
