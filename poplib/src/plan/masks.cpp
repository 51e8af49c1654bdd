#include "masks.hpp"

#include <algorithm>

#include "lists/cycles.hpp"

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

std::size_t mask_blocks(const LayerSpec& spec, const LayerPlan& layer, const ListPlan& list,
                        std::size_t batch, bool short_ids, const poplar::Target& target) {
  std::size_t most = 1;  // samples of a tile
  for (const SampleRange& range : list.ranges) most = std::max(most, range.samples.size());
  const std::size_t workers = kWorkers * list.scan_tiles.front().size() / most;
  const MaskLayout masks = mask_layout(layer, batch);
  // With more blocks the scan is faster and the merge slower; blocks of other tiles are sent whole.
  const auto sent = [&](std::size_t blocks) {
    const std::size_t others = blocks > kWorkers ? most * (blocks - kWorkers) : 0;
    const std::size_t bytes = sizeof(unsigned) * others * block_capacity(spec, layer, blocks);
    return std::uint64_t(double(bytes) / double(target.getExchangeBytesPerCycle()));
  };
  std::size_t best = 1;
  std::uint64_t least = 0;
  for (std::size_t blocks = 1; blocks <= std::min(std::max<std::size_t>(1, workers), layer.tiles);
       ++blocks) {
    const std::uint64_t time =
        kWorkers * cycles::scan_masks(unsigned(ceil_div(layer.tiles, blocks)), masks.words,
                                      masks.bits, ceil_div(spec.capacity, blocks)) +
        cycles::merge_lists(unsigned(blocks), unsigned(spec.capacity), short_ids) + sent(blocks);
    if (blocks > 1 && time >= least) continue;
    best = blocks;
    least = time;
  }
  return best;
}

}  // namespace popsnn
