// Cycles of merge_lists.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// With a full list of fired neurons and none over capacity. Prologue: 18 fields.
//   10  a segment, for the totals of both parts: twice pointer, ld32, add, comparison, branch
//   22  what keeps its place 12; the worker's words 10
// The worker that keeps the records:
//   56  the window's begin: four rounds of mix (7), their xors and the steps 6, a product of 64
//       bits by parts 16, its pointers 6
//   40  counts, window, drops and their histories
// The others:
//    5  a segment before the worker's last id: comparison, sub, add, ld32, branch
//   22  pointers 9, the run of ids 8, its first segment 5
//   14  a segment, of which a worker's ids meet two where a list is even: its count 3, its end 4,
//       the first id's address 5, two branches
//    6  an id: ld32step, its parity and a branch 2, shl, or, the branch
//    4  a word: two addresses, two stores
constexpr std::uint64_t merge_lists(unsigned parts, unsigned capacity, bool short_ids) {
  const std::uint64_t in_word = short_ids ? 2 : 1;
  const std::uint64_t words = divided(divided(capacity, in_word), kWorkers - 1);
  const std::uint64_t writes =
      words == 0 ? 0 : parts * std::uint64_t{5} + 22 + 2 * 14 + words * (in_word * 6 + 4);
  const std::uint64_t keeps = 56 + 40;
  return multi_vertex(18 + parts * std::uint64_t{10} + 22 + (writes > keeps ? writes : keeps));
}

}  // namespace cycles
}  // namespace popsnn
