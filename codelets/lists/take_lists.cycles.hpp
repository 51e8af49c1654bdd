// Cycles of take_lists.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 9 fields. A list: pointers to four rows 12, two counts of load, comparison, select and
// store 8, the branch. An entry: load, comparison, select, and its store: of 16 bits a word is
// loaded, shifted and joined first.
constexpr std::uint64_t take_lists(unsigned samples, unsigned steps, unsigned places,
                                   bool short_ids) {
  const std::uint64_t entry = short_ids ? 8 : 5;
  return multi_vertex(9 + samples * of_worker(steps) * (21 + places * entry));
}

}  // namespace cycles
}  // namespace popsnn
