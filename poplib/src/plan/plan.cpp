#include "popsnn/plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "buckets.hpp"
#include "cost.hpp"
#include "memory.hpp"
#include "products/patterns.hpp"
#include "spread.hpp"

namespace popsnn {
namespace {

// The tiles of a replica that lie on the IPU of one of its layers.
Range home_of(const ReplicaPlan& replica, const LayerPlan& layer, std::size_t tiles_per_ipu) {
  const std::size_t ipu = layer.first_tile / tiles_per_ipu;
  if (ipu != (layer.first_tile + layer.tiles - 1) / tiles_per_ipu) return replica.tiles;
  return {std::max(replica.tiles.begin, ipu * tiles_per_ipu),
          std::min(replica.tiles.end, (ipu + 1) * tiles_per_ipu)};
}

// The samples of lists, one after another, are dealt over some tiles.
void deal_lists(const std::vector<ListPlan*>& lists, std::size_t batch, const Range& tiles) {
  const std::size_t samples = lists.size() * batch;
  const auto tile_of = [&](std::size_t i) { return tiles.begin + i * tiles.size() / samples; };
  for (std::size_t q = 0; q < lists.size(); ++q) {
    lists[q]->ranges.clear();
    lists[q]->zones.clear();
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
}

// Lists lie on the IPU of the layer that makes them, the input's on that of the first layer: masks
// and ids that crossed to tiles of other IPUs would come at the rate of the links.
void place_lists(ReplicaPlan& replica) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<ListPlan*>> lists;  // by home
  const auto add = [&](const Range& home, ListPlan& list) {
    lists[{home.begin, home.end}].push_back(&list);
  };
  add(replica.layers.front().home, replica.input);
  for (std::size_t l = 0; l < replica.layers.size(); ++l)
    if (replica.lists[l].slots > 0) add(replica.layers[l].home, replica.lists[l]);
  for (const auto& at : lists)
    deal_lists(at.second, replica.batch(), {at.first.first, at.first.second});
}

// By layer.
using DenseLayers = std::vector<DenseSources>;

ListPlan& read_list(ReplicaPlan& replica, std::size_t l, std::size_t source) {
  return source > 0 ? replica.lists[l] : l == 0 ? replica.input : replica.lists[l - 1];
}

// Of `plan` the numbers that are the same for all replicas count.
// It has `tiles_per_ipu` of the tiles of each IPU that it lies on, numbered one after another.
ReplicaPlan plan_replica(const NetworkSpec& network, const Plan& plan, const DenseLayers& dense,
                         Range samples, Range tiles, std::size_t tiles_per_ipu,
                         const poplar::Target& target) {
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
    replica.layers[l].dense = dense[l];
  }
  for (std::size_t l = 0; l < network.layers.size(); ++l)
    for (std::size_t source = 0; source < network.layers[l].sources(); ++source)
      if (dense[l][source]) read_list(replica, l, source).dense = true;
  for (std::size_t begin = 0, end = 0; begin < replica.layers.size(); begin = end) {
    while (end < replica.layers.size() && replica.layers[end].stage == replica.layers[begin].stage)
      ++end;
    spread_layers(network, plan, {begin, end}, tiles_per_ipu, target, replica);
  }
  for (LayerPlan& layer : replica.layers) layer.home = home_of(replica, layer, tiles_per_ipu);
  place_lists(replica);
  return replica;
}

// Which tiles each replica has.
struct Cut {
  std::size_t tiles;          // of a replica
  std::size_t tiles_per_ipu;  // of those
  std::size_t ipu_size;       // of the device
  std::size_t on_an_ipu;      // replicas

  // Of a replica its tile number `i`; what does not divide is left.
  std::size_t tile(std::size_t replica, std::size_t i) const {
    const std::size_t ipus = ceil_div(tiles, tiles_per_ipu);
    return (replica / on_an_ipu * ipus + i / tiles_per_ipu) * ipu_size +
           replica % on_an_ipu * tiles_per_ipu + i % tiles_per_ipu;
  }
};

// Each replica has an equal share of every IPU: a layer's replicas lie on one, and their gradients
// need no links.
Cut cut_every_ipu(std::size_t replicas, const poplar::Target& target) {
  const std::size_t size = target.getTilesPerIPU(), share = size / replicas;
  return {share * target.getNumIPUs(), share, size, replicas};
}

// Replicas lie on whole IPUs, or several on each.
Cut cut_device(std::size_t replicas, const poplar::Target& target) {
  const std::size_t size = target.getTilesPerIPU(), ipus = target.getNumIPUs();
  if (replicas <= ipus) return {target.getNumTiles() / replicas, size, size, 1};
  const std::size_t share = size / (replicas / ipus);
  return {share, share, size, replicas / ipus};
}

// What is tried: the replicas, whose segments have so many steps, and what else differs.
struct Trial {
  std::size_t replicas, segment;  // 0: as many steps as fit
  DenseLayers dense;
  unsigned sizes = 0;  // of exchanges; 0: one, as long as nobody has chosen
  bool tight = false, streamed = false;

  Trial with_segment(std::size_t steps, bool streams) const {
    Trial other = *this;
    other.segment = steps;
    other.streamed = streams;
    return other;
  }
};

// Whether a stage reads lists, whose exchanges may have several sizes.
bool reads_lists(const NetworkSpec& network, const Plan& plan) {
  for (unsigned stage = 0; stage < plan.stages; ++stage)
    if (!lists_read(network, plan.replicas[0], stage).empty()) return true;
  return false;
}

Plan plan_replicas(const NetworkSpec& network, const poplar::Target& target, const Trial& trial,
                   const Cut& cut) {
  const std::size_t replicas = trial.replicas;
  Plan plan;
  plan.streamed = trial.streamed;
  plan.tight = trial.tight;
  plan.short_ids = short_ids(network);
  plan.segment = std::min(network.steps, trial.segment);
  plan.replicas.resize(replicas);
  // The same for each: so are the pieces. The first has the most samples if any has more.
  const std::size_t most = ceil_div(network.batch, replicas);
  const ReplicaPlan first = plan_replica(network, plan, trial.dense, {0, most}, {0, cut.tiles},
                                         cut.tiles_per_ipu, target);
  for (std::size_t r = 0; r < replicas; ++r) {
    ReplicaPlan& replica = plan.replicas[r];
    replica = first;
    replica.samples = part_of({0, network.batch}, r, replicas);
    replica.tiles = {cut.tile(r, 0), cut.tile(r, cut.tiles - 1) + 1};
    for (LayerPlan& layer : replica.layers) {
      layer.first_tile = cut.tile(r, layer.first_tile);
      layer.home = {cut.tile(r, layer.home.begin), cut.tile(r, layer.home.end - 1) + 1};
    }
    place_lists(replica);
  }
  plan.stages = first.layers.back().stage + 1;
  if (trial.sizes > 0 && reads_lists(network, plan))
    plan.forward_sizes = plan.backward_sizes = trial.sizes;
  return plan;
}

// Whether every layer lies on one IPU, and what is kept near it.
bool layers_are_whole(const Plan& plan, const poplar::Target& target) {
  const std::size_t size = target.getTilesPerIPU();
  const std::vector<LayerPlan>& layers = plan.replicas[0].layers;
  return std::all_of(layers.begin(), layers.end(), [&](const LayerPlan& layer) {
    return layer.first_tile / size == (layer.first_tile + layer.tiles - 1) / size &&
           layer.home.begin / size == (layer.home.end - 1) / size;
  });
}

Plan plan_replicas(const NetworkSpec& network, const poplar::Target& target, const Trial& trial) {
  if (trial.replicas <= target.getTilesPerIPU()) {
    const Plan plan = plan_replicas(network, target, trial, cut_every_ipu(trial.replicas, target));
    if (layers_are_whole(plan, target)) return plan;
  }
  return plan_replicas(network, target, trial, cut_device(trial.replicas, target));
}

// With the states of every step, or, where they do not fit, by segments: keeping sqrt(T) states and
// working out as many at a time keeps the fewest. Where these do not fit either, checkpoints go to
// Streaming Memory, and segments become as short as is needed.
Plan plan_segments(const NetworkSpec& network, const poplar::Target& target, const Trial& trial) {
  const std::size_t segment = trial.segment;
  // A readout keeps all its states: alone it has none to work out again.
  const bool spikes = network.layers.front().kind == LayerKind::SparseLif;
  if (!spikes || segment == 0) {
    const Plan plan = plan_replicas(network, target, trial.with_segment(network.steps, false));
    if (!spikes || fits(network, plan, target)) return plan;
  }
  const auto root = std::size_t(std::ceil(std::sqrt(double(network.steps))));
  const Plan plan =
      plan_replicas(network, target, trial.with_segment(segment > 0 ? segment : root, false));
  if (plan.checkpoints(network.steps) == 0 || fits(network, plan, target)) return plan;
  for (std::size_t steps = segment > 0 ? segment : (network.steps + 1) / 2;;
       steps = (steps + 1) / 2) {
    const Plan streamed = plan_replicas(network, target, trial.with_segment(steps, true));
    if (segment > 0 || steps == 1 || fits(network, streamed, target)) return streamed;
  }
}

// The slowest layer's shares of gradients go to as many tiles that have none of its neurons, those
// with no neurons at all first, where that is faster and fits.
Plan with_shares_apart(const NetworkSpec& network, const Plan& plan, const poplar::Target& target) {
  const std::size_t l = slowest_layer(network, plan, target);
  if (!network.sends_gradient(l, 0)) return plan;
  const LayerPlan& slowest = plan.replicas[0].layers[l];
  std::vector<bool> taken(target.getNumTiles());
  for (const LayerPlan& layer : plan.replicas[0].layers)
    for (std::size_t tile = 0; tile < layer.tiles; ++tile) taken[layer.first_tile + tile] = true;
  std::vector<std::size_t> tiles;
  for (const bool others : {false, true})
    for (std::size_t tile = slowest.home.begin; tile < slowest.home.end; ++tile)
      if ((tile < slowest.first_tile || tile >= slowest.first_tile + slowest.tiles) &&
          taken[tile] == others)
        tiles.push_back(tile);
  if (tiles.size() < slowest.tiles) return plan;
  tiles.resize(slowest.tiles);
  Plan apart = plan;
  for (ReplicaPlan& replica : apart.replicas)
    for (std::size_t tile : tiles)
      replica.layers[l].share_tiles.push_back(tile - plan.replicas[0].tiles.begin +
                                              replica.tiles.begin);
  const bool faster = step_cost(network, apart, target) < step_cost(network, plan, target);
  return faster && fits(network, apart, target) ? apart : plan;
}

// Replicas that lie on whole IPUs, or several on each.
bool replicas_fit(std::size_t replicas, const NetworkSpec& network, const poplar::Target& target) {
  const std::size_t ipus = target.getNumIPUs();
  return replicas <= network.batch && replicas <= target.getNumTiles() &&
         (replicas % ipus == 0 || ipus % replicas == 0);
}

// The number of replicas that makes a training step fastest: more of them read each list's entry
// for more neurons, receive fewer lists and share fewer gradients, and take more memory.
Plan cheapest_plan(const NetworkSpec& network, const poplar::Target& target, Trial trial) {
  const auto plan_of = [&](std::size_t replicas) {
    trial.replicas = replicas;
    return with_shares_apart(network, plan_segments(network, target, trial), target);
  };
  if (trial.replicas > 0) return plan_of(trial.replicas);
  Plan best = plan_of(1);
  bool best_fits = fits(network, best, target);
  double least = step_cost(network, best, target);
  for (std::size_t replicas = 2; replicas * kWorkers <= network.batch; ++replicas) {
    if (!replicas_fit(replicas, network, target)) continue;
    const Plan plan = plan_of(replicas);
    if (!fits(network, plan, target) || plan.segment < best.segment) continue;
    const double cost = step_cost(network, plan, target);
    if (best_fits && cost >= least) continue;
    best = plan;
    best_fits = true;
    least = cost;
  }
  return best;
}

// With what a full tile is told of where nothing else fits: what is chosen where there is room may
// need a little more.
Plan fitting_plan(const NetworkSpec& network, const poplar::Target& target, const Trial& trial) {
  const Plan plan = cheapest_plan(network, target, trial);
  if (fits(network, plan, target)) return plan;
  Trial full = trial;
  full.tight = true;
  full.replicas = std::max<std::size_t>(1, trial.replicas);
  const Plan tight = plan_segments(network, target, full);
  return fits(network, tight, target) ? tight : plan;
}

// An input costs a dense weight gradient at least a row for eight samples, which is less only where
// an eighth of the inputs may fire.
bool worth_trying(const NetworkSpec& network, std::size_t l, std::size_t source) {
  const std::size_t places = source > 0 ? network.layers[l].capacity
                             : l == 0   ? network.input_capacity
                                        : network.layers[l - 1].capacity;
  return places * kPatternBits > network.source_size(l, source);
}

// Weight gradients are dense where that is faster and fits: first all that are worth trying, then
// by itself each that is not yet, or still.
Plan plan_dense(const NetworkSpec& network, const poplar::Target& target,
                const std::vector<Dense>& wanted, Trial trial) {
  constexpr std::size_t kMostTried =
      8;  // by itself: of hundreds of layers, planning takes as often
  const auto wish = [&](std::size_t l) {
    return wanted.empty() ? Dense::Auto : wanted.size() == 1 ? wanted[0] : wanted[l];
  };
  trial.dense.assign(network.layers.size(), {false, false});
  std::vector<std::pair<std::size_t, std::size_t>> open;
  for (std::size_t l = 0; l < network.layers.size(); ++l)
    for (std::size_t source = 0; source < network.layers[l].sources(); ++source) {
      if (wish(l) == Dense::Always) trial.dense[l][source] = true;
      if (wish(l) == Dense::Auto && worth_trying(network, l, source)) open.push_back({l, source});
    }
  Plan best = fitting_plan(network, target, trial);
  const auto attempt = [&](const Trial& other) {
    const Plan plan = fitting_plan(network, target, other);
    if (!fits(network, plan, target)) return;
    if (fits(network, best, target) &&
        step_cost(network, plan, target) >= step_cost(network, best, target))
      return;
    best = plan;
    trial = other;
  };
  if (open.empty()) return best;
  Trial all = trial;
  for (const auto& at : open) all.dense[at.first][at.second] = true;
  attempt(all);
  if (open.size() == 1 || open.size() > kMostTried) return best;
  for (const auto& at : open) {
    Trial other = trial;
    other.dense[at.first][at.second] = !other.dense[at.first][at.second];
    attempt(other);
  }
  return best;
}

// Sizes of exchanges where they pay and fit.
void plan_sizes(const NetworkSpec& network, const poplar::Target& target, Plan& plan) {
  if (!reads_lists(network, plan)) return;
  Plan sized = plan;
  sized.forward_sizes = worthwhile_sizes(network, plan, target, Direction::Forward);
  sized.backward_sizes = worthwhile_sizes(network, plan, target, Direction::Backward);
  if (fits(network, sized, target)) plan = sized;
}

}  // namespace

Range part_of(Range range, std::size_t i, std::size_t parts) {
  return {range.begin + range.size() * i / parts, range.begin + range.size() * (i + 1) / parts};
}

Range LayerPlan::neurons(std::size_t tile, const LayerSpec& layer) const {
  return {tile * neurons_per_tile, std::min(layer.neurons, (tile + 1) * neurons_per_tile)};
}

bool short_ids(const NetworkSpec& network) {
  return std::all_of(network.layers.begin(), network.layers.end(), [](const LayerSpec& layer) {
    return layer.inputs <= 65536 && layer.neurons <= 65536;
  });
}

std::size_t row_slots(std::size_t capacity) { return ceil_div(capacity, 4) * 4; }

std::size_t size_slots(std::size_t slots, unsigned halvings) {
  return row_slots(ceil_div(slots, std::size_t{1} << halvings));
}

Plan plan_network(const NetworkSpec& network, const poplar::Target& target,
                  const PlanOptions& options) {
  network.check();
  if (options.replicas > 0 && !replicas_fit(options.replicas, network, target))
    throw std::invalid_argument(
        "plan: replicas: expected at most the batch, " + std::to_string(network.batch) +
        ", and the device's " + std::to_string(target.getNumTiles()) +
        " tiles, and a multiple or a divisor of its " + std::to_string(target.getNumIPUs()) +
        " IPUs, got " + std::to_string(options.replicas));
  if (options.sizes > kMostSizes)
    throw std::invalid_argument("plan: sizes: expected at most " + std::to_string(kMostSizes) +
                                ", got " + std::to_string(options.sizes));
  if (options.dense.size() > 1 && options.dense.size() != network.layers.size())
    throw std::invalid_argument("plan: dense: expected one choice, or one for each of " +
                                std::to_string(network.layers.size()) + " layers, got " +
                                std::to_string(options.dense.size()));
  NetworkSpec planned = network;
  if (options.steps > 0) planned.steps = options.steps;
  Trial trial{options.replicas, options.segment, {}, options.sizes};
  Plan plan = plan_dense(planned, target, options.dense, trial);
  if (options.sizes == 0) plan_sizes(planned, target, plan);
  check_memory(planned, plan, target);
  plan.segment = std::min(plan.segment, network.steps);
  return plan;
}

}  // namespace popsnn
