// Rows of the history of spikes that arrive late: each as long as its list, from a whole word on.
#pragma once

namespace popsnn {

template <class Id>
constexpr unsigned kIdsOfWord = sizeof(unsigned) / sizeof(Id);

// Entries, rounded up to whole words.
template <class Id>
inline unsigned whole_words(unsigned entries) {
  return (entries + kIdsOfWord<Id> - 1) / kIdsOfWord<Id> * kIdsOfWord<Id>;
}

}  // namespace popsnn
