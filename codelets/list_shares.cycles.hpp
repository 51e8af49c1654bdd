// Cycles of list_shares.
#pragma once
#include "neuron.hpp"
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Halvings until nothing is left of `slots` entries.
constexpr std::uint64_t halvings(unsigned slots) {
  return slots == 0 ? 0 : 1 + halvings(slots / 2);
}

// Prologue: 8 fields and the step's 3. A sample, with a full list: two rows of the history, 10, and
// the branch. A share: its begin (mul, and mul and shr for the division by 6), the store and its
// place 3, the loop's entry and branch. Each halving of the search: shr, add, ldz16, comparison,
// two selections of 2 and the branch. The worker of the first share, which searches nothing, writes
// the last bound.
constexpr std::uint64_t list_shares(unsigned samples, unsigned slots) {
  return multi_vertex(
      11 + samples * (11 + of_worker(kShares) * (8 + halvings(slots) * std::uint64_t{9})));
}

}  // namespace cycles
}  // namespace popsnn
