// Cycles of give_lists.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 8 fields. A list: pointers to four rows 12, two counts, the branch. A place: the id's
// load, two comparisons and selects, two stores, the branch.
constexpr std::uint64_t give_lists(unsigned samples, unsigned steps, unsigned places) {
  return multi_vertex(8 + samples * of_worker(steps) * (15 + places * std::uint64_t{8}));
}

}  // namespace cycles
}  // namespace popsnn
