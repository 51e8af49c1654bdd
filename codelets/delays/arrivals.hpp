// Words of lists of ids, which vertices of spikes that arrive late write whole.
#pragma once
#include "common/spike_records.hpp"

namespace popsnn {

template <class Id>
constexpr unsigned kIdsOfWord = sizeof(unsigned) / sizeof(Id);

// Shift of a word's last id.
template <class Id>
constexpr unsigned kHigh = kMaskBits / kIdsOfWord<Id> % kMaskBits;

}  // namespace popsnn
