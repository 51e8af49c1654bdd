// Words of lists of ids: the chip stores no less.
#pragma once
#include "spike_records.hpp"

namespace popsnn {

template <class Id>
constexpr unsigned kIdsOfWord = sizeof(unsigned) / sizeof(Id);

// Shift of a word's last id.
template <class Id>
constexpr unsigned kHigh = kMaskBits / kIdsOfWord<Id> % kMaskBits;

}  // namespace popsnn
