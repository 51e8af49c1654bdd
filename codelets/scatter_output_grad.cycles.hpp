// Cycles of scatter_output_grad.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 10 fields and the step's 2. A sample, with a full list: 10 for its rows, then the zeros
// (store and branch each), and by entry two loads, the store and the branch.
constexpr std::uint64_t scatter_output_grad(unsigned samples, unsigned slots, unsigned size) {
  return multi_vertex(12 + of_worker(samples) *
                               (10 + size * std::uint64_t{2} + slots * std::uint64_t{4}));
}

}  // namespace cycles
}  // namespace popsnn
