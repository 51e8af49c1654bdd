// Cycles of the search in an ascending list.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Halvings until nothing is left of `slots` entries.
constexpr std::uint64_t halvings(unsigned slots) {
  return slots == 0 ? 0 : 1 + halvings(slots / 2);
}

// Each halving: shr, add, ldz16, comparison, two selections of 2 and the branch.
constexpr std::uint64_t first_from(unsigned slots) { return halvings(slots) * 9; }

}  // namespace cycles
}  // namespace popsnn
