// Cycles of list_bits.
#pragma once
#include "common/neuron.hpp"
#include "first_from.cycles.hpp"

namespace popsnn {
namespace cycles {

// With a full list, of which the busiest worker meets all ids of its words. Prologue: 6 fields, the
// worker's words 6, the count, the first id 3, the search.
//    8  a word: its clearing, the next one's id, the entry into its loop 3, the store, its address,
//       the branch
//    9  an id: its position's comparison, ldz16, its comparison, two branches, and, shl, or, the
//       next position
constexpr std::uint64_t list_bits(unsigned slots, unsigned words) {
  const std::uint64_t of = of_worker(words), most = of * kMaskBits;
  return multi_vertex(16 + first_from(slots) + of * 8 + (most < slots ? most : slots) * 9);
}

}  // namespace cycles
}  // namespace popsnn
