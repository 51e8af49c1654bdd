// Cycles of compact_spikes.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 15 fields. A row of anyone: 6 to count it. A row: the hash, four rounds of 9 and 6
// beside them, the records 10 and the branch; a place: comparison, select, two stores, branch. Of
// each part: 20, and an element twice load and comparison, 5 to count it, 6 to place it, two
// branches.
constexpr std::uint64_t compact_spikes(unsigned rows, unsigned size, unsigned places, bool silent) {
  const std::uint64_t part = 20 + size * std::uint64_t{17};
  return multi_vertex(15 + rows * std::uint64_t{6} +
                      of_worker(rows) * (53 + places * std::uint64_t{5} + (silent ? 2 : 1) * part));
}

}  // namespace cycles
}  // namespace popsnn
