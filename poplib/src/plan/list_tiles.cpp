#include "list_tiles.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "cost.hpp"

namespace popsnn {
namespace {

// A list, and the neurons whose masks are scanned for it: what its samples' other tiles are for.
struct WeightedList {
  ListPlan* list;
  std::size_t weight;
};

// Distributes the samples of lists, one after another, over some tiles; those that are left when
// each sample has one go by the lists' weights.
void distribute_lists(const std::vector<WeightedList>& weighted, std::size_t batch,
                      const Range& tiles) {
  std::vector<ListPlan*> lists;
  std::vector<std::size_t> before = {0};  // weights of the samples before, by sample
  for (const WeightedList& each : weighted) {
    lists.push_back(each.list);
    for (std::size_t b = 0; b < batch; ++b) before.push_back(before.back() + each.weight);
  }
  const std::size_t samples = lists.size() * batch;
  const auto tile_of = [&](std::size_t i) {
    if (tiles.size() <= samples || before.back() == 0)
      return tiles.begin + i * tiles.size() / samples;
    return tiles.begin + i + before[i] * (tiles.size() - samples) / before.back();
  };
  for (std::size_t q = 0; q < lists.size(); ++q) {
    lists[q]->ranges.clear();
    lists[q]->scan_tiles.clear();
    for (std::size_t b = 0; b < batch; ++b) {
      const std::size_t tile = tile_of(q * batch + b), next = tile_of(q * batch + b + 1);
      lists[q]->scan_tiles.push_back({tile, std::max(tile + 1, next)});
      std::vector<SampleRange>& ranges = lists[q]->ranges;
      if (ranges.empty() || ranges.back().tile != tile)
        ranges.push_back({tile, {b, b + 1}});
      else
        ranges.back().samples.end = b + 1;
    }
  }
}

// Cycles of each tile's neurons in the compute sets that lists of arrivals are made in; of a tile
// that has lists or scans masks for them, more than any neurons take.
std::vector<double> loads(const NetworkSpec& network, const Plan& plan, const ReplicaPlan& replica,
                          const poplar::Target& target) {
  constexpr std::size_t kScanning = 2;  // tiles of a sample
  std::vector<double> result(replica.tiles.end);
  for (std::size_t l = 0; l < replica.layers.size(); ++l) {
    const LayerPlan& layer = replica.layers[l];
    std::map<std::size_t, double> cycles;  // by neurons
    for (std::size_t tile = 0; tile < layer.tiles; ++tile) {
      const std::size_t neurons = layer.neurons(tile, network.layers[l]).size();
      if (cycles.count(neurons) == 0) {
        const LayerCost cost = layer_cost(network, plan, replica, l, neurons, target);
        cycles[neurons] = cost.step + cost.grad;
      }
      result[layer.first_tile + tile] += cycles[neurons];
    }
  }
  const double most = 1.0 + *std::max_element(result.begin(), result.end());
  const auto add_list = [&](const ListPlan& list) {
    for (const SampleRange& range : list.ranges) result[range.tile] += most;
    for (const Range& tiles : list.scan_tiles)
      for (std::size_t tile = tiles.begin + 1; tile < std::min(tiles.end, tiles.begin + kScanning);
           ++tile)
        result[tile] += most;
  };
  add_list(replica.input);
  for (const ListPlan& list : replica.lists) add_list(list);
  return result;
}

// Lists of arrivals lie on the tiles of those that fired whose loads are smallest: they are made
// while others compute.
void map_arrivals(const NetworkSpec& network, const Plan& plan, const poplar::Target& target,
                  ReplicaPlan& replica) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<ListPlan*>> by_home;
  for (std::size_t l = 0; l < network.layers.size(); ++l)
    for (std::size_t source = 0; source < network.layers[l].sources(); ++source)
      if (network.layers[l].late(source)) {
        const Range& home = replica.layers[NetworkSpec::firing(l, source)].home;
        by_home[{home.begin, home.end}].push_back(&replica.arrivals[l][source]);
      }
  if (by_home.empty()) return;
  const std::vector<double> load = loads(network, plan, replica, target);
  for (const auto& at : by_home) {
    std::vector<std::size_t> tiles(at.first.second - at.first.first);
    std::iota(tiles.begin(), tiles.end(), at.first.first);
    std::stable_sort(tiles.begin(), tiles.end(),
                     [&](std::size_t a, std::size_t b) { return load[a] < load[b]; });
    const std::size_t samples = at.second.size() * replica.batch();
    tiles.resize(std::min(tiles.size(), samples));
    for (std::size_t q = 0; q < at.second.size(); ++q) {
      std::vector<SampleRange>& ranges = at.second[q]->ranges;
      ranges.clear();
      for (std::size_t b = 0; b < replica.batch(); ++b) {
        const std::size_t tile = tiles[(q * replica.batch() + b) * tiles.size() / samples];
        if (ranges.empty() || ranges.back().tile != tile)
          ranges.push_back({tile, {b, b + 1}});
        else
          ranges.back().samples.end = b + 1;
      }
    }
  }
}

// Whether the rows dL/ds of a layer may be in parts: vertices that set the entries of a list read
// all gradients of them at once, and a step back takes no other entries. A neuron model of a user
// may take others. Of spikes that are read late a layer alone reads them, and its delays do not
// learn: then a list of arrivals has each spike that fired once.
bool may_part_rows(const NetworkSpec& network, const ReplicaPlan& replica, std::size_t l) {
  const LayerSpec& layer = network.layers[l];
  const bool masked = layer.model.codelet.empty() || layer.has_adjoint();
  if (layer.kind != LayerKind::SparseLif || layer.observed || !masked) return false;
  const bool above = l + 1 < network.layers.size();
  const bool loops_late = layer.late(1), read_late = above && network.layers[l + 1].late(0);
  if (loops_late || read_late) {
    const LayerSpec& reader = network.layers[loops_late ? l : l + 1];
    return !(above && layer.recurrent) && !reader.learns_axons(loops_late ? 1 : 0);
  }
  if (above && layer.recurrent) return replica.layers[l].stage == replica.layers[l + 1].stage;
  return above || layer.recurrent;
}

// Cuts rows dL/ds to parts on the tiles after a list's, and on as many of those that have no lists
// for each sample, until a tile of neurons receives for as long as a part is sent.
void part_rows(const NetworkSpec& network, ReplicaPlan& replica) {
  const auto before = [&](std::size_t l) {
    const Range& home = replica.layers[l].home;
    const std::size_t first = replica.list_tiles(home).begin;
    return Range{home.begin, replica.parts_before ? first : home.begin};
  };
  std::size_t samples = 0;  // whose rows have parts on tiles without lists
  for (std::size_t l = 0; l < replica.layers.size(); ++l)
    if (may_part_rows(network, replica, l) && before(l).size() > 0) samples += replica.batch();
  std::size_t next = 0;  // of those tiles
  for (std::size_t l = 0; l < replica.layers.size(); ++l) {
    ListPlan& list = replica.lists[l];
    list.row_tiles.clear();
    if (!may_part_rows(network, replica, l)) continue;
    const std::size_t received = replica.batch() * replica.layers[l].neurons_per_tile;
    const std::size_t others = before(l).size() == 0 ? 0 : before(l).size() / samples;
    std::size_t parts = ceil_div(network.layers[l].neurons, received);
    for (const Range& tiles : list.scan_tiles) parts = std::min(parts, tiles.size() - 1 + others);
    if (parts < 2) continue;
    for (const Range& tiles : list.scan_tiles) {
      std::vector<std::size_t> of_sample(std::min(parts, tiles.size() - 1));
      std::iota(of_sample.begin(), of_sample.end(), tiles.begin + 1);
      for (std::size_t other = 0; of_sample.size() < parts; ++other)
        of_sample.push_back(before(l).begin + next + other);
      list.row_tiles.push_back(of_sample);
      next += others;
    }
  }
}

// A home without as many tiles at its end as there are samples of lists of arrivals, where these
// tiles have no neurons: each sample then has one with nothing else to do (partition.cpp).
// `samples`: of the other lists, one a tile.
Range without_spared(const NetworkSpec& network, const ReplicaPlan& replica, const Range& home,
                     std::size_t samples) {
  std::size_t arrivals = 0, end = home.begin;
  for (std::size_t l = 0; l < replica.layers.size(); ++l) {
    const LayerPlan& layer = replica.layers[l];
    if (layer.home.begin != home.begin || layer.home.end != home.end) continue;
    end = std::max(end, layer.first_tile + layer.tiles);
    for (std::size_t source = 0; source < network.layers[l].sources(); ++source)
      if (network.layers[l].late(source)) arrivals += replica.batch();
  }
  const bool spared = end + arrivals <= home.end && home.begin + samples + arrivals <= home.end;
  return spared ? Range{home.begin, home.end - arrivals} : home;
}

}  // namespace

// Lists lie on the IPU of the layer that makes them, the input's on that of the first layer: masks
// and ids that cross to another IPU are limited by the rate of the links.
void map_lists(const NetworkSpec& network, const Plan& plan, const poplar::Target& target,
               ReplicaPlan& replica) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<WeightedList>> lists;  // by home
  const auto add = [&](const Range& home, ListPlan& list, std::size_t weight) {
    lists[{home.begin, home.end}].push_back({&list, weight});
  };
  // Bits of the input are found on several tiles where a gradient with them is dense.
  add(replica.layers.front().home, replica.input,
      replica.input.dense ? network.layers.front().inputs : 0);
  for (std::size_t l = 0; l < replica.layers.size(); ++l)
    if (replica.lists[l].padded_capacity > 0)
      add(replica.layers[l].home, replica.lists[l], network.layers[l].neurons);
  for (const auto& at : lists) {
    const std::size_t samples = at.second.size() * replica.batch();
    const Range home = without_spared(network, replica, {at.first.first, at.first.second}, samples);
    distribute_lists(at.second, replica.batch(), replica.list_tiles(home));
  }
  part_rows(network, replica);
  map_arrivals(network, plan, target, replica);
}

}  // namespace popsnn
