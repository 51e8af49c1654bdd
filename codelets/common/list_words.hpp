// Words of lists of ids, of which the chip stores no less, and the workers that write them.
#pragma once
#include "spike_records.hpp"

namespace popsnn {

template <class Id>
constexpr unsigned kIdsOfWord = sizeof(unsigned) / sizeof(Id);

// Shift of a word's last id.
template <class Id>
constexpr unsigned kHigh = kMaskBits / kIdsOfWord<Id> % kMaskBits;

// Workers that write a list's records, and no ids.
constexpr unsigned list_recorders(unsigned workers) { return workers > 1 ? 1 : 0; }

struct WordRange {
  unsigned begin, end;
};

// The words that a writer has of a list of `active` ids.
template <class Id>
inline WordRange writer_range(unsigned active, unsigned writer, unsigned workers) {
  const unsigned words = (active + kIdsOfWord<Id> - 1) / kIdsOfWord<Id>;
  const unsigned writers = workers - list_recorders(workers);
  return {worker_begin(words, writer, writers), worker_begin(words, writer + 1, writers)};
}

}  // namespace popsnn
