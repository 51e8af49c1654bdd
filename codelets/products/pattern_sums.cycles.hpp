// Cycles of pattern_sums.
#pragma once
#include "pattern_loops.cycles.hpp"
#include "patterns.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 4 fields, the groups, their samples, found in 7 turns at most, and rows 30. A group:
// its samples 5, its blocks 3, entry and branch. A block of the worker's: pointers 8 and the
// branch; a sample past the second: shr, and, the branch, the store of two and the count, the
// branch; a column: st32step and the branch; the sum of all of them, which a worker's last block
// asks for; the loops' calls.
constexpr std::uint64_t pattern_sums(unsigned batch, unsigned neurons) {
  const std::uint64_t blocks = of_worker(pattern_rows(batch) / kPatternBlock);
  const std::uint64_t others = pattern_bits(batch) < 2 ? 0 : pattern_bits(batch) - 2;
  const std::uint64_t block = 9 + others * 7 + neurons * std::uint64_t{2} +
                              gather_rows(neurons, true, others) + sum_block(neurons);
  return multi_vertex(34 + pattern_groups(batch) * (10 + blocks * block));
}

}  // namespace cycles
}  // namespace popsnn
