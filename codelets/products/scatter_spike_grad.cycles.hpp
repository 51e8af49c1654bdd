// Cycles of scatter_spike_grad.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 12 fields and the step's 3. A sample, with full lists: 24 for its rows, the count and
// the worker's stretch. An entry: ldz16 and ld32 of the row, its address, st32 and the branch, 6;
// for each source the row's pointer 2, ld32, f32add and the branch. The loss' own values: their row
// 4, and by entry two loads, the dense value's load, f32add, store and branch.
constexpr std::uint64_t scatter_spike_grad(unsigned samples, unsigned slots, unsigned sources,
                                           unsigned losses = 0) {
  const std::uint64_t entry = 6 + sources * std::uint64_t{5};
  return multi_vertex(
      15 + samples * (24 + of_worker(slots) * entry + losses * (4 + of_worker(slots) * 6)));
}

}  // namespace cycles
}  // namespace popsnn
