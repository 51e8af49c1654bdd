// Where a network lies on a device: tiles and sizes, decided before the graph is built.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include <poplar/Target.hpp>

#include "popsnn/network.hpp"

namespace popsnn {

constexpr std::size_t kWorkers = 6;  // hardware threads of a tile

struct Range {
  std::size_t begin, end;
  std::size_t size() const { return end - begin; }
};

inline std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// Part `i` of `range` cut into `parts`, sizes differing by one at most.
Range part_of(Range range, std::size_t i, std::size_t parts);

// Samples of a replica that are kept on one tile.
struct SampleRange {
  std::size_t tile;
  Range samples;
};

// Where the lists of the input or of a layer are made and kept: each sample on one tile.
struct ListPlan {
  std::size_t slots = 0;  // row length
  bool dense = false;     // a weight gradient with it is dense
  std::vector<SampleRange> ranges;
  // Tiles that a sample's masks may be scanned on, by sample: its own and those up to the next's.
  std::vector<Range> zones;
};

// By a layer's source: whether its weight gradient is dense in the inputs (patterns.hpp).
using DenseSources = std::array<bool, 2>;

// A layer's neurons lie on consecutive tiles, `neurons_per_tile` on each and the rest on the last.
struct LayerPlan {
  std::size_t first_tile = 0;
  std::size_t tiles = 0;
  std::size_t neurons_per_tile = 0;
  unsigned stage = 0;  // layers of a stage step in one compute set
  DenseSources dense = {false, false};
  // The replica's tiles on the layer's IPU, over which its lists and the sums of its shares are
  // dealt; all of the replica's where the layer lies on several IPUs.
  Range home = {0, 0};
  // By tile: where its shares of the gradient of its input's spikes are worked out, from copies of
  // its weights on tiles that have time to spare; empty: beside its neurons.
  std::vector<std::size_t> share_tiles;

  Range neurons(std::size_t tile, const LayerSpec& layer) const;  // of the layer's tile-th tile
  bool shares_apart(std::size_t source) const { return source == 0 && !share_tiles.empty(); }
  // Of the layer's tile-th tile.
  std::size_t share_tile(std::size_t source, std::size_t tile) const {
    return shares_apart(source) ? share_tiles[tile] : first_tile + tile;
  }
};

// Whether ids of 16 bits tell all of a network's neurons apart.
bool short_ids(const NetworkSpec& network);

// Entries of a list row: rows fill whole 64-bit words, which copies take at once.
std::size_t row_slots(std::size_t capacity);

// Entries that an exchange of half a list carries, of half of that, and so on.
std::size_t size_slots(std::size_t slots, unsigned halvings);

constexpr unsigned kMostSizes = 4;

// A whole network for a share of the batch, on a range of tiles.
struct ReplicaPlan {
  Range samples;  // of the batch
  Range tiles;    // of the device, from its first to its last
  std::vector<LayerPlan> layers;
  ListPlan input;
  std::vector<ListPlan> lists;  // by layer; empty for a readout

  std::size_t batch() const { return samples.size(); }
  const ListPlan& list_of(std::size_t l, std::size_t source) const {
    return source > 0 ? lists[l] : l == 0 ? input : lists[l - 1];
  }
  // Entries of it that its readers receive; the input's lists always travel whole.
  std::size_t slots_of(std::size_t l, std::size_t source, unsigned halvings) const {
    const std::size_t slots = list_of(l, source).slots;
    return l == 0 && source == 0 ? slots : size_slots(slots, halvings);
  }
};

struct Plan {
  std::vector<ReplicaPlan> replicas;
  unsigned stages = 0;
  bool short_ids = false;   // 16-bit ids
  std::size_t segment = 0;  // steps whose states are kept at once; the others' are worked out again
  // Sizes that the exchanges of lists are compiled for, each half of the next; 1: the whole list.
  unsigned forward_sizes = 1, backward_sizes = 1;
  bool streamed = false;  // checkpoints lie in Streaming Memory, not on the tiles
  bool tight = false;     // layers are spread as on tiles that have no room to choose

  // States that are kept at the beginnings of segments, but for the last.
  std::size_t checkpoints(std::size_t steps) const { return (steps - 1) / segment; }
};

// Whether a layer's weight gradients are dense.
enum class Dense : unsigned { Auto, Always, Never };

// What the caller decides; 0: the planner does.
struct PlanOptions {
  std::size_t replicas = 0;  // of the network, each with a share of the batch
  std::size_t segment = 0;   // steps whose states are kept at once
  unsigned sizes = 0;        // of the exchanges of lists, in both directions; up to kMostSizes
  std::size_t steps = 0;  // to plan for where they are more than the network's, as a profile of few
                          // steps does; 0: the network's
  std::vector<Dense> dense = {};  // by layer, or one for all; none: the planner's choice
};

// Cycles of one time step, modelled, that the weight gradient of a layer's source takes by either
// variant, with the list or the patterns that a tile receives for it and the sums over patterns.
struct GradientCost {
  double sparse = 0.0, dense = 0.0;
};

// By source of layer `l`, of as many of its neurons as the plan puts on a tile.
std::vector<GradientCost> gradient_costs(const NetworkSpec& network, const Plan& plan,
                                         std::size_t l, const poplar::Target& target);

// Plans `network` for `target`; throws std::runtime_error where it does not fit, saying by how
// much.
Plan plan_network(const NetworkSpec& network, const poplar::Target& target,
                  const PlanOptions& options = {});

}  // namespace popsnn
