// Cycles of pick_spikes.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 7 fields. A row: pointers to four rows 12, the count, the branch; a place: two loads,
// two comparisons and branches, store and branch.
constexpr std::uint64_t pick_spikes(unsigned rows, unsigned places) {
  return multi_vertex(7 + of_worker(rows) * (14 + places * std::uint64_t{8}));
}

}  // namespace cycles
}  // namespace popsnn
