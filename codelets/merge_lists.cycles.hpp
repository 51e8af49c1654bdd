// Cycles of merge_lists.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Of its worker, with a full list of fired neurons and none over capacity. Prologue: 18 fields.
//   56  the window's begin: four rounds of mix (7), their xors and the steps 6, a product of 64
//       bits by parts 16, its pointers 6
//    5  a segment's count, for both parts' totals: pointer, ld32, add, branch
//   10  a segment of the fired: its count, comparisons, bounds, first rank and branch
//    6  an id, beside the 16-bit store: its address 3, ldz16, pointer and branch
//    4  its copy to the history, beside the 16-bit store
//   24  counts, window and drops
constexpr std::uint64_t merge_lists(unsigned parts, unsigned capacity, bool short_ids) {
  const std::uint64_t store = short_ids ? kStoreShort : 1;
  return kEntry + 18 + 56 + parts * std::uint64_t{20} + capacity * (10 + 2 * store) + 24;
}

}  // namespace cycles
}  // namespace popsnn
