// Cycles of pattern_grad.
#pragma once
#include "pattern_loops.cycles.hpp"
#include "patterns.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 8 fields, the groups, their samples, found in 7 turns at most, and rows 30; the
// worker's inputs 12. A group: pointers to the row, the patterns and the sums 9, two branches. The
// bias: its samples' sum 8, the worker's columns 8, each two loads, f32add, st32 and the branch.
constexpr std::uint64_t pattern_grad(unsigned batch, unsigned inputs, unsigned neurons,
                                     bool with_bias) {
  const std::uint64_t most = of_worker(pattern_words(inputs)) * kPatternsOfWord;
  const std::uint64_t of = most < inputs ? most : inputs;
  const std::uint64_t bias = with_bias ? 16 + of_worker(neurons) * 5 : 0;
  return multi_vertex(50 + pattern_groups(batch) * (11 + add_sums(neurons, of) + bias));
}

}  // namespace cycles
}  // namespace popsnn
