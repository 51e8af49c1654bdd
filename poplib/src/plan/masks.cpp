#include "masks.hpp"

#include <algorithm>

#include "lists/cycles.hpp"

namespace popsnn {

MaskLayout mask_layout(const LayerPlan& layer, std::size_t batch) {
  const unsigned neurons = unsigned(layer.neurons_per_tile);
  MaskLayout layout = {mask_bits(neurons), mask_words(neurons), 1};
  // As many samples share a word as do not make a worker wait for the others.
  const auto samples_of_a_worker = [&](unsigned samples_per_row) {
    return ceil_div(ceil_div(batch, samples_per_row), kWorkers) * samples_per_row;
  };
  if (layout.bits < kMaskBits)
    for (unsigned more = 2; more <= kPackedBits / layout.bits; more *= 2)
      if (samples_of_a_worker(more) <= samples_of_a_worker(1)) layout.samples_per_row = more;
  return layout;
}

std::size_t segment_slots(const LayerSpec& spec, const LayerPlan& layer, std::size_t parts) {
  const std::size_t tiles = part_of({0, layer.tiles}, parts - 1, parts).size();
  return row_slots(std::min((tiles + 1) * layer.neurons_per_tile, spec.neurons));
}

std::size_t scan_parts(const LayerSpec& spec, const LayerPlan& layer, const ListPlan& list,
                       std::size_t batch, bool short_ids, const poplar::Target& target) {
  std::size_t most = 1;  // samples of a tile
  for (const SampleRange& range : list.ranges) most = std::max(most, range.samples.size());
  const std::size_t workers = kWorkers * list.zones.front().size() / most;
  const MaskLayout masks = mask_layout(layer, batch);
  // More parts scan faster and merge slower; those of other tiles are sent, taken or not.
  const auto sent = [&](std::size_t parts) {
    const std::size_t others = parts > kWorkers ? most * (parts - kWorkers) : 0;
    const std::size_t bytes = sizeof(unsigned) * others * segment_slots(spec, layer, parts);
    return std::uint64_t(double(bytes) / double(target.getExchangeBytesPerCycle()));
  };
  std::size_t best = 1;
  std::uint64_t least = 0;
  for (std::size_t parts = 1; parts <= std::min(std::max<std::size_t>(1, workers), layer.tiles);
       ++parts) {
    const std::uint64_t time =
        kWorkers * cycles::scan_masks(unsigned(ceil_div(layer.tiles, parts)), masks.words,
                                      masks.bits, ceil_div(spec.capacity, parts)) +
        cycles::merge_lists(unsigned(parts), unsigned(spec.capacity), short_ids) + sent(parts);
    if (parts > 1 && time >= least) continue;
    best = parts;
    least = time;
  }
  return best;
}

}  // namespace popsnn
