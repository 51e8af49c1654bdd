#include "buckets.hpp"

#include <algorithm>

namespace popsnn {

std::vector<ReadList> lists_read(const NetworkSpec& network, const ReplicaPlan& replica,
                                 unsigned stage) {
  std::vector<ReadList> lists;
  const auto add = [&](std::size_t reader, std::size_t source, unsigned delay) {
    const std::size_t layer = NetworkSpec::firing(reader, source);
    const auto late = [&](const ReadList& list) {
      return network.layers[list.reader].late(list.source);
    };
    const ReadList list = {layer, delay, reader, source};
    if (lists.empty() || lists.back().layer != layer || late(lists.back()) || late(list))
      lists.push_back(list);
  };
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    if (replica.layers[l].stage != stage) continue;
    if (l > 0) add(l, 0, network.layers[l].delay);
    if (network.layers[l].recurrent) add(l, 1, 1);
  }
  return lists;
}

bool reads_late(const NetworkSpec& network) {
  return std::any_of(network.layers.begin(), network.layers.end(),
                     [](const LayerSpec& layer) { return layer.late(0) || layer.late(1); });
}

std::size_t forward_sizes_tile(const NetworkSpec& network, const ReplicaPlan& replica) {
  if (!reads_late(network)) return 0;
  std::vector<bool> has_list(replica.tiles.end);
  const auto add = [&](const ListPlan& list) {
    for (const SampleRange& range : list.ranges) has_list[range.tile] = true;
  };
  add(replica.input);
  for (const ListPlan& list : replica.lists) add(list);
  for (const std::array<ListPlan, 2>& sources : replica.arrivals)
    for (const ListPlan& list : sources) add(list);
  for (std::size_t tile = replica.tiles.begin; tile < replica.tiles.end; ++tile)
    if (!has_list[tile]) return tile;
  return 0;
}

std::size_t backward_sizes_tile(const NetworkSpec& network, std::size_t tiles) {
  return reads_late(network) ? tiles - 1 : 0;
}

}  // namespace popsnn
