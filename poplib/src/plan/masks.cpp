#include "masks.hpp"

#include <algorithm>

#include "delays/cycles.hpp"
#include "lists/cycles.hpp"
#include "pattern_ranges.hpp"

namespace popsnn {

MaskLayout mask_layout(const LayerPlan& layer, std::size_t batch) {
  const unsigned neurons = unsigned(layer.neurons_per_tile);
  MaskLayout layout = {mask_bits(neurons), mask_words(neurons), 1};
  // Samples are packed into a word as long as no worker has more samples for it.
  const auto samples_of_a_worker = [&](unsigned samples_per_row) {
    return ceil_div(ceil_div(batch, samples_per_row), kWorkers) * samples_per_row;
  };
  if (layout.bits < kMaskBits)
    for (unsigned more = 2; more <= kPackedBits / layout.bits; more *= 2)
      if (samples_of_a_worker(more) <= samples_of_a_worker(1)) layout.samples_per_row = more;
  return layout;
}

std::size_t block_capacity(const LayerSpec& spec, const LayerPlan& layer, std::size_t blocks) {
  const std::size_t tiles = subrange({0, layer.tiles}, blocks - 1, blocks).size();
  return pad_capacity(std::min((tiles + 1) * layer.neurons_per_tile, spec.neurons));
}

std::size_t undelayed_capacity(const LateReaders& readers, std::size_t block_capacity) {
  return std::max<std::size_t>(1, std::min<std::size_t>(readers.undelayed, block_capacity));
}

std::size_t block_tile(const Range& scan_tiles, std::size_t block) {
  return scan_tiles.begin + std::min(block / kWorkers, scan_tiles.size() - 1);
}

LateReaders late_readers(const NetworkSpec& network, std::size_t l) {
  const LayerSpec& layer = network.layers[l];
  LateReaders readers;
  visit_late(network, l, [&](std::size_t reader, std::size_t source) {
    ++readers.count;
    readers.undelayed = std::max(readers.undelayed, network.layers[reader].undelayed_of(source));
  });
  const double mean = double(layer.capacity) * double(readers.undelayed) / double(layer.neurons);
  readers.usual_at_once = unsigned(std::min(layer.capacity, longest_list(mean)));
  return readers;
}

BlockCycles block_cycles(const NetworkSpec& network, const ReplicaPlan& replica, std::size_t l,
                         std::size_t blocks, bool short_ids, const poplar::Target& target) {
  const LayerSpec& spec = network.layers[l];
  const LayerPlan& layer = replica.layers[l];
  const MaskLayout masks = mask_layout(layer, replica.batch());
  const LateReaders readers = late_readers(network, l);
  const unsigned tiles = unsigned(ceil_div(layer.tiles, blocks));
  const std::uint64_t active = ceil_div(spec.capacity, blocks);
  const std::uint64_t scan =
      readers.count == 0
          ? cycles::scan_masks(tiles, masks.words, masks.bits, active)
          : cycles::scan_late_masks(tiles, masks.words, masks.bits, active, readers.count,
                                    ceil_div(readers.usual_at_once, blocks));
  // Blocks of other tiles are sent whole.
  const std::size_t others = blocks > kWorkers ? blocks - kWorkers : 0;
  const std::size_t ids = block_capacity(spec, layer, blocks);
  const std::size_t late = readers.count * undelayed_capacity(readers, ids);
  return {
      kWorkers * scan,
      cycles::merge_lists(unsigned(blocks), unsigned(spec.capacity), short_ids, readers.count,
                          readers.usual_at_once),
      double(sizeof(unsigned) * others * (ids + late)) / double(target.getExchangeBytesPerCycle())};
}

std::uint64_t take_cycles(const NetworkSpec& network, const ReplicaPlan& replica, std::size_t l,
                          bool short_ids) {
  const LayerSpec& layer = network.layers[l];
  const unsigned words = unsigned(bit_words(layer.neurons));
  std::uint64_t cycles = 0;
  visit_late(network, l, [&](std::size_t reader, std::size_t source) {
    const ListPlan& list = replica.arrivals[reader][source];
    cycles = std::max(
        cycles, cycles::take_spikes(
                    unsigned(list.most_samples()),
                    unsigned(std::min(list.padded_capacity, longest_list(double(layer.capacity)))),
                    words, 1, true, short_ids));
  });
  return cycles;
}

std::size_t mask_blocks(const NetworkSpec& network, const ReplicaPlan& replica, std::size_t l,
                        bool short_ids, const poplar::Target& target) {
  const ListPlan& list = replica.lists[l];
  const std::size_t most = list.most_samples();
  const std::size_t workers = kWorkers * list.scan_tiles.front().size() / most;
  // With more blocks the scan is faster and the merge slower, which may take as long as the lists
  // that are made meanwhile.
  const std::uint64_t meanwhile = take_cycles(network, replica, l, short_ids);
  std::size_t best = 1;
  std::uint64_t least = 0;
  for (std::size_t blocks = 1;
       blocks <= std::min(std::max<std::size_t>(1, workers), replica.layers[l].tiles); ++blocks) {
    const BlockCycles of = block_cycles(network, replica, l, blocks, short_ids, target);
    const std::uint64_t time =
        of.scan + std::max(of.merge, meanwhile) + std::uint64_t(double(most) * of.sent);
    if (blocks > 1 && time >= least) continue;
    best = blocks;
    least = time;
  }
  return best;
}

}  // namespace popsnn
