// Cycles of scatter_spike_grad.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 11 fields and the step's 3. A sample, with a full list: 24 for its rows, the count and
// the worker's stretch. A source (the loss is one too): its row 4, call and branch 4, and by entry
// two loads, the dense value's load, f32add, store and branch.
constexpr std::uint64_t scatter_spike_grad(unsigned samples, unsigned slots, unsigned sources) {
  return multi_vertex(14 + samples * (24 + sources * (8 + of_worker(slots) * 6)));
}

}  // namespace cycles
}  // namespace popsnn
