// Cycles of fetch_step.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 7 fields, the step's load and addition, two comparisons, the worker's range 6. A
// sample: two pointers of 4 operations each, branches on `inside` and the loop's. An entry: load,
// store and branch.
constexpr std::uint64_t fetch_step(unsigned samples, unsigned row, bool short_entries) {
  const std::uint64_t entry = 1 + (short_entries ? kStoreShort : 1) + 1;
  const std::uint64_t entries = short_entries ? 2 * of_worker(row / 2) : of_worker(row);
  return multi_vertex(17 + samples * (11 + entries * entry));
}

}  // namespace cycles
}  // namespace popsnn
