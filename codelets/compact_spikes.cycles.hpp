// Cycles of compact_spikes.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// With a full list of fired neurons and none over capacity. Prologue: 18 fields. A sample:
//   37  the window's begin: four rounds of mix (7) and their xors, pointers
//       its modulo, a division
//       passes over the masks: of both parts population and listing, 4; a tile costs the row's
//       pointer 5 and the loop 2, a word ld32, and or popc, add and branches 3
//    9  a listed id beyond ctz and the 16-bit store: its word's base 3, and, add, pointer, branch
//    4  its copy to the history, beyond the 16-bit store
//   20  counts, window and drops to their histories
constexpr std::uint64_t compact_spikes(unsigned samples, unsigned slots, unsigned tiles,
                                       unsigned words, bool short_ids) {
  const std::uint64_t passes = 4 * tiles * (7 + words * std::uint64_t{5});
  const std::uint64_t store = short_ids ? kStoreShort : 1;
  const std::uint64_t entry = kTrailingZeros + store + 9 + store + 4;
  return multi_vertex(18 +
                      of_worker(samples) * (37 + kUnsignedDivide + passes + slots * entry + 20));
}

}  // namespace cycles
}  // namespace popsnn
