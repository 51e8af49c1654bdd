// Cycles of clear_spike_grad.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 8 fields. A sample, with a full list: 22 for its rows, the count and the worker's
// stretch; by entry ldz16, store and branch.
constexpr std::uint64_t clear_spike_grad(unsigned samples, unsigned slots) {
  return multi_vertex(8 + samples * (22 + of_worker(slots) * 3));
}

}  // namespace cycles
}  // namespace popsnn
