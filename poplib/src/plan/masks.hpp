// How a layer's tiles pack their masks, and how these are shared out to be scanned.
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

// Parts into which a layer's tiles are cut so that the masks of one sample are scanned side by
// side.
std::size_t scan_parts(const LayerSpec& spec, const LayerPlan& layer, const ListPlan& list,
                       std::size_t batch, bool short_ids, const poplar::Target& target);

// Ids that the largest of so many parts may have, as its row.
std::size_t segment_slots(const LayerSpec& spec, const LayerPlan& layer, std::size_t parts);

}  // namespace popsnn
