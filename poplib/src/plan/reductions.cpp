#include "reductions.hpp"

#include <algorithm>

#include "lists/cycles.hpp"
#include "products/cycles.hpp"

namespace popsnn {
namespace {

// The number of tile ranges whose partial sums of a list are summed in parallel: with more of them
// reduce_partials has fewer rows, the vertices that take the sums of the ranges more. The next
// lists are fetched meanwhile.
std::size_t best_tile_ranges(const ReplicaPlan& replica, const Reduction& reduction,
                             std::size_t entries, std::size_t most, bool short_ids) {
  const std::size_t tiles = replica.layers[reduction.layer].tiles;
  const unsigned listed = unsigned(entries);
  const bool own = reduction.layer > 0 || reduction.source > 0;  // a layer's list, not the input
  const ListPlan& list = replica.fired_list(reduction.layer, reduction.source);
  const std::size_t parts = own && !list.row_tiles.empty() ? list.row_tiles.front().size() : 0;
  const std::uint64_t fetch = cycles::fetch_list(1, listed, short_ids, parts > 0);
  const auto time = [&](std::size_t ranges) {
    const std::uint64_t sum =
        cycles::kWorkers *
        cycles::reduce_partials(unsigned(ceil_div(tiles, ranges)), unsigned(2 * reduction.pairs));
    // A tile of a part receives a word for each entry and range.
    const std::uint64_t taken =
        parts > 0 ? cycles::set_spike_grad(listed, unsigned(parts), unsigned(ranges), short_ids)
                  : cycles::scatter_spike_grad(1, listed, unsigned(ranges));
    return std::max(sum, fetch) + taken + ranges * entries;
  };
  std::size_t best = 1;
  for (std::size_t ranges = 2; ranges <= std::min(most, tiles); ++ranges)
    if (time(ranges) < time(best)) best = ranges;
  return best;
}

// The tiles of a home that have room; where they are many, without those that fetch lists.
std::vector<std::size_t> summing_tiles(const ReplicaPlan& replica, const Range& home) {
  const Range tiles = replica.list_tiles(home);
  std::vector<bool> fetches(home.end);
  const auto add = [&](const ListPlan& list) {
    for (const SampleRange& range : list.ranges)
      if (range.tile < home.end) fetches[range.tile] = true;
  };
  add(replica.input);
  for (const ListPlan& list : replica.lists) add(list);
  std::vector<std::size_t> all, others;
  for (std::size_t tile = tiles.begin; tile < tiles.end; ++tile) {
    all.push_back(tile);
    if (!fetches[tile]) others.push_back(tile);
  }
  return 2 * others.size() < all.size() ? all : others;
}

std::size_t pairs_of(std::size_t entries) { return ceil_div(entries, 2); }

}  // namespace

std::size_t Reduction::entry_ranges(std::size_t entries) const {
  return ceil_div(pairs_of(entries), pairs);
}

std::vector<Reduction> reductions(const NetworkSpec& network, const ReplicaPlan& replica,
                                  unsigned stage, unsigned bucket) {
  std::vector<Reduction> all;
  for (std::size_t l = 0; l < network.layers.size(); ++l)
    for (std::size_t source = 0; source < network.layers[l].sources(); ++source)
      if (replica.layers[l].stage == stage && network.sends_gradient(l, source)) {
        all.emplace_back();
        all.back().layer = l;
        all.back().source = source;
        all.back().home = replica.layers[l].home;
        all.back().tiles = summing_tiles(replica, all.back().home);
      }
  const auto entries = [&](const Reduction& reduction) {
    return replica.capacity_of(reduction.layer, reduction.source, bucket);
  };
  // Calls visit for all reductions on the home of `reduction`.
  const auto on_home = [&](const Reduction& reduction, auto visit) {
    for (Reduction& other : all)
      if (other.home.begin == reduction.home.begin && other.home.end == reduction.home.end)
        visit(other);
  };
  const auto tiles = [&](const Reduction& reduction) {
    return replica.layers[reduction.layer].tiles;
  };
  const auto time = [&](const Reduction& reduction) {
    return cycles::reduce_pair(tiles(reduction));
  };
  for (Reduction& reduction : all) {
    // A worker takes so many pairs that all workers of the home have some.
    std::size_t together = 0;
    on_home(reduction, [&](const Reduction& other) {
      together += replica.batch() * pairs_of(entries(other)) * time(other);
    });
    const std::size_t workers = cycles::kWorkers * reduction.tiles.size() * time(reduction);
    reduction.pairs = std::min(pairs_of(entries(reduction)), ceil_div(together, workers));
    reduction.weight = reduction.pairs * time(reduction);
  }
  for (Reduction& reduction : all) {
    on_home(reduction, [&](const Reduction& other) {
      if (&other == &reduction) reduction.first = reduction.total;
      reduction.total += replica.batch() * other.entry_ranges(entries(other)) * other.weight;
    });
    // Vertices of this kind that a tile has.
    const std::size_t vertices = reduction.total / (reduction.tiles.size() * reduction.weight) + 1;
    reduction.tile_ranges =
        best_tile_ranges(replica, reduction, entries(reduction),
                         std::max<std::size_t>(1, cycles::kWorkers / vertices), short_ids(network));
  }
  if (bucket > 0) {
    const std::vector<Reduction> whole = reductions(network, replica, stage, 0);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].tile_ranges = whole[i].tile_ranges;
  }
  return all;
}

}  // namespace popsnn
