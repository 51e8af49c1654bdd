// Cycles of fetch_step.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 7 fields, the step's load and addition, two comparisons. A sample: two pointers of 3
// operations each, branches on `inside` and the loop's. An entry: load, store and branch.
constexpr std::uint64_t fetch_step(unsigned samples, unsigned row, bool short_entries) {
  const std::uint64_t entry = 1 + (short_entries ? kStoreShort : 1) + 1;
  return multi_vertex(11 + of_worker(samples) * (9 + row * entry));
}

}  // namespace cycles
}  // namespace popsnn
