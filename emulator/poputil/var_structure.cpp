#include <algorithm>
#include <numeric>
#include <poplar/emulator/Sizes.hpp>
#include <poputil/Util.hpp>
#include <poputil/VarStructure.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {

using namespace poplar;
using Shape = std::vector<std::size_t>;

namespace {

// Gives their number.
std::size_t checkPartitions(std::size_t rank, const Shape& partitions, const char* operation) {
  if (partitions.size() != rank ||
      std::find(partitions.begin(), partitions.end(), 0u) != partitions.end()) {
    throw poplibs_error(std::string(operation) + ": expected a number of partitions above 0 for " +
                        "each of the " + std::to_string(rank) + " dimensions, got " +
                        std::to_string(partitions.size()) + " numbers");
  }
  return emulator::checkedElements(operation, partitions);
}

Interval partition(std::size_t n, std::size_t blocks, std::size_t i) {
  const std::size_t each = (n + blocks - 1) / blocks;
  return Interval(std::min(i * each, n), std::min((i + 1) * each, n));
}

// The blocks of dimensions [dim, rank), made by `create` for the sizes of all dimensions.
Tensor assemble(const Shape& shape, const Shape& partitions, Shape block,
                const std::function<Tensor(const Shape&)>& create) {
  const std::size_t dim = block.size();
  if (dim == shape.size()) return create(block);
  std::vector<Tensor> blocks;
  for (std::size_t i = 0; i < partitions[dim]; ++i) {
    Shape longer = block;
    longer.push_back(partition(shape[dim], partitions[dim], i).size());
    blocks.push_back(assemble(shape, partitions, longer, create));
  }
  return concat(blocks, static_cast<unsigned>(dim));
}

}  // namespace

unsigned detectInnermostGrouping(const Graph& graph, const Tensor& t) {
  if (t.rank() == 0) {
    throw poplibs_error("detectInnermostGrouping: expected a tensor of rank 1 or more, got {}");
  }
  if (t.numElements() == 0) return 1;
  Tensor row = t;
  while (row.rank() != 1) row = row[0];
  // The first of the row that are stored one after another, and the most of it on one tile.
  const std::size_t contiguous = row.getContiguousRegions().front().size();
  std::size_t longest = 0;
  for (const auto& regions : graph.getTileMapping(row, false)) {
    for (const Interval& r : regions) longest = std::max<std::size_t>(longest, r.size());
  }
  const std::size_t grouping = std::gcd(contiguous, longest);
  return row.numElements() % grouping == 0 ? static_cast<unsigned>(grouping) : 1;
}

std::vector<GroupingInfo> detectDimGroupings(const Graph& graph, const Tensor& t) {
  if (t.rank() == 0) {
    throw poplibs_error("detectDimGroupings: expected a tensor of rank 1 or more, got {}");
  }
  std::vector<GroupingInfo> out;
  const unsigned dims = t.rank();
  Tensor rest = t;     // the dimensions of t, cut by the groupings found, and those behind them
  unsigned inner = 1;  // elements of the latter
  for (;;) {
    GroupingInfo best(0, 1);
    for (unsigned d = 0; d < dims; ++d) {
      if (rest.dim(d) == 1) continue;
      const unsigned all =
          detectInnermostGrouping(graph, rest.dimRoll(d, dims - 1).flatten(dims - 1, rest.rank()));
      const unsigned own =
          all % inner != 0 ? 1
                           : static_cast<unsigned>(std::gcd<std::size_t>(all / inner, rest.dim(d)));
      if (own > best.second) best = {d, own};
    }
    if (best.second == 1) return out;
    out.push_back(best);
    inner *= best.second;
    const unsigned d = best.first;
    rest = rest.reshapePartial(d, d + 1, {rest.dim(d) / best.second, best.second})
               .dimRoll(d + 1, dims);
  }
}

Tensor createPartitionableTensor(Graph& graph, const Type& type, const Shape& shape,
                                 const Shape& nPartitions, const DebugContext& debugContext) {
  checkPartitions(shape.size(), nPartitions, "createPartitionableTensor");
  const std::size_t elements = emulator::checkedElements("createPartitionableTensor", shape);
  const Tensor all = graph.addVariable(type, {elements}, debugContext);
  std::size_t used = 0;
  return assemble(shape, nPartitions, {}, [&](const Shape& block) {
    const std::size_t n = emulator::checkedElements("createPartitionableTensor", block);
    used += n;
    return all.slice(used - n, used).reshape(block);
  });
}

void iterateTensorPartitions(const Tensor& t, const Shape& nPartitions,
                             const std::function<void(const Shape& i, const Tensor& s)>& f) {
  const std::size_t n = checkPartitions(t.rank(), nPartitions, "iterateTensorPartitions");
  for (std::size_t index = 0; index < n; ++index) {
    const Shape i = unflattenIndex(nPartitions, index);
    Tensor block = t;
    for (unsigned d = 0; d < t.rank(); ++d) {
      block = block.slice(partition(t.dim(d), nPartitions[d], i[d]), d);
    }
    f(i, block);
  }
}

}  // namespace poputil
