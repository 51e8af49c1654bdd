#include "memory.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "buckets.hpp"
#include "common/late_list.hpp"
#include "masks.hpp"
#include "pattern_ranges.hpp"
#include "popsnn/code_memory.hpp"
#include "reductions.hpp"

namespace popsnn {
namespace {

constexpr std::size_t kVertexBytes = 256;  // state of one vertex, rounded up
// Of its copy for another bucket: three more buckets take 3,912 bytes for 135 copies of small
// layers.
constexpr std::size_t kAgainBytes = 40;

// Rows of a sample for dendritic delays: its rings, checkpoints of one, this step's current, and by
// source its gradient and the products that are saved. Without recomputation the ring of gradients
// lies where that of currents lay.
std::size_t delay_rows(const NetworkSpec& network, const Plan& plan, std::size_t l) {
  const LayerSpec& layer = network.layers[l];
  if (!layer.has_ring()) return 0;
  const std::size_t checkpoints = plan.checkpoints(network.steps);
  const std::size_t rings = (checkpoints > 0 ? 2 : 1) + (plan.streamed ? 0 : checkpoints);
  return rings * layer.ring_slots() + 1 + (layer.has_dendrites(0) ? 1 : 0) +
         (layer.has_dendrites(1) ? 1 : 0) + layer.learnt_sources() * plan.checkpoint_interval;
}

// Floats a neuron of another replica's gradient that are received: those of the range that this
// replica sums.
std::size_t received_rows(const NetworkSpec& network, const Plan& plan, std::size_t l) {
  const std::size_t replicas = plan.replicas.size();
  return replicas == 1 ? 0 : ceil_div(network.weight_rows(l) + 1, replicas);  // and the bias
}

// Floats of a neuron for delays of each of its weights: steps of 16 bits, and their gradients.
std::size_t synaptic_floats(const NetworkSpec& network, std::size_t l) {
  std::size_t floats = 0;
  for (std::size_t source = 0; source < network.layers[l].sources(); ++source) {
    const std::size_t rows = network.source_size(l, source);
    if (network.layers[l].delays_weights(source)) floats += ceil_div(rows, 2) + 1;
    if (network.layers[l].learns_synapses(source)) floats += rows;
  }
  return floats;
}

// Windows that a layer's neurons read in a backward time step: an adjoint's also of the step
// before.
std::size_t windows(const LayerSpec& layer) { return layer.has_adjoint() ? 2 : 1; }

class Counter {
 public:
  Counter(const NetworkSpec& network, const Plan& plan, const poplar::Target& target)
      : network_(network),
        plan_(plan),
        target_(target),
        id_bytes_(plan.short_ids ? 2 : 4),
        used_(target.getNumTiles(),
              (2 * kVertexBytes + (plan.backward_sizes - 1) * kAgainBytes) * kWorkers),
        phases_(plan.stages + 1),
        passing_(target.getNumTiles() * phases_),
        forward_(target.getNumTiles()),
        backward_(target.getNumTiles()),
        interleaved_(target.getNumTiles()) {}

  // Memory that a tile needs in all with `code` by tile, and so that its interleaved memory, which
  // has no code, is large enough.
  std::vector<std::size_t> needed(const poplar::Target& target,
                                  const std::vector<std::size_t>& code) const {
    const std::size_t elements = target.getMemoryElementOffsets().size();
    const std::size_t interleaved = elements - target.getInterleavedMemoryElementIndex();
    std::vector<std::size_t> bytes = used_;
    for (std::size_t tile = 0; tile < bytes.size(); ++tile) {
      const auto passing = passing_.begin() + tile * phases_;
      bytes[tile] += code[tile] + *std::max_element(passing, passing + phases_) +
                     std::max(forward_[tile], backward_[tile]);
      bytes[tile] = std::max(bytes[tile], ceil_div(interleaved_[tile] * elements, interleaved));
    }
    return bytes;
  }

  void count(const ReplicaPlan& replica) {
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      for (std::size_t tile = 0; tile < replica.layers[l].tiles; ++tile) {
        const std::size_t at = replica.layers[l].first_tile + tile;
        const std::size_t neurons = replica.layers[l].neurons(tile, network_.layers[l]).size();
        const std::size_t passing = passing_bytes(network_, plan_, replica, l, neurons);
        const std::size_t received = 4 * neurons * received_rows(network_, plan_, l);
        used_[at] += layer_bytes(network_, plan_, replica, l, neurons) - passing - received;
        passing_[at * phases_ + replica.layers[l].stage] += passing;
        passing_[at * phases_ + plan_.stages] += received;
        interleaved_[at] += interleaved_bytes(network_, l, neurons, replica.batch());
        if (replica.layers[l].remote_partials(0)) {
          const std::size_t remote = replica.layers[l].partial_tiles[tile];
          used_[remote] += plan_.backward_sizes * kVertexBytes;
          backward_[remote] +=
              network_.layers[l].weight_bytes() * network_.source_size(l, 0) * neurons;
          during(network_.layers[l].late(0), remote, replica.layers[l].stage) +=
              remote_list_bytes(replica, l, neurons);
        }
      }
      if (network_.layers[l].kind == LayerKind::SparseLif)
        count_list(replica, replica.lists[l], l, network_.layers[l].observed);
    }
    count_list(replica, replica.input, network_.layers.size(), network_.input_gradient);
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      for (std::size_t source = 0; source < network_.layers[l].sources(); ++source)
        if (network_.layers[l].late(source)) count_arrivals(replica, l, source);
      if (network_.layers[l].kind == LayerKind::SparseLif) count_blocks(replica, l);
    }
    for (std::size_t l = 0; l < network_.layers.size(); ++l)
      for (std::size_t source = 0; source < network_.layers[l].sources(); ++source)
        if (replica.layers[l].dense[source])
          count_patterns(replica, replica.list_of(l, source), network_.source_size(l, source),
                         replica.layers[l].stage);
    // Sums of the tiles' partial sums are distributed over the layer's home.
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      const LayerPlan& layer = replica.layers[l];
      for (const bool late : {false, true}) {
        std::size_t sums = 0;
        for (std::size_t source = 0; source < network_.layers[l].sources(); ++source)
          if (network_.sends_gradient(l, source) && network_.layers[l].late(source) == late)
            sums += replica.batch() * replica.list_of(l, source).padded_capacity *
                    (layer.tiles + kWorkers) * 4;
        const Range tiles = replica.list_tiles(layer.home);
        for (std::size_t tile = tiles.begin; tile < tiles.end; ++tile)
          during(late, tile, layer.stage) += sums / tiles.size();
      }
    }
    // The buckets of every time step, and the vertices that find them.
    if (plan_.backward_sizes > 1)
      used_[backward_sizes_tile(network_, used_.size())] +=
          plan_.stages * (4 * kWorkerRanges * network_.steps + 2 * kAgainBytes);
  }

 private:
  // Where what passes in a time step of a stage is counted, if it is of a late list, which has room
  // for all that may arrive at once. That of other lists is little: it counts as if it stayed.
  std::size_t& during(bool late, std::size_t tile, unsigned stage) {
    return late ? passing_[tile * phases_ + stage] : used_[tile];
  }

  // Bytes of remote partial sums but for the weights: the list, dL/dI and the sums.
  std::size_t remote_list_bytes(const ReplicaPlan& replica, std::size_t l,
                                std::size_t neurons) const {
    const std::size_t padded_capacity = replica.capacity_of(l, 0, replica.first_remote(l, 0));
    return replica.batch() * (padded_capacity * (id_bytes_ + 4) + 4 * kCountSize + 4 * neurons);
  }

  // A list, on the tiles of its samples; `l` is past the last layer for the input's.
  void count_list(const ReplicaPlan& replica, const ListPlan& list, std::size_t l,
                  bool has_value_grad) {
    const std::size_t rows =
        network_.steps + 2;  // time steps, the one before them, and the current
    std::size_t bytes =
        rows * (list.padded_capacity * id_bytes_ + 4 * kCountSize) + 4 * (kWorkerRanges + 1);
    if (has_value_grad) bytes += network_.steps * list.padded_capacity * 4;
    if (l < network_.layers.size()) {
      bytes += rows * 4 * (kWindowSize + kDropSize) + 4 * network_.layers[l].neurons;
      bytes += 4 * kWindowSize * (windows(network_.layers[l]) - 1);
    }
    if (!list.row_tiles.empty()) {
      const std::size_t part = replica.row_part(network_.layers[l], l, 0).size();
      const bool late = replica.read_late(network_, l);
      const std::size_t received =
          late ? 0 : kWorkers * 4 * list.padded_capacity + list.padded_capacity * id_bytes_;
      if (!late) bytes += list.padded_capacity * id_bytes_ + 4 * kCountSize;  // the list before
      bytes -= 4 * network_.layers[l].neurons;
      for (const std::vector<std::size_t>& tiles : list.row_tiles)
        for (const std::size_t tile : tiles)
          used_[tile] +=
              4 * part + received + kVertexBytes + (plan_.backward_sizes - 1) * kAgainBytes;
      if (late) count_late_parts(replica, l, part);
    }
    for (const SampleRange& range : list.ranges)
      used_[range.tile] += 6 * kVertexBytes + 6 * (plan_.backward_sizes - 1) * kAgainBytes +
                           bytes * range.samples.size();
  }

  // Of parts of rows dL/ds that are read late: the delays; in a backward pass, which zeroes them
  // first, the rows of the time steps that fired; and in the reader's stage the sums of a list of
  // arrivals, and its ids.
  void count_late_parts(const ReplicaPlan& replica, std::size_t l, std::size_t part) {
    const bool loops = replica.late(l, 1);
    const std::size_t reader = loops ? l : l + 1, source = loops ? 1 : 0;
    const unsigned stage = replica.layers[reader].stage;
    const std::size_t arrivals = replica.list_of(reader, source).padded_capacity;
    std::size_t sums = 0;  // of a list, each over a range of the reader's tiles
    for (const Reduction& how : reductions(network_, replica, stage, 0))
      if (how.layer == reader && how.source == source) sums = how.tile_ranges;
    const std::size_t rows = 4 * (part + 1) * network_.layers[reader].axonal_slots(source);
    for (const std::vector<std::size_t>& tiles : replica.lists[l].row_tiles)
      for (const std::size_t tile : tiles) {
        used_[tile] +=
            4 * part + kVertexBytes + (kWorkerRanges * plan_.backward_sizes - 1) * kAgainBytes;
        std::size_t* const passing = &passing_[tile * phases_];
        for (unsigned s = 0; s < plan_.stages; ++s) passing[s] += rows;
        passing[stage] += arrivals * (4 * sums + id_bytes_);
      }
  }

  // Spikes that arrive late: bits, lists and gradients on tiles of their own; on the tiles of the
  // lists that fired, a copy of the delays and what scatter_arrivals receives.
  void count_arrivals(const ReplicaPlan& replica, std::size_t l, std::size_t source) {
    const ListPlan &list = replica.list_of(l, source), &fired = replica.fired_list(l, source);
    const std::size_t slots = network_.layers[l].axonal_slots(source);
    const std::size_t size = network_.source_size(l, source);
    const bool learns = network_.layers[l].learns_axons(source);
    const bool in_parts = !fired.row_tiles.empty();
    const std::size_t of_step =
        4 * network_.layers[l].arrival_kinds(source) * (bit_words(unsigned(size)) + kWorkerRanges) +
        4 * kCountSize;
    const std::size_t bytes =
        2 * list.padded_capacity * id_bytes_ +
        (network_.steps + 1) * (of_step + fired.padded_capacity * id_bytes_ + 4 * kCountSize) +
        4 * (4 * kCountSize + 3 * kWorkerRanges + 2) +
        (in_parts ? 0 : 4 * (fired.padded_capacity + slots * size)) +
        (learns ? 4 * (2 * kCountSize + size) : 0);
    for (const SampleRange& range : list.ranges)
      used_[range.tile] +=
          (learns ? 12 : 10) * kVertexBytes +
          (plan_.forward_sizes + (learns ? 4 : 3) * plan_.backward_sizes - 3) * kAgainBytes +
          4 * size + bytes * range.samples.size();
    if (in_parts) used_[list.ranges.front().tile] += kVertexBytes;
    for (const SampleRange& range : fired.ranges)
      used_[range.tile] +=
          4 * size + (in_parts ? 0 : kVertexBytes + (plan_.backward_sizes - 1) * kAgainBytes) +
          (in_parts ? 0 : 4 * fired.padded_capacity + list.padded_capacity * id_bytes_) *
              range.samples.size();
  }

  // The mask blocks of a list, each on the tile that scans it: masks, ids, and of a list that is
  // read late its ids without a delay. The list's tile receives the ids of those on other tiles,
  // which receive delays, and has the lists of ids without one. A backward pass scans no masks, not
  // even where it recomputes states: the ids lie where it has copies of weights.
  void count_blocks(const ReplicaPlan& replica, std::size_t l) {
    const LayerPlan& layer = replica.layers[l];
    const unsigned words = mask_layout(layer, replica.batch()).words;
    const LateReaders readers = late_readers(network_, l);
    const std::size_t blocks = mask_blocks(network_, replica, l, plan_.short_ids, target_);
    const std::size_t ids = block_capacity(network_.layers[l], layer, blocks);
    std::size_t bytes = 4 * (ids + kMaskKinds), lists = 0;
    if (readers.count > 0)
      bytes += 4 * (readers.count * undelayed_capacity(readers, ids) + kMostReaders);
    visit_late(network_, l, [&](std::size_t reader, std::size_t source) {
      lists += 4 + id_bytes_ * replica.at_once_room(reader, source);
    });
    for (const Range& tiles : replica.lists[l].scan_tiles) {
      used_[tiles.begin] += lists;
      for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t tile = block_tile(tiles, block);
        const std::size_t masks = subrange({0, layer.tiles}, block, blocks).size();
        forward_[tile] += bytes;
        used_[tile] += 4 * masks * words + (readers.count > 0 ? kAgainBytes : 0);
        if (tile == tiles.begin) continue;
        used_[tile] += 4 * readers.count * masks * layer.neurons_per_tile;
        used_[tiles.begin] += bytes;
      }
    }
  }

  // Bits and patterns, the ids and bits that are received for them, and a vertex each.
  void count_patterns(const ReplicaPlan& replica, const ListPlan& list, std::size_t inputs,
                      std::size_t stage) {
    const std::size_t words_each = pattern_groups(unsigned(replica.batch())) + 1;
    const auto add = [&](std::size_t tile, std::size_t bytes) {
      used_[tile] += kVertexBytes;
      passing_[tile * phases_ + stage] += bytes;
    };
    for (std::size_t b = 0; b < replica.batch(); ++b)
      for (const WordRange& range : bit_ranges(list, b, inputs))
        add(range.tile, list.padded_capacity * id_bytes_ + 4 * range.words.size());
    for (const WordRange& range : pattern_ranges(list, inputs))
      add(range.tile, 4 * words_each * range.words.size() + 8 * replica.batch());
  }

  const NetworkSpec& network_;
  const Plan& plan_;
  const poplar::Target& target_;
  const std::size_t id_bytes_;
  std::vector<std::size_t> used_;         // by tile, all the time
  const std::size_t phases_;              // time steps of each stage, and the update
  std::vector<std::size_t> passing_;      // by tile and phase, during it
  std::vector<std::size_t> forward_;      // by tile, of forward passes alone
  std::vector<std::size_t> backward_;     // by tile, of backward passes alone
  std::vector<std::size_t> interleaved_;  // by tile
};

}  // namespace

std::size_t layer_bytes(const NetworkSpec& network, const Plan& plan, const ReplicaPlan& replica,
                        std::size_t l, std::size_t neurons) {
  const LayerSpec& layer = network.layers[l];
  const std::size_t batch = replica.batch(), states = layer.states();
  bool dense = false;
  for (std::size_t source = 0; source < layer.sources(); ++source)
    dense = dense || replica.layers[l].dense[source];
  const std::size_t weights = network.weight_rows(l), rows = weights + 1;  // and the bias
  const std::size_t replicas = plan.replicas.size();
  const auto range = [=](std::size_t of) { return ceil_div(of, replicas); };
  const std::size_t optimizer = range(rows * optimizer_copies(network.optimizer));
  const std::size_t received = received_rows(network, plan, l);
  // Half of a float each: weights of 16 bits, and the rounding errors of those that are updated.
  const bool halves = layer.half_weights;
  const std::size_t values = halves ? (weights + 1) / 2 + 1 : rows;
  const std::size_t rest =
      halves && network.optimizer != Optimizer::None ? range((weights + 1) / 2) : 0;
  std::size_t learnt = 0;  // values, gradients and optimizer state of the neurons' parameters
  if (network.optimizer != Optimizer::None)
    for (unsigned row = 0; row < layer.learnable(); ++row)
      if ((layer.learnt >> row & 1) != 0) learnt += 2 + optimizer_copies(network.optimizer);
  const bool spikes = layer.kind == LayerKind::SparseLif;
  const std::size_t saved =
      spikes ? 1 + plan.checkpoint_interval + (plan.streamed ? 0 : plan.checkpoints(network.steps))
             : 1 + network.steps;
  std::size_t by_sample = saved * states + layer.grad_states() + 2;
  if (network.carries_state) by_sample += layer.grad_states();
  if (!spikes) by_sample += network.steps;
  if (layer.rows_ahead > 0)  // of states, and of dL/d(current)
    by_sample += layer.rows_ahead * states + network.steps + layer.rows_ahead;
  if (layer.learns) by_sample += layer.learnable();
  by_sample += delay_rows(network, plan, l);
  LayerPlan tile;
  tile.neurons_per_tile = neurons;
  const MaskLayout masks = mask_layout(tile, batch);
  const std::size_t vertices =
      3 + 2 * layer.sources() + (dense ? 1 : 0) + (layer.has_ring() ? 2 : 0);
  const bool sized = !lists_read(network, replica, replica.layers[l].stage).empty();
  const std::size_t again =
      sized ? plan.forward_sizes - 1 + 2 * layer.sources() * (plan.backward_sizes - 1) : 0;
  return 4 * neurons *
             (values + rest + rows + optimizer + received + learnt + layer.parameters() +
              layer.tap_rows() * (layer.learnt_delays != 0 ? 3 : 1) + synaptic_floats(network, l) +
              batch * by_sample) +
         passing_bytes(network, plan, replica, l, neurons) +
         4 * batch * kWindowSize * windows(layer) + 4 * masks.rows(batch) * masks.words +
         (layer.rows_ahead > 0 ? 4 * layer.inputs : 0) + vertices * kVertexBytes +
         again * kAgainBytes;
}

std::size_t passing_bytes(const NetworkSpec& network, const Plan& plan, const ReplicaPlan& replica,
                          std::size_t l, std::size_t neurons) {
  const std::size_t batch = replica.batch(), id_bytes = plan.short_ids ? 2 : 4;
  const std::size_t groups = pattern_groups(unsigned(batch));
  std::size_t bytes = 0;
  bool dense = false;
  for (std::size_t source = 0; source < network.layers[l].sources(); ++source) {
    const std::size_t padded_capacity = replica.list_of(l, source).padded_capacity;
    if (replica.late(l, source)) bytes += batch * replica.at_once_room(l, source) * id_bytes;
    bytes += batch * (padded_capacity * id_bytes + 4 * (kCountSize + kWorkerRanges + 1));
    if (network.sends_gradient(l, source)) bytes += 4 * batch * padded_capacity;
    if (!replica.layers[l].dense[source]) continue;
    bytes += 4 * groups * pattern_words(unsigned(network.source_size(l, source)));
    dense = true;
  }
  return bytes + (dense ? 4 * groups * pattern_rows(unsigned(batch)) * neurons : 0);
}

std::size_t interleaved_bytes(const NetworkSpec& network, std::size_t l, std::size_t neurons,
                              std::size_t batch) {
  const LayerSpec& layer = network.layers[l];
  // With rows ahead those of the states are interleaved, and not the weights.
  const std::size_t each = (layer.rows_ahead > 0 ? 0 : layer.weight_bytes()) + sizeof(float);
  const std::size_t rows = layer.rows_ahead > 0
                               ? (1 + network.steps + layer.rows_ahead) * layer.states()
                               : std::size_t(layer.has_ring());
  return (each * network.weight_rows(l) + sizeof(float) * batch * rows) * neurons;
}

namespace {

std::vector<std::size_t> needed(const NetworkSpec& network, const Plan& plan,
                                const poplar::Target& target,
                                const std::vector<std::size_t>& code) {
  Counter counter(network, plan, target);
  for (const ReplicaPlan& replica : plan.replicas) counter.count(replica);
  return counter.needed(target, code);
}

std::vector<std::size_t> needed_with_code(const NetworkSpec& network, const Plan& plan,
                                          const poplar::Target& target) {
  return needed(network, plan, target, tile_code(network, plan, target.getNumTiles()).bytes);
}

}  // namespace

std::vector<std::size_t> bytes_per_tile(const NetworkSpec& network, const Plan& plan,
                                        const poplar::Target& target) {
  return needed(network, plan, target, std::vector<std::size_t>(target.getNumTiles()));
}

bool fits(const NetworkSpec& network, const Plan& plan, const poplar::Target& target) {
  const std::vector<std::size_t> used = needed_with_code(network, plan, target);
  return *std::max_element(used.begin(), used.end()) <= target.getBytesPerTile();
}

void check_memory(const NetworkSpec& network, const Plan& plan, const poplar::Target& target) {
  const std::vector<std::size_t> used = needed_with_code(network, plan, target);
  const auto fullest = std::max_element(used.begin(), used.end());
  const std::size_t needed = *fullest;
  if (needed <= target.getBytesPerTile()) return;
  std::size_t neurons = 0;
  for (const LayerSpec& layer : network.layers) neurons += layer.neurons;
  throw TooLarge("plan: a network of " + std::to_string(neurons) + " neurons, " +
                 std::to_string(network.steps) + " steps and batch " +
                 std::to_string(network.batch) + " needs " + std::to_string(needed) +
                 " bytes on tile " + std::to_string(fullest - used.begin()) +
                 ", each of the device's " + std::to_string(target.getNumTiles()) +
                 " tiles holds " + std::to_string(target.getBytesPerTile()));
}

}  // namespace popsnn
