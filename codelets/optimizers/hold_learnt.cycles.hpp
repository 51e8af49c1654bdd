// Cycles of hold_learnt.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// 4 or 5 fields. An element of a leak: its load, two comparisons, two selections of 2, store and
// branch; of its gradient: two loads, two comparisons, `and`, the selection's 2, store and branch.
constexpr std::uint64_t hold_learnt(unsigned size) { return kEntry + 4 + size * std::uint64_t{9}; }
constexpr std::uint64_t hold_gradient(unsigned size) {
  return kEntry + 5 + size * std::uint64_t{9};
}

}  // namespace cycles
}  // namespace popsnn
