// Words of lists of ids: the chip stores no less.
#pragma once
#include "spike_records.hpp"

namespace popsnn {

template <class Id>
constexpr unsigned kIdsOfWord = sizeof(unsigned) / sizeof(Id);

// Shift of a word's last id.
template <class Id>
constexpr unsigned kHigh = kMaskBits / kIdsOfWord<Id> % kMaskBits;

// Readers of a list that read it late: the layer above, and a recurrent one itself.
constexpr unsigned kMostReaders = 2;

}  // namespace popsnn
