#include "popsnn/plan.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "buckets.hpp"
#include "cost.hpp"
#include "list_tiles.hpp"
#include "memory.hpp"
#include "partition.hpp"
#include "products/patterns.hpp"

namespace popsnn {
namespace {

// The tiles of a replica that lie on the IPU of one of its layers.
Range home_of(const ReplicaPlan& replica, const LayerPlan& layer, std::size_t tiles_per_ipu) {
  const std::size_t ipu = layer.first_tile / tiles_per_ipu;
  if (ipu != (layer.first_tile + layer.tiles - 1) / tiles_per_ipu) return replica.tiles;
  return {std::max(replica.tiles.begin, ipu * tiles_per_ipu),
          std::min(replica.tiles.end, (ipu + 1) * tiles_per_ipu)};
}

// Of lists of arrivals, of which whole ones are rare and long: a plan without room for another
// bucket would move whole lists at each time step.
constexpr unsigned kLeastLateSizes = 2;

// By layer.
using DenseLayers = std::vector<DenseSources>;

ListPlan& read_list(ReplicaPlan& replica, std::size_t l, std::size_t source) {
  return source > 0 ? replica.lists[l] : l == 0 ? replica.input : replica.lists[l - 1];
}

// Only those members of `plan` are read that are the same for all replicas. The replica has
// `tiles_per_ipu` tiles of each IPU that it lies on, numbered consecutively.
ReplicaPlan plan_replica(const NetworkSpec& network, const Plan& plan, const DenseLayers& dense,
                         Range samples, Range tiles, std::size_t tiles_per_ipu,
                         const poplar::Target& target, bool roomy) {
  ReplicaPlan replica;
  replica.samples = samples;
  replica.tiles = tiles;
  replica.input.padded_capacity = pad_capacity(network.input_capacity);
  replica.layers.resize(network.layers.size());
  replica.lists.resize(network.layers.size());
  replica.arrivals.resize(network.layers.size());
  unsigned stage = 0;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const LayerSpec& layer = network.layers[l];
    if (layer.kind == LayerKind::SparseLif)
      replica.lists[l].padded_capacity = pad_capacity(layer.capacity);
    for (std::size_t source = 0; source < layer.sources(); ++source)
      if (layer.late(source)) {
        ListPlan& arrivals = replica.arrivals[l][source];
        arrivals.padded_capacity = pad_capacity(layer.arrivals_of(source));
        arrivals.at_once = network.at_once(l, source);
        arrivals.neighbors = layer.learns_axons(source);
      }
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
    partition_layers(network, plan, {begin, end}, tiles_per_ipu, target, roomy, replica);
  }
  for (LayerPlan& layer : replica.layers) layer.home = home_of(replica, layer, tiles_per_ipu);
  map_lists(network, plan, target, replica);
  return replica;
}

// The tiles of each replica.
struct Cut {
  std::size_t tiles;          // of a replica
  std::size_t tiles_per_ipu;  // of those
  std::size_t ipu_size;       // of the device
  std::size_t on_an_ipu;      // replicas

  // A replica's tile number `i`; tiles left by the division stay unused.
  std::size_t tile(std::size_t replica, std::size_t i) const {
    const std::size_t ipus = ceil_div(tiles, tiles_per_ipu);
    return (replica / on_an_ipu * ipus + i / tiles_per_ipu) * ipu_size +
           replica % on_an_ipu * tiles_per_ipu + i % tiles_per_ipu;
  }
};

// Each replica has as many tiles of every IPU: a layer's replicas lie on one IPU, and their
// gradients need no links.
Cut cut_every_ipu(std::size_t replicas, const poplar::Target& target) {
  const std::size_t size = target.getTilesPerIPU(), tiles = size / replicas;
  return {tiles * target.getNumIPUs(), tiles, size, replicas};
}

// Replicas lie on whole IPUs, or several on each.
Cut cut_device(std::size_t replicas, const poplar::Target& target) {
  const std::size_t size = target.getTilesPerIPU(), ipus = target.getNumIPUs();
  if (replicas <= ipus) return {target.getNumTiles() / replicas, size, size, 1};
  const std::size_t tiles = size / (replicas / ipus);
  return {tiles, tiles, size, replicas / ipus};
}

// A candidate: replicas, the time steps of their checkpoint intervals, and the other choices.
struct Trial {
  std::size_t replicas, checkpoint_interval;  // 0: as many time steps as fit
  DenseLayers dense;
  // Buckets of exchanges; 0: one, or so many of late lists, until they are chosen.
  unsigned sizes = 0, late_sizes = kLeastLateSizes;
  bool tight = false, streamed = false, even = false, roomy = false;
  bool remote_partials = true;  // where they pay

  Trial with_interval(std::size_t steps, bool streams) const {
    Trial other = *this;
    other.checkpoint_interval = steps;
    other.streamed = streams;
    return other;
  }
};

// Whether a stage reads lists, whose exchanges may have several buckets.
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
  plan.even = trial.even;
  plan.short_ids = short_ids(network);
  plan.checkpoint_interval = std::min(network.steps, trial.checkpoint_interval);
  plan.replicas.resize(replicas);
  // Replicas are equal, and so are their shards. The first has the most samples if any has more.
  const std::size_t most = ceil_div(network.batch, replicas);
  const ReplicaPlan first = plan_replica(network, plan, trial.dense, {0, most}, {0, cut.tiles},
                                         cut.tiles_per_ipu, target, trial.roomy);
  for (std::size_t r = 0; r < replicas; ++r) {
    ReplicaPlan& replica = plan.replicas[r];
    replica = first;
    replica.samples = subrange({0, network.batch}, r, replicas);
    replica.tiles = {cut.tile(r, 0), cut.tile(r, cut.tiles - 1) + 1};
    for (LayerPlan& layer : replica.layers) {
      layer.first_tile = cut.tile(r, layer.first_tile);
      layer.home = {cut.tile(r, layer.home.begin), cut.tile(r, layer.home.end - 1) + 1};
    }
    map_lists(network, plan, target, replica);
  }
  plan.stages = first.layers.back().stage + 1;
  const unsigned sizes = trial.sizes > 0 ? trial.sizes : reads_late(network) ? trial.late_sizes : 1;
  if (reads_lists(network, plan)) plan.forward_sizes = plan.backward_sizes = sizes;
  return plan;
}

// Whether every layer lies on one IPU, and its lists too.
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

// Stores the states of every time step, or, where they do not fit, checkpoints: intervals of
// sqrt(T) time steps need the fewest states. Where these do not fit either, checkpoints go to
// Streaming Memory, and intervals become as short as is needed.
Plan plan_intervals(const NetworkSpec& network, const poplar::Target& target, const Trial& trial) {
  const std::size_t checkpoint_interval = trial.checkpoint_interval;
  // A readout stores all its states: a network of a readout alone recomputes none.
  const bool spikes = network.layers.front().kind == LayerKind::SparseLif;
  if (!spikes || checkpoint_interval == 0) {
    const Plan plan = plan_replicas(network, target, trial.with_interval(network.steps, false));
    if (!spikes || fits(network, plan, target)) return plan;
  }
  const auto root = std::size_t(std::ceil(std::sqrt(double(network.steps))));
  const Plan plan = plan_replicas(
      network, target,
      trial.with_interval(checkpoint_interval > 0 ? checkpoint_interval : root, false));
  if (plan.checkpoints(network.steps) == 0 || fits(network, plan, target)) return plan;
  for (std::size_t steps = checkpoint_interval > 0 ? checkpoint_interval : (network.steps + 1) / 2;;
       steps = (steps + 1) / 2) {
    const Plan streamed = plan_replicas(network, target, trial.with_interval(steps, true));
    if (checkpoint_interval > 0 || steps == 1 || fits(network, streamed, target)) return streamed;
  }
}

// Leaves as many entries of a layer's remote partial sums to the tiles of its neurons as make a
// step fastest.
Plan with_own_entries(const NetworkSpec& network, const Plan& plan, std::size_t l,
                      const poplar::Target& target) {
  constexpr std::size_t kFractions = 32;  // of the list's entries: two or three of 72
  const ReplicaPlan& replica = plan.replicas[0];
  // Of arrivals those of a usual list.
  const std::size_t capacity =
      network.layers[l].late(0)
          ? replica.arrivals[l][0].usual(replica.fired_list(l, 0).padded_capacity)
          : replica.capacity_of(l, 0, 0);
  Plan best = plan;
  double least = step_cost(network, plan, target);
  for (std::size_t part = 1; part < kFractions; ++part) {
    Plan other = plan;
    for (ReplicaPlan& replica : other.replicas)
      replica.layers[l].own_entries = part * capacity / kFractions / 2 * 2;
    const double cost = step_cost(network, other, target);
    if (cost >= least) continue;
    best = other;
    least = cost;
  }
  return best;
}

// Tiles of a layer's home that have none of its neurons: those without any neurons first, and last
// those of lists that are read late, which have more to store.
std::vector<std::size_t> other_tiles(const NetworkSpec& network, const Plan& plan, std::size_t l,
                                     const poplar::Target& target) {
  const LayerPlan& slowest = plan.replicas[0].layers[l];
  std::vector<bool> taken(target.getNumTiles());
  for (const LayerPlan& layer : plan.replicas[0].layers)
    for (std::size_t tile = 0; tile < layer.tiles; ++tile) taken[layer.first_tile + tile] = true;
  std::vector<bool> full(target.getNumTiles());
  for (std::size_t reader = 0; reader < network.layers.size(); ++reader)
    for (std::size_t source = 0; source < network.layers[reader].sources(); ++source)
      if (network.layers[reader].late(source))
        for (const SampleRange& range : plan.replicas[0].fired_list(reader, source).ranges)
          full[range.tile] = true;
  std::vector<std::size_t> tiles;
  for (const bool last : {false, true})
    for (const bool others : {false, true})
      for (std::size_t tile = slowest.home.begin; tile < slowest.home.end; ++tile)
        if ((tile < slowest.first_tile || tile >= slowest.first_tile + slowest.tiles) &&
            taken[tile] == others && full[tile] == last)
          tiles.push_back(tile);
  return tiles;
}

// Moves a layer's partial sums of gradients to as many tiles that have none of its neurons, if
// there are so many.
Plan with_partials_apart(const NetworkSpec& network, const Plan& plan, std::size_t l,
                         const poplar::Target& target) {
  std::vector<std::size_t> tiles = other_tiles(network, plan, l, target);
  if (tiles.size() < plan.replicas[0].layers[l].tiles) return plan;
  tiles.resize(plan.replicas[0].layers[l].tiles);
  Plan apart = plan;
  for (ReplicaPlan& replica : apart.replicas)
    for (std::size_t tile : tiles)
      replica.layers[l].partial_tiles.push_back(tile - plan.replicas[0].tiles.begin +
                                                replica.tiles.begin);
  return with_own_entries(network, apart, l, target);
}

// The same plan with the lists that fired, and the sums, on tiles from those of a layer on; on the
// others there may still be parts of rows dL/ds.
Plan with_lists_moved(const NetworkSpec& network, const Plan& plan, std::size_t l,
                      const poplar::Target& target, bool parts_before) {
  Plan other = plan;
  for (ReplicaPlan& replica : other.replicas) {
    replica.first_list_tile = replica.layers[l].first_tile;
    replica.parts_before = parts_before;
    map_lists(network, other, target, replica);
  }
  return other;
}

// Moves the slowest layer's partial sums of gradients to other tiles where that is faster and fits;
// late lists too, where copies of weights then fit on tiles without lists. `plan` is that of
// `trial`.
Plan with_remote_partials(const NetworkSpec& network, const Plan& plan, const Trial& trial,
                          const poplar::Target& target) {
  if (!trial.remote_partials) return plan;
  const std::size_t l = slowest_layer(network, plan, target);
  // Those of delays of each weight, or of rows ahead, need gradients of many time steps.
  if (!network.sends_gradient(l, 0) || network.layers[l].delays_weights(0) ||
      network.layers[l].rows_ahead > 0)
    return plan;
  const bool late = network.layers[l].late(0);
  if (late && trial.sizes == 1) return plan;  // whole lists alone
  const auto better = [&](const Plan& apart, const Plan& than) {
    return !apart.replicas[0].layers[l].partial_tiles.empty() &&
           step_cost(network, apart, target) < step_cost(network, than, target) &&
           fits(network, apart, target);
  };
  const Plan apart = with_partials_apart(network, plan, l, target);
  if (better(apart, plan)) return apart;
  if (!late || plan.replicas[0].layers[l].first_tile == plan.replicas[0].tiles.begin) return plan;
  Plan best = plan;
  for (const bool parts_before : {false, true}) {
    const Plan moved = with_partials_apart(
        network, with_lists_moved(network, plan, l, target, parts_before), l, target);
    if (better(moved, best)) best = moved;
  }
  return best;
}

// Replicas that lie on whole IPUs, or several on each.
bool replicas_fit(std::size_t replicas, const NetworkSpec& network, const poplar::Target& target) {
  const std::size_t ipus = target.getNumIPUs();
  return replicas <= network.batch && replicas <= target.getNumTiles() &&
         (replicas % ipus == 0 || ipus % replicas == 0);
}

// Whether a plan repeats and streams no more than another, which the cost of a step leaves out.
bool keeps_states(const Plan& plan, const Plan& other) {
  return plan.checkpoint_interval >= other.checkpoint_interval &&
         (other.streamed || !plan.streamed);
}

// The number of replicas that makes a training step fastest: more of them read each list's entry
// for more neurons, receive fewer lists and send fewer partial sums, and take more memory.
Plan cheapest_plan(const NetworkSpec& network, const poplar::Target& target, Trial trial) {
  const auto plan_of = [&](std::size_t replicas) {
    trial.replicas = replicas;
    const auto planned = [&](bool even) {
      trial.even = even;
      return with_remote_partials(network, plan_intervals(network, target, trial), trial, target);
    };
    const Plan plan = planned(false);
    if (!reads_late(network)) return plan;
    // Layers that would have fewer neurons a tile for their longer products leave no tiles for
    // these.
    const Plan even = planned(true);
    const bool faster = keeps_states(even, plan) &&
                        step_cost(network, even, target) < step_cost(network, plan, target);
    return faster && fits(network, even, target) ? even : plan;
  };
  if (trial.replicas > 0) return plan_of(trial.replicas);
  Plan best = plan_of(1);
  bool best_fits = fits(network, best, target);
  double least = step_cost(network, best, target);
  for (std::size_t replicas = 2; replicas * kWorkers <= network.batch; ++replicas) {
    if (!replicas_fit(replicas, network, target)) continue;
    const Plan plan = plan_of(replicas);
    if (!fits(network, plan, target) || plan.checkpoint_interval < best.checkpoint_interval)
      continue;
    const double cost = step_cost(network, plan, target);
    if (best_fits && cost >= least) continue;
    best = plan;
    best_fits = true;
    least = cost;
  }
  if (!best_fits) return best;
  // Fuller tiles may be faster, and what else is on them may not fit then.
  trial.roomy = true;
  const Plan roomy = plan_of(best.replicas.size());
  const bool better = fits(network, roomy, target) && keeps_states(roomy, best) &&
                      step_cost(network, roomy, target) < least;
  return better ? roomy : best;
}

// Where no plan fits, the one that is planned for full tiles, which needs a little less memory.
Plan fitting_plan(const NetworkSpec& network, const poplar::Target& target, const Trial& trial) {
  const Plan plan = cheapest_plan(network, target, trial);
  if (fits(network, plan, target)) return plan;
  Trial full = trial;
  full.tight = true;
  full.replicas = std::max<std::size_t>(1, trial.replicas);
  const Plan tight = plan_intervals(network, target, full);
  return fits(network, tight, target) ? tight : plan;
}

// A layer with delays has sparse weight gradients: the sums over patterns are of one gradient for
// all sources, and patterns are made of lists that fired.
bool delayed(const LayerSpec& layer) {
  return layer.has_ring() || layer.late(0) || layer.late(1) || layer.rows_ahead > 0;
}

// A dense weight gradient costs at least a row for each input and eight samples, which is less only
// where more than an eighth of the inputs may fire.
bool worth_trying(const NetworkSpec& network, std::size_t l, std::size_t source) {
  const std::size_t capacity = source > 0 ? network.layers[l].capacity
                               : l == 0   ? network.input_capacity
                                          : network.layers[l - 1].capacity;
  return capacity * kPatternBits > network.source_size(l, source);
}

// Chooses dense weight gradients where they are faster and fit: tries first all candidates
// together, then flips each one alone.
Plan plan_dense(const NetworkSpec& network, const poplar::Target& target,
                const std::vector<Choice>& wanted, Trial trial) {
  constexpr std::size_t kMostTried = 8;  // alone: planning is repeated for each
  const auto wish = [&](std::size_t l) {
    return wanted.empty() ? Choice::Auto : wanted.size() == 1 ? wanted[0] : wanted[l];
  };
  trial.dense.assign(network.layers.size(), {false, false});
  std::vector<std::pair<std::size_t, std::size_t>> open;
  for (std::size_t l = 0; l < network.layers.size(); ++l)
    for (std::size_t source = 0; source < network.layers[l].sources(); ++source) {
      const bool may = !delayed(network.layers[l]);
      if (wish(l) == Choice::Always) trial.dense[l][source] = true;
      if (wish(l) == Choice::Auto && may && worth_trying(network, l, source))
        open.push_back({l, source});
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

// Whether a list of arrivals is shorter in a bucket than in the one before.
bool shortens(const NetworkSpec& network, const Plan& plan, Direction direction, unsigned bucket) {
  const ReplicaPlan& replica = plan.replicas[0];
  const auto room =
      direction == Direction::Forward ? &ReplicaPlan::forward_capacity : &ReplicaPlan::capacity_of;
  for (std::size_t l = 0; l < network.layers.size(); ++l)
    for (std::size_t source = 0; source < network.layers[l].sources(); ++source)
      if (network.layers[l].late(source) &&
          (replica.*room)(l, source, bucket) < (replica.*room)(l, source, bucket - 1))
        return true;
  return false;
}

// Chooses buckets of exchanges where they pay and fit.
void plan_sizes(const NetworkSpec& network, const poplar::Target& target, Plan& plan) {
  if (!reads_lists(network, plan)) return;
  Plan sized = plan;
  sized.forward_sizes = worthwhile_sizes(network, plan, target, Direction::Forward);
  sized.backward_sizes = worthwhile_sizes(network, plan, target, Direction::Backward);
  // Where spikes arrive late the whole list is that of a rare time step: there is a branch anyway,
  // and the lengths are known before it.
  if (reads_late(network)) {
    const unsigned least_forward = std::max(kLeastLateSizes, sized.forward_sizes);
    const auto most = [&](Direction direction, unsigned least, unsigned& sizes) {
      sizes = kMostSizes;
      while (sizes > least &&
             !(shortens(network, plan, direction, sizes - 1) && fits(network, sized, target)))
        --sizes;
    };
    sized.forward_sizes = least_forward;
    most(Direction::Backward, kLeastLateSizes, sized.backward_sizes);
    most(Direction::Forward, least_forward, sized.forward_sizes);
  }
  if (fits(network, sized, target)) plan = sized;
}

}  // namespace

Range subrange(Range range, std::size_t i, std::size_t divisor) {
  return {range.begin + range.size() * i / divisor, range.begin + range.size() * (i + 1) / divisor};
}

Range LayerPlan::neurons(std::size_t tile, const LayerSpec& layer) const {
  return {tile * neurons_per_tile, std::min(layer.neurons, (tile + 1) * neurons_per_tile)};
}

bool short_ids(const NetworkSpec& network) {
  return std::all_of(network.layers.begin(), network.layers.end(), [](const LayerSpec& layer) {
    return layer.inputs <= 65536 && layer.neurons <= 65536;
  });
}

std::size_t pad_capacity(std::size_t capacity) { return ceil_div(capacity, 4) * 4; }

std::size_t bucket_capacity(std::size_t padded_capacity, unsigned bucket) {
  return pad_capacity(ceil_div(padded_capacity, std::size_t{1} << bucket));
}

namespace {

// A usual list, and some roots of its length more.
std::size_t with_roots(std::size_t usual, double roots) {
  return usual + std::size_t(std::ceil(roots * std::sqrt(double(usual))));
}

}  // namespace

std::size_t arrival_capacity(const ListPlan& arrivals, std::size_t fired, unsigned bucket) {
  const std::size_t usual = arrivals.usual(fired);
  const std::size_t rooms[kMostSizes] = {arrivals.padded_capacity,
                                         with_roots(usual, 5.0) + arrivals.at_once,
                                         with_roots(usual, 3.0), with_roots(usual, 2.0)};
  return std::min(arrivals.padded_capacity, pad_capacity(rooms[bucket]));
}

std::size_t earlier_capacity(const ListPlan& arrivals, std::size_t fired, unsigned bucket) {
  constexpr double kRoots[kMostSizes] = {0.0, 5.0, 3.0, 2.0};
  const std::size_t room = with_roots(arrivals.usual(fired), kRoots[bucket]);
  return bucket == 0 ? arrivals.padded_capacity
                     : std::min(arrivals.padded_capacity, pad_capacity(room));
}

std::size_t at_once_capacity(const ListPlan& arrivals) {
  return pad_capacity(std::max<std::size_t>(1, arrivals.at_once));
}

std::size_t usual_arrivals(std::size_t fired, std::size_t lists, std::size_t batch) {
  const double workers = double(batch) / double(lists);
  if (workers <= 1.0) return fired;
  // The expected maximum of so many normal values, by Gumbel's limit; deviations of a mean of
  // lists.
  const double root = std::sqrt(2.0 * std::log(workers));
  const double deviations =
      root - (std::log(std::log(workers)) + std::log(4.0 * M_PI) - 2.0 * 0.5772) / (2.0 * root);
  return fired + std::size_t(std::ceil(std::max(0.0, deviations) *
                                       std::sqrt(double(fired) / double(lists))));
}

std::size_t longest_list(double mean) {
  return std::size_t(std::ceil(mean + 3.0 * std::sqrt(mean)));
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
  for (std::size_t l = 0; l < network.layers.size() && !options.dense.empty(); ++l)
    if (delayed(network.layers[l]) &&
        options.dense[options.dense.size() == 1 ? 0 : l] == Choice::Always)
      throw std::invalid_argument("plan: dense: layer " + std::to_string(l) +
                                  ": expected \"auto\" or False with delays, got True");
  NetworkSpec planned = network;
  if (options.steps > 0) planned.steps = options.steps;
  Trial trial{options.replicas, options.checkpoint_interval, {}, options.sizes};
  trial.remote_partials = options.remote_partials;
  // Products that go to rows of later time steps would have to pass to the next checkpoint
  // interval.
  const bool ahead = std::any_of(network.layers.begin(), network.layers.end(),
                                 [](const LayerSpec& layer) { return layer.rows_ahead > 0; });
  if (ahead) trial.checkpoint_interval = planned.steps;
  Plan plan = plan_dense(planned, target, options.dense, trial);
  if (options.sizes == 0 && reads_late(planned) && !fits(planned, plan, target)) {
    trial.late_sizes = 1;
    plan = plan_dense(planned, target, options.dense, trial);
  }
  if (options.sizes == 0) plan_sizes(planned, target, plan);
  check_memory(planned, plan, target);
  plan.checkpoint_interval =
      ahead ? network.steps : std::min(plan.checkpoint_interval, network.steps);
  return plan;
}

}  // namespace popsnn
