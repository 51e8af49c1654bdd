#ifndef poputil_VarStructure_hpp
#define poputil_VarStructure_hpp

#include <functional>
#include <poplar/Graph.hpp>
#include <utility>
#include <vector>

namespace poputil {

/// How many neighbours along the last dimension of `t` are stored in a row on one tile: a divisor
/// of that dimension. Throws poplibs_error for a scalar.
unsigned detectInnermostGrouping(const poplar::Graph& graph, const poplar::Tensor& t);

/// A dimension, and how many of its elements are stored in a row.
using GroupingInfo = std::pair<unsigned, unsigned>;

/// All groupings, the innermost first; a dimension may come more than once.
std::vector<GroupingInfo> detectDimGroupings(const poplar::Graph& graph, const poplar::Tensor& t);

/// A tensor, unmapped, whose partitions are contiguous: dimension d is split into nPartitions[d]
/// ranges of ceil(shape[d] / nPartitions[d]) elements, of which the last ones are
/// shorter or empty.
poplar::Tensor createPartitionableTensor(poplar::Graph& graph, const poplar::Type& type,
                                         const std::vector<std::size_t>& shape,
                                         const std::vector<std::size_t>& nPartitions,
                                         const poplar::DebugContext& debugContext = {});
/// Calls f(indices of the partition, its slice of t) for each of them.
void iterateTensorPartitions(
    const poplar::Tensor& t, const std::vector<std::size_t>& nPartitions,
    const std::function<void(const std::vector<std::size_t>& i, const poplar::Tensor& s)>& f);

}  // namespace poputil

#endif  // poputil_VarStructure_hpp
