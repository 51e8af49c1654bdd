// Masks of a layer's tiles: how they are packed, and the blocks of ids that they are scanned to.
#pragma once
#include <cstddef>

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

// Mask blocks of a sample: ranges of the layer's tiles whose masks are scanned in parallel.
std::size_t mask_blocks(const LayerSpec& spec, const LayerPlan& layer, const ListPlan& list,
                        std::size_t batch, bool short_ids, const poplar::Target& target);

// Row length of the ids of the largest of so many blocks.
std::size_t block_capacity(const LayerSpec& spec, const LayerPlan& layer, std::size_t blocks);

}  // namespace popsnn
