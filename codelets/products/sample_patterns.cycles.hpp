// Cycles of sample_patterns.
#pragma once
#include "common/worker.cycles.hpp"
#include "patterns.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 5 fields, the groups and their samples, found in 7 turns at most, 30; the worker's
// words 6.
//    7  a word: its place and shift 4, the loops' entries 2, the branch
//   10  a group: its samples 5, the store and its address 3, the entry, the branch
//   10  a sample: its row's pointer and word 3, shr, and, mul, and, shl, or, the branch
constexpr std::uint64_t sample_patterns(unsigned batch, unsigned words) {
  const std::uint64_t word =
      7 + pattern_groups(batch) * std::uint64_t{10} + batch * std::uint64_t{10};
  return multi_vertex(41 + of_worker(words) * word);
}

}  // namespace cycles
}  // namespace popsnn
