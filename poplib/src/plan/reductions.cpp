#include "reductions.hpp"

#include <algorithm>

#include "products/cycles.hpp"

namespace popsnn {
namespace {

// Ranges of a layer's tiles whose partial gradients of a list are summed side by side:
// reduce_partials takes fewer rows then, scatter_spike_grad more.
std::size_t reduction_ranges(std::size_t sharers, std::size_t pairs, std::size_t slots,
                             std::size_t most) {
  const auto time = [=](std::size_t ranges) {
    return cycles::kWorkers *
               cycles::reduce_partials(unsigned(ceil_div(sharers, ranges)), unsigned(2 * pairs)) +
           cycles::scatter_spike_grad(1, unsigned(slots), unsigned(ranges));
  };
  std::size_t best = 1;
  for (std::size_t ranges = 2; ranges <= std::min(most, sharers); ++ranges)
    if (time(ranges) < time(best)) best = ranges;
  return best;
}

std::size_t pairs_of(std::size_t slots) { return ceil_div(slots, 2); }

}  // namespace

std::size_t Reduction::stretches(std::size_t slots) const {
  return ceil_div(pairs_of(slots), pairs);
}

std::vector<Reduction> reductions(const NetworkSpec& network, const ReplicaPlan& replica,
                                  unsigned stage, unsigned halvings) {
  std::vector<Reduction> all;
  for (std::size_t l = 0; l < network.layers.size(); ++l)
    for (std::size_t source = 0; source < network.layers[l].sources(); ++source)
      if (replica.layers[l].stage == stage && network.sends_gradient(l, source)) {
        all.emplace_back();
        all.back().layer = l;
        all.back().source = source;
        all.back().home = replica.layers[l].home;
      }
  const auto slots = [&](const Reduction& one) {
    return replica.slots_of(one.layer, one.source, halvings);
  };
  // Calls visit for those that share the home of `one`.
  const auto neighbours = [&](const Reduction& one, auto visit) {
    for (Reduction& other : all)
      if (other.home.begin == one.home.begin && other.home.end == one.home.end) visit(other);
  };
  const auto sharers = [&](const Reduction& one) { return replica.layers[one.layer].tiles; };
  const auto time = [&](const Reduction& one) { return cycles::reduce_pair(sharers(one)); };
  for (Reduction& one : all) {
    // A worker takes as many pairs as let all of a tile's share them.
    std::size_t together = 0;
    neighbours(one, [&](const Reduction& other) {
      together += replica.batch() * pairs_of(slots(other)) * time(other);
    });
    const std::size_t workers = cycles::kWorkers * one.home.size() * time(one);
    one.pairs = std::min(pairs_of(slots(one)), ceil_div(together, workers));
    one.weight = one.pairs * time(one);
  }
  for (Reduction& one : all) {
    neighbours(one, [&](const Reduction& other) {
      if (&other == &one) one.first = one.all;
      one.all += replica.batch() * other.stretches(slots(other)) * other.weight;
    });
    // Vertices of this kind that a tile has.
    const std::size_t vertices = one.all / (one.home.size() * one.weight) + 1;
    one.ranges = reduction_ranges(sharers(one), one.pairs, slots(one),
                                  std::max<std::size_t>(1, cycles::kWorkers / vertices));
  }
  if (halvings > 0) {
    const std::vector<Reduction> whole = reductions(network, replica, stage, 0);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].ranges = whole[i].ranges;
  }
  return all;
}

}  // namespace popsnn
