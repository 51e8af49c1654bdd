// Masks of a layer's tiles: how they are packed, the blocks of ids that they are scanned to, and
// the cycles of the lists that are made of them.
#pragma once
#include <cstddef>
#include <cstdint>

#include <poplar/Target.hpp>

#include "common/spike_records.hpp"
#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// How a layer's tiles pack their masks (codelets/common/spike_records.hpp).
struct MaskLayout {
  unsigned bits, words, samples_per_row;
  std::size_t rows(std::size_t batch) const { return ceil_div(batch, samples_per_row); }
};

MaskLayout mask_layout(const LayerPlan& layer, std::size_t batch);

// Calls visit(reader, source) for those who read a layer's list late.
template <class Visit>
void visit_late(const NetworkSpec& network, std::size_t l, const Visit& visit) {
  if (network.layers[l].recurrent && network.layers[l].late(1)) visit(l, 1);
  if (l + 1 < network.layers.size() && network.layers[l + 1].late(0)) visit(l + 1, 0);
}

// Those who read a layer's list late: how many, and of how many of its neurons the spikes arrive at
// once, at most and of a usual list.
struct LateReaders {
  unsigned count = 0, undelayed = 0, usual_at_once = 0;
};
LateReaders late_readers(const NetworkSpec& network, std::size_t l);

// Mask blocks of a sample: ranges of the layer's tiles whose masks are scanned in parallel.
std::size_t mask_blocks(const NetworkSpec& network, const ReplicaPlan& replica, std::size_t l,
                        bool short_ids, const poplar::Target& target);

// The tile, of those that a sample's masks may be scanned on, that scans one of its blocks.
std::size_t block_tile(const Range& scan_tiles, std::size_t block);

// Row length of the ids of the largest of so many blocks, and of those without a delay.
std::size_t block_capacity(const LayerSpec& spec, const LayerPlan& layer, std::size_t blocks);
std::size_t undelayed_capacity(const LateReaders& readers, std::size_t block_capacity);

// Cycles of a sample's list with so many blocks: of a tile that scans them, of the merge, and of
// the exchange before it.
struct BlockCycles {
  std::uint64_t scan, merge;
  double sent;
};
BlockCycles block_cycles(const NetworkSpec& network, const ReplicaPlan& replica, std::size_t l,
                         std::size_t blocks, bool short_ids, const poplar::Target& target);

// Cycles of a tile that makes the lists that arrive late of a layer's spikes, while its own list is
// merged; 0 without any.
std::uint64_t take_cycles(const NetworkSpec& network, const ReplicaPlan& replica, std::size_t l,
                          bool short_ids);

}  // namespace popsnn
