// Cycles of list_shares.
#pragma once
#include "neuron.hpp"
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 8 fields and the step's 3. A sample: two rows of the history, 8, and the branch. A
// share: its begin (mul, and mul and shr for the division by 6), the store, the loop's entry and
// branch. An entry of the list: ldz16, two comparisons, two branches, add.
constexpr std::uint64_t list_shares(unsigned samples, unsigned slots) {
  return multi_vertex(11 + of_worker(samples) * (9 + (kShares + 1) * 6 + slots * std::uint64_t{6}));
}

}  // namespace cycles
}  // namespace popsnn
