#include "popsnn/plan.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "memory.hpp"

namespace popsnn {
namespace {

constexpr std::size_t kColumnPair = 2;  // neurons whose fp32 weights one 64-bit load brings

std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// Work of a neuron in one step: the rows that its inputs may bring, and its own update.
double work_per_neuron(const ReplicaPlan& replica, const LayerSpec& layer, std::size_t l) {
  double rows = 8.0;
  for (std::size_t source = 0; source < layer.sources(); ++source)
    rows += double(replica.list_of(l, source).slots);
  return rows;
}

// Neurons per tile such that the layers of a stage share the replica's tiles and the busiest tile
// has the least work.
void spread_stage(const NetworkSpec& network, ReplicaPlan& replica, Range stage) {
  // Raising the allowed work per tile by the smallest step that frees a tile ends at the optimum:
  // the number of tiles only falls as neurons per tile rise.
  std::vector<LayerPlan>& plans = replica.layers;
  const std::size_t tiles = replica.tiles.size();
  auto tiles_needed = [&] {
    std::size_t needed = 0;
    for (std::size_t l = stage.begin; l < stage.end; ++l)
      needed += ceil_div(network.layers[l].neurons, plans[l].neurons_per_tile);
    return needed;
  };
  if (tiles < stage.size()) {  // too few to keep layers apart: each lies on all of them
    for (std::size_t l = stage.begin; l < stage.end; ++l) {
      const std::size_t share = ceil_div(network.layers[l].neurons, tiles);
      plans[l].neurons_per_tile = ceil_div(share, kColumnPair) * kColumnPair;
      plans[l].tiles = ceil_div(network.layers[l].neurons, plans[l].neurons_per_tile);
      plans[l].first_tile = replica.tiles.begin;
    }
    return;
  }
  for (std::size_t l = stage.begin; l < stage.end; ++l) plans[l].neurons_per_tile = kColumnPair;
  while (tiles_needed() > tiles) {
    std::size_t next = stage.end;
    double least = 0.0;
    for (std::size_t l = stage.begin; l < stage.end; ++l) {
      if (plans[l].neurons_per_tile >= network.layers[l].neurons) continue;
      const double work = work_per_neuron(replica, network.layers[l], l) *
                          double(plans[l].neurons_per_tile + kColumnPair);
      if (next == stage.end || work < least) {
        next = l;
        least = work;
      }
    }
    plans[next].neurons_per_tile += kColumnPair;
  }
  std::size_t first_tile = replica.tiles.begin;
  for (std::size_t l = stage.begin; l < stage.end; ++l) {
    plans[l].tiles = ceil_div(network.layers[l].neurons, plans[l].neurons_per_tile);
    plans[l].first_tile = first_tile;
    first_tile += plans[l].tiles;
  }
}

// The samples of all lists, one after another, are dealt over the replica's tiles.
void place_lists(ReplicaPlan& replica) {
  std::vector<ListPlan*> lists = {&replica.input};
  for (ListPlan& list : replica.lists)
    if (list.slots > 0) lists.push_back(&list);
  const std::size_t batch = replica.batch(), tiles = replica.tiles.size();
  const std::size_t samples = lists.size() * batch;
  const auto tile_of = [&](std::size_t i) { return replica.tiles.begin + i * tiles / samples; };
  for (std::size_t q = 0; q < lists.size(); ++q)
    for (std::size_t b = 0; b < batch; ++b) {
      const std::size_t tile = tile_of(q * batch + b), next = tile_of(q * batch + b + 1);
      lists[q]->zones.push_back({tile, std::max(tile + 1, next)});
      std::vector<SampleRange>& ranges = lists[q]->ranges;
      if (ranges.empty() || ranges.back().tile != tile)
        ranges.push_back({tile, {b, b + 1}});
      else
        ranges.back().samples.end = b + 1;
    }
}

ReplicaPlan plan_replica(const NetworkSpec& network, Range samples, Range tiles) {
  ReplicaPlan replica;
  replica.samples = samples;
  replica.tiles = tiles;
  replica.input.slots = row_slots(network.input_capacity);
  replica.layers.resize(network.layers.size());
  replica.lists.resize(network.layers.size());
  unsigned stage = 0;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const LayerSpec& layer = network.layers[l];
    if (layer.kind == LayerKind::SparseLif) replica.lists[l].slots = row_slots(layer.capacity);
    // A layer without delay waits for the lists of the one before: a new stage begins.
    if (l > 0 && layer.delay == 0) ++stage;
    replica.layers[l].stage = stage;
  }
  for (std::size_t begin = 0, end = 0; begin < replica.layers.size(); begin = end) {
    while (end < replica.layers.size() && replica.layers[end].stage == replica.layers[begin].stage)
      ++end;
    spread_stage(network, replica, {begin, end});
  }
  place_lists(replica);
  return replica;
}

}  // namespace

Range part_of(Range range, std::size_t i, std::size_t parts) {
  return {range.begin + range.size() * i / parts, range.begin + range.size() * (i + 1) / parts};
}

Range LayerPlan::neurons(std::size_t tile, const LayerSpec& layer) const {
  return {tile * neurons_per_tile, std::min(layer.neurons, (tile + 1) * neurons_per_tile)};
}

std::size_t row_slots(std::size_t capacity) { return ceil_div(capacity, 4) * 4; }

Plan plan_network(const NetworkSpec& network, const poplar::Target& target,
                  const PlanOptions& options) {
  network.check();
  const std::size_t replicas = std::max<std::size_t>(1, options.replicas);
  if (replicas > network.batch || replicas > target.getNumTiles())
    throw std::invalid_argument("plan: replicas: expected at most the batch, " +
                                std::to_string(network.batch) + ", and the device's " +
                                std::to_string(target.getNumTiles()) + " tiles, got " +
                                std::to_string(replicas));
  Plan plan;
  plan.short_ids = true;
  for (const LayerSpec& layer : network.layers)
    plan.short_ids = plan.short_ids && layer.inputs <= 65536 && layer.neurons <= 65536;
  const std::size_t tiles =
      target.getNumTiles() / replicas;  // the same for each: so are the pieces
  for (std::size_t r = 0; r < replicas; ++r)
    plan.replicas.push_back(plan_replica(network, part_of({0, network.batch}, r, replicas),
                                         {r * tiles, (r + 1) * tiles}));
  plan.stages = plan.replicas.front().layers.back().stage + 1;
  // A readout keeps all its states: alone it has none to work out again.
  const bool spikes = network.layers.front().kind == LayerKind::SparseLif;
  const bool chosen = spikes && options.segment > 0;
  plan.segment = chosen ? std::min(network.steps, options.segment) : network.steps;
  // Keeping sqrt(T) states and working out as many at a time keeps the fewest.
  if (spikes && !chosen && !fits(network, plan, target))
    plan.segment = std::size_t(std::ceil(std::sqrt(double(network.steps))));
  check_memory(network, plan, target);
  return plan;
}

}  // namespace popsnn
