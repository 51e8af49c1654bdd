// Cycles of list_shares.
#pragma once
#include "common/neuron.hpp"
#include "first_from.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 8 fields and the step's 3. A sample, with a full list: two rows of the history, 10, and
// the branch. A share: its begin (mul, and mul and shr for the division by 6), the store and its
// place 3, the loop's entry and branch, the search. The worker of the first share, which searches
// nothing, writes the last bound.
constexpr std::uint64_t list_shares(unsigned samples, unsigned slots) {
  return multi_vertex(11 + samples * (11 + of_worker(kShares) * (8 + first_from(slots))));
}

}  // namespace cycles
}  // namespace popsnn
