// Cycles of fetch_step.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 7 fields, the step's load and addition, two comparisons, the worker's range 6. A
// sample: two pointers of 4 operations each, branches on `inside` and the loop's. A word: load,
// store and branch.
constexpr std::uint64_t fetch_step(unsigned samples, unsigned row, bool short_entries) {
  const std::uint64_t words = short_entries ? divided(row, 2) : row;
  return multi_vertex(17 + samples * (11 + of_worker(words) * 3));
}

}  // namespace cycles
}  // namespace popsnn
