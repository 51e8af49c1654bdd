// The plan of a network on a device: tiles and sizes, decided before the graph is built.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
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

// Range `i` of the `count` ranges that `range` splits into; their sizes differ by one at most.
Range subrange(Range range, std::size_t i, std::size_t count);

// Samples of a replica that lie on one tile.
struct SampleRange {
  std::size_t tile;
  Range samples;
};

// Where the lists of the input or of a layer are made and stored: each sample on one tile.
struct ListPlan {
  std::size_t padded_capacity = 0;  // row length
  bool dense = false;               // a weight gradient with it is dense
  std::size_t at_once = 0;          // of arrivals: spikes of a step that arrive without a delay
  bool neighbors = false;  // of arrivals: with those of learnt delays (delays/sections.hpp)
  std::vector<SampleRange> ranges;
  // By sample: the tiles that its masks may be scanned on, from its tile to the next sample's.
  std::vector<Range> scan_tiles;
  // By sample: the tiles that have parts of its dense row dL/ds, as many for each sample; none: its
  // tile has the row.
  std::vector<std::vector<std::size_t>> row_tiles;

  // The most samples whose lists a tile has.
  std::size_t most_samples() const {
    std::size_t most = 1;
    for (const SampleRange& range : ranges) most = std::max(most, range.samples.size());
    return most;
  }

  // Of arrivals: entries on average, where as many as `fired` are active at a time step.
  std::size_t usual(std::size_t fired) const { return neighbors ? 3 * fired : fired; }
};

// By a layer's source: whether its weight gradient is dense in the inputs (patterns.hpp).
using DenseSources = std::array<bool, 2>;

// A layer's neurons lie on consecutive tiles, `neurons_per_tile` on each and the others on the
// last.
struct LayerPlan {
  std::size_t first_tile = 0;
  std::size_t tiles = 0;
  std::size_t neurons_per_tile = 0;
  unsigned stage = 0;  // layers of a stage step in one compute set
  DenseSources dense = {false, false};
  // The replica's tiles on the layer's IPU, over which its lists and the sums of its partial sums
  // are distributed; all of the replica's tiles where the layer lies on several IPUs.
  Range home = {0, 0};
  // By tile: the tile that computes its partial sums of the gradient of its input's spikes, from
  // copies of its weights, where other tiles have time to spare; empty: the tile of its neurons.
  std::vector<std::size_t> partial_tiles;
  // Where they are others: entries of a whole list, or of a usual list of arrivals, whose partial
  // sums the tile of the neurons computes nevertheless, an even number.
  std::size_t own_entries = 0;

  Range neurons(std::size_t tile, const LayerSpec& layer) const;  // of the layer's tile-th tile
  bool remote_partials(std::size_t source) const { return source == 0 && !partial_tiles.empty(); }
  // The tile of the partial sums of the layer's tile-th tile.
  std::size_t partial_tile(std::size_t source, std::size_t tile) const {
    return remote_partials(source) ? partial_tiles[tile] : first_tile + tile;
  }
};

// Whether 16 bits are enough for the ids of all of a network's neurons.
bool short_ids(const NetworkSpec& network);

// Row length of lists of a capacity: rows fill whole 64-bit words, the unit of copies.
std::size_t pad_capacity(std::size_t capacity);

// Entries of a list that an exchange carries. Exchanges are compiled for several bucket sizes:
// bucket 0 carries whole lists, each next bucket half as many entries.
std::size_t bucket_capacity(std::size_t padded_capacity, unsigned bucket);

// The same of lists of arrivals: bucket 0 has room for all that may arrive at once. As many arrive
// on average as one time step fires, S, and seldom five times the root of S more where delays are
// unrelated. Bucket 1 has room for that, and for the spikes that arrive at once. The others have S
// and three or two of its roots: the longest list of a batch is close to that. With neighbors S is
// three times as much.
std::size_t arrival_capacity(const ListPlan& arrivals, std::size_t fired, unsigned bucket);

// Forward, the rooms of both parts of such a list: of what arrives from earlier steps, whose number
// is known when the bucket is chosen, and of what arrives at once, whose number is not.
std::size_t earlier_capacity(const ListPlan& arrivals, std::size_t fired, unsigned bucket);
std::size_t at_once_capacity(const ListPlan& arrivals);

// The mean length of the lists of arrivals that the slowest worker of a device sums, which a time
// step waits for: of a batch with `lists` samples for each worker.
std::size_t usual_arrivals(std::size_t fired, std::size_t lists, std::size_t batch);

// The longest list of a batch, of lists that have so many entries on average: three roots more.
std::size_t longest_list(double mean);

constexpr unsigned kMostSizes = 4;  // buckets

// A whole network for a range of the batch, on a range of tiles.
struct ReplicaPlan {
  Range samples;  // of the batch
  Range tiles;    // of the device, from its first to its last
  std::vector<LayerPlan> layers;
  ListPlan input;
  std::vector<ListPlan> lists;  // by layer; empty for a readout
  // By layer and source: lists of arrivals, of which a layer reads others than those that fired.
  std::vector<std::array<ListPlan, 2>> arrivals;
  // The first tile of lists and of sums of partial sums, in the home that it is in, where those
  // before compute partial sums of late lists and have no room for more; 0: all tiles have them.
  std::size_t first_list_tile = 0;
  // Whether the tiles before it have parts of rows dL/ds all the same.
  bool parts_before = false;

  std::size_t batch() const { return samples.size(); }
  // The tiles of a home that have room for lists and sums. Layers on other IPUs have other homes.
  Range list_tiles(const Range& home) const {
    const bool inside = home.begin < first_list_tile && first_list_tile < home.end;
    return {inside ? first_list_tile : home.begin, home.end};
  }
  const ListPlan& list_of(std::size_t l, std::size_t source) const {
    return late(l, source) ? arrivals[l][source] : fired_list(l, source);
  }
  const ListPlan& fired_list(std::size_t l, std::size_t source) const {
    return source > 0 ? lists[l] : l == 0 ? input : lists[l - 1];
  }
  // Of the entries of a bucket, the first that have their partial sums of dL/d(spike) on the tiles
  // of the layer's neurons; the others have them on `partial_tiles`. Whole lists of arrivals, which
  // are rare, have all of them there: other tiles then need room for usual lists alone.
  std::size_t own_entries(std::size_t l, std::size_t source, unsigned bucket) const {
    const std::size_t capacity = capacity_of(l, source, bucket);
    if (!layers[l].remote_partials(source)) return capacity;
    if (!late(l, source))
      return layers[l].own_entries * capacity / capacity_of(l, source, 0) / 2 * 2;
    return bucket < first_remote(l, source) ? capacity : std::min(capacity, layers[l].own_entries);
  }
  // The first bucket in which other tiles may compute partial sums.
  unsigned first_remote(std::size_t l, std::size_t source) const { return late(l, source) ? 1 : 0; }
  bool late(std::size_t l, std::size_t source) const {
    return arrivals[l][source].padded_capacity > 0;
  }
  // Whether a layer reads layer `l`'s spikes late.
  bool read_late(const NetworkSpec& network, std::size_t l) const {
    return late(l, 1) || (l + 1 < network.layers.size() && late(l + 1, 0));
  }
  // The neurons of part `part` of a row dL/ds, an even number but for the last ones.
  Range row_part(const LayerSpec& layer, std::size_t l, std::size_t part) const {
    const Range pairs =
        subrange({0, ceil_div(layer.neurons, 2)}, part, lists[l].row_tiles.front().size());
    return {2 * pairs.begin, std::min(layer.neurons, 2 * pairs.end)};
  }
  // Forward, a list of arrivals is in two parts (common/late_list.hpp): room for those of earlier
  // steps, and for those that arrive at once.
  std::size_t earlier_room(std::size_t l, std::size_t source, unsigned bucket) const {
    return earlier_capacity(arrivals[l][source], fired_list(l, source).padded_capacity, bucket);
  }
  std::size_t at_once_room(std::size_t l, std::size_t source) const {
    return at_once_capacity(arrivals[l][source]);
  }
  // Entries of a list that a forward step receives.
  std::size_t forward_capacity(std::size_t l, std::size_t source, unsigned bucket) const {
    if (!late(l, source)) return capacity_of(l, source, bucket);
    return earlier_room(l, source, bucket) + at_once_room(l, source);
  }
  // Entries of a list that its readers receive; the input's lists are always sent whole.
  std::size_t capacity_of(std::size_t l, std::size_t source, unsigned bucket) const {
    const std::size_t padded_capacity = list_of(l, source).padded_capacity;
    if (late(l, source))
      return arrival_capacity(arrivals[l][source], fired_list(l, source).padded_capacity, bucket);
    return l == 0 && source == 0 ? padded_capacity : bucket_capacity(padded_capacity, bucket);
  }
};

struct Plan {
  std::vector<ReplicaPlan> replicas;
  unsigned stages = 0;
  bool short_ids = false;  // 16-bit ids
  // Time steps whose states are stored at once; the states of the others are recomputed.
  std::size_t checkpoint_interval = 0;
  // Buckets that the exchanges of lists are compiled for; 1: whole lists only.
  unsigned forward_sizes = 1, backward_sizes = 1;
  bool streamed = false;  // checkpoints lie in Streaming Memory, not on the tiles
  bool tight = false;     // layers are partitioned as for tiles without spare memory
  // Spiking layers of a stage have as many neurons a tile: other tiles compute partial sums.
  bool even = false;

  // States that are stored, one at the begin of each checkpoint interval but the last.
  std::size_t checkpoints(std::size_t steps) const { return (steps - 1) / checkpoint_interval; }
};

// What a caller may leave to the planner.
enum class Choice : unsigned { Auto, Always, Never };

// Choices of the caller; 0: the planner chooses.
struct PlanOptions {
  std::size_t replicas = 0;             // of the network, each with a range of the batch
  std::size_t checkpoint_interval = 0;  // time steps whose states are stored at once
  unsigned sizes = 0;  // buckets of the exchanges of lists, in both directions; up to kMostSizes
  // Time steps to plan for, where a profile runs fewer of them than training; 0: the network's.
  std::size_t steps = 0;
  std::vector<Choice> dense = {};  // by layer, or one for all; none: the planner's choice
  // Whether other tiles than a layer's may compute its partial sums, from copies of its weights.
  bool remote_partials = true;
  // Whether products of axonal delays go to rows of later time steps, where they may and fit.
  Choice rows_ahead = Choice::Auto;
  // Whether forward, backward and update count their cycles, on tile 0, into a stream `cycles` [2].
  bool count_cycles = false;
};

// Modelled cycles a time step of the weight gradient of a layer's source, by variant, including the
// list or the patterns that a tile receives for it and the sums over patterns.
struct GradientCost {
  double sparse = 0.0, dense = 0.0;
};

// By source of layer `l`, for the neurons that the plan puts on a tile.
std::vector<GradientCost> gradient_costs(const NetworkSpec& network, const Plan& plan,
                                         std::size_t l, const poplar::Target& target);

// A network does not fit on its device.
class TooLarge : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Plans `network` for `target`; throws TooLarge where it does not fit, saying by how much.
Plan plan_network(const NetworkSpec& network, const poplar::Target& target,
                  const PlanOptions& options = {});

struct PlannedNetwork {
  NetworkSpec network;
  Plan plan;
};

// Plans the network with its axonal delays as the device takes them fastest: as lists of arrivals,
// or as products that are added to rows of later time steps (LayerSpec::rows_ahead). The latter
// reads the lists that fired, whose length the capacity limits, and has more to do for each entry.
// It is for fixed delays of layers that are not recurrent and have weights of 32 bits, in networks
// without carried states whose tiles store the states of all time steps.
PlannedNetwork plan_delays(const NetworkSpec& network, const poplar::Target& target,
                           const PlanOptions& options = {});

}  // namespace popsnn
