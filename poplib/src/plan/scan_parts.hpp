// How a layer's masks are shared out to be scanned.
#pragma once
#include <cstddef>

#include <poplar/Target.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// Parts into which a layer's tiles are cut so that the masks of one sample are scanned side by
// side.
std::size_t scan_parts(const LayerSpec& spec, const LayerPlan& layer, const ListPlan& list,
                       std::size_t batch, bool short_ids, const poplar::Target& target);

// Ids that the largest of so many parts may have, as its row.
std::size_t segment_slots(const LayerSpec& spec, const LayerPlan& layer, std::size_t parts);

}  // namespace popsnn
