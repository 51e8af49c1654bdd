#include "buckets.hpp"

namespace popsnn {

std::vector<ReadList> lists_read(const NetworkSpec& network, const ReplicaPlan& replica,
                                 unsigned stage) {
  std::vector<ReadList> lists;
  const auto add = [&](std::size_t layer, unsigned delay) {
    if (lists.empty() || lists.back().layer != layer) lists.push_back({layer, delay});
  };
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    if (replica.layers[l].stage != stage) continue;
    if (l > 0) add(l - 1, network.layers[l].delay);
    if (network.layers[l].recurrent) add(l, 1);
  }
  return lists;
}

}  // namespace popsnn
