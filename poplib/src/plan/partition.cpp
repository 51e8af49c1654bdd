#include "partition.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cost.hpp"
#include "memory.hpp"

namespace popsnn {
namespace {

constexpr std::size_t kColumnPair = 2;  // neurons whose fp32 weights one 64-bit load brings

LayerCost slower(const LayerCost& a, const LayerCost& b) {
  LayerCost most;
  most.step = std::max(a.step, b.step);
  most.grad = std::max(a.grad, b.grad);
  most.sums = std::max(a.sums, b.sums);
  most.products = std::max(a.products, b.products);
  most.update = std::max(a.update, b.update);
  return most;
}

double total(const LayerCost& cost) {
  return cost.step + cost.grad + cost.sums + cost.products + cost.update;
}

// Tiles without neurons for the lists of arrivals, one for each sample, where no other lists lie
// (list_tiles.cpp); none where they are not few among all.
std::size_t spared(const NetworkSpec& network, const ReplicaPlan& replica) {
  constexpr std::size_t kFew = 8;
  std::size_t lists = 0;
  for (const LayerSpec& layer : network.layers) lists += layer.late(0) + layer.late(1);
  const std::size_t tiles = lists * replica.batch();
  return kFew * tiles <= replica.tiles.size() ? tiles : 0;
}

// Greedy search: from the fewest neurons a tile on, the layer with the least additional cost takes
// two more, until all layers fit on the tiles. A local search then improves the result without a
// fuller tile, as more neurons may cost less: rows of whole 128 bits.
class StagePartitioner {
 public:
  StagePartitioner(const NetworkSpec& network, const Plan& plan, Range stage,
                   std::size_t tiles_per_ipu, const poplar::Target& target, bool roomy,
                   ReplicaPlan& replica)
      : network_(network),
        plan_(plan),
        replica_(replica),
        stage_(stage),
        target_(target),
        tiles_per_ipu_(tiles_per_ipu),
        roomy_(roomy),
        spared_(spared(network, replica)) {}

  void partition() {
    if (replica_.tiles.size() < stage_.size()) return use_all_tiles();
    for (std::size_t l = stage_.begin; l < stage_.end; ++l) neurons(l) = kColumnPair;
    while (!partition_layers()) {
      const std::size_t l = cheapest();
      if (l == stage_.end) return use_all_tiles();
      neurons(l) += kColumnPair;
    }
    improve();
  }

 private:
  // Layers of equal cost, which get equal numbers of neurons a tile.
  using Alike = std::vector<std::size_t>;

  std::size_t& neurons(std::size_t l) { return replica_.layers[l].neurons_per_tile; }

  // Maps the layers in sequence to the replica's tiles, none of them across two IPUs;
  // returns whether there are enough tiles.
  bool partition_layers() {
    std::size_t next = replica_.tiles.begin;
    for (std::size_t l = stage_.begin; l < stage_.end; ++l) {
      LayerPlan& layer = replica_.layers[l];
      layer.tiles = ceil_div(network_.layers[l].neurons, layer.neurons_per_tile);
      if (next / tiles_per_ipu_ != (next + layer.tiles - 1) / tiles_per_ipu_)
        next = ceil_div(next, tiles_per_ipu_) * tiles_per_ipu_;
      layer.first_tile = next;
      next += layer.tiles;
      if (layer.tiles > tiles_per_ipu_) return false;
    }
    return next + spared_ <= replica_.tiles.end;
  }

  // Too few tiles for layers on tiles of their own: each lies on all of them.
  void use_all_tiles() {
    const std::size_t tiles = replica_.tiles.size();
    for (std::size_t l = stage_.begin; l < stage_.end; ++l) {
      LayerPlan& layer = replica_.layers[l];
      const std::size_t even = ceil_div(network_.layers[l].neurons, tiles);
      layer.neurons_per_tile = ceil_div(even, kColumnPair) * kColumnPair;
      layer.tiles = ceil_div(network_.layers[l].neurons, layer.neurons_per_tile);
      layer.first_tile = replica_.tiles.begin;
    }
  }

  const LayerCost& cost(std::size_t l, std::size_t neurons) {
    const auto at = costs_.find({l, neurons});
    if (at != costs_.end()) return at->second;
    return costs_[{l, neurons}] = layer_cost(network_, plan_, replica_, l, neurons, target_);
  }

  // The maximum over the layers, by phase.
  LayerCost most() {
    LayerCost most;
    for (std::size_t l = stage_.begin; l < stage_.end; ++l)
      most = slower(most, cost(l, neurons(l)));
    return most;
  }

  // Whether a tile has room for so many neurons of a layer in addition to all else.
  bool holds(std::size_t l, std::size_t neurons) const {
    constexpr double kForLayer = 0.85;  // of a tile; lists, sums and vertices need the remainder
    if (plan_.tight) return false;
    const std::size_t bytes = target_.getBytesPerTile();
    const std::size_t interleaved =
        bytes - target_.getMemoryElementOffsets()[target_.getInterleavedMemoryElementIndex()];
    return double(this->bytes(l, neurons)) < kForLayer * double(bytes) &&
           interleaved_bytes(network_, l, neurons, replica_.batch()) <= interleaved;
  }

  // The layer whose next two neurons lengthen the stage's phases least, among those whose tiles
  // have room if there are any; stage_.end where all neurons of every layer lie on one tile each.
  std::size_t cheapest() {
    const std::size_t best =
        cheapest_of([&](std::size_t l) { return holds(l, neurons(l) + kColumnPair); });
    return best < stage_.end ? best : cheapest_of([](std::size_t) { return true; });
  }

  template <class May>
  std::size_t cheapest_of(May may) {
    const LayerCost now = most();
    std::size_t best = stage_.end;
    double least = 0.0;
    for (std::size_t l = stage_.begin; l < stage_.end; ++l) {
      if (neurons(l) >= network_.layers[l].neurons || !may(l)) continue;
      const LayerCost& next = cost(l, neurons(l) + kColumnPair);
      // Ties, of layers that lengthen no phase, go to the least work.
      const double time = total(slower(now, next)) + 1e-6 * total(next);
      if (best == stage_.end || time < least) {
        best = l;
        least = time;
      }
    }
    return best;
  }

  std::vector<Alike> alike() const {
    std::map<std::pair<std::string, std::vector<std::size_t>>, Alike> layers;
    for (std::size_t l = stage_.begin; l < stage_.end; ++l) {
      const LayerSpec& layer = network_.layers[l];
      if (plan_.even && sends_most(l)) {
        layers[{"", {}}].push_back(l);
        continue;
      }
      layers[{layer.model.type,
              {layer.inputs, layer.neurons, layer.capacity, replica_.list_of(l, 0).padded_capacity,
               std::size_t(layer.kind), std::size_t(layer.surrogate), layer.recurrent, layer.bias,
               layer.learns, layer.learnt, layer.half_weights, network_.sends_gradient(l, 0),
               replica_.layers[l].dense[0], replica_.layers[l].dense[1]}}]
          .push_back(l);
    }
    std::vector<Alike> result;
    for (const auto& at : layers) result.push_back(at.second);
    return result;
  }

  // Whether a layer's list is not much shorter than the stage's longest.
  bool sends_most(std::size_t l) const {
    std::size_t most = 0;
    for (std::size_t other = stage_.begin; other < stage_.end; ++other)
      most = std::max(most, network_.layers[other].capacity);
    return 2 * network_.layers[l].capacity > most;
  }

  std::size_t bytes(std::size_t l, std::size_t neurons) const {
    return layer_bytes(network_, plan_, replica_, l, neurons);
  }

  // Bytes of the layers' fullest tiles.
  struct Fullest {
    std::size_t bytes = 0, interleaved = 0;
  };

  Fullest fullest() {
    Fullest most;
    if (roomy_) most.bytes = most.interleaved = target_.getBytesPerTile() / 4 * 3;
    for (std::size_t l = stage_.begin; l < stage_.end; ++l) {
      most.bytes = std::max(most.bytes, bytes(l, neurons(l)));
      most.interleaved =
          std::max(most.interleaved, interleaved_bytes(network_, l, neurons(l), replica_.batch()));
    }
    return most;
  }

  // Numbers of neurons close to a layer's at which its tiles are no fuller than the fullest.
  std::vector<std::size_t> neighbours(std::size_t l, const Fullest& most) {
    constexpr std::size_t kSteps = 6;
    const std::size_t now = neurons(l), step = kColumnPair * std::max<std::size_t>(1, now / 32);
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i <= 2 * kSteps; ++i)
      if (now + i * step > kSteps * step) {
        const std::size_t other = now + i * step - kSteps * step;
        const bool fewer = other <= now;
        const bool possible = other < network_.layers[l].neurons + kColumnPair;
        if (fewer || (possible && bytes(l, other) <= most.bytes &&
                      interleaved_bytes(network_, l, other, replica_.batch()) <= most.interleaved))
          result.push_back(other);
      }
    return result;
  }

  void set(const Alike& layers, std::size_t to) {
    for (std::size_t l : layers) neurons(l) = to;
  }

  // Equal layers first get equal numbers; then one kind of layers, or two, take more neurons or
  // fewer as long as that is faster.
  void improve() {
    const std::vector<Alike> kinds = alike();
    for (const Alike& kind : kinds) {
      std::size_t largest = 0;
      for (std::size_t l : kind) largest = std::max(largest, neurons(l));
      set(kind, largest);
    }
    partition_layers();
    const Fullest most_full = fullest();
    double least = total(most());
    for (bool faster = true; faster;) {
      faster = false;
      for (const Alike& kind : kinds)
        for (const Alike& other : kinds) {
          std::size_t best = neurons(kind[0]), best_other = neurons(other[0]);
          const std::vector<std::size_t> of_other = neighbours(other[0], most_full);
          for (std::size_t n : neighbours(kind[0], most_full))
            for (std::size_t m : of_other) {
              set(kind, n);
              set(other, m);
              if (!partition_layers()) continue;
              const double time = total(most());
              if (time >= least) continue;
              least = time;
              best = &kind == &other ? m : n;
              best_other = m;
              faster = true;
            }
          set(kind, best);
          set(other, best_other);
        }
    }
    partition_layers();
  }

  const NetworkSpec& network_;
  const Plan& plan_;
  ReplicaPlan& replica_;
  const Range stage_;
  const poplar::Target& target_;
  const std::size_t tiles_per_ipu_;
  const bool roomy_;
  const std::size_t spared_;                                        // tiles without neurons
  std::map<std::pair<std::size_t, std::size_t>, LayerCost> costs_;  // by layer and neurons
};

}  // namespace

void partition_layers(const NetworkSpec& network, const Plan& plan, Range stage,
                      std::size_t tiles_per_ipu, const poplar::Target& target, bool roomy,
                      ReplicaPlan& replica) {
  StagePartitioner(network, plan, stage, tiles_per_ipu, target, roomy, replica).partition();
}

}  // namespace popsnn
