// Cycles of expand_spikes.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 7 fields. A row: pointers to four rows 12, the count, the branch; an element's zero and
// branch; an entry's two loads, two comparisons, store and branch.
constexpr std::uint64_t expand_spikes(unsigned rows, unsigned size, unsigned places) {
  return multi_vertex(7 +
                      of_worker(rows) * (14 + size * std::uint64_t{2} + places * std::uint64_t{6}));
}

}  // namespace cycles
}  // namespace popsnn
