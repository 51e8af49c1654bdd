// Cycles of reduce_spike_grad.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 12 fields and the step's 2. A sample, with a full list: 14 for its rows, then the zeros
// (store and branch each), and of every tile its row's pointer 5 and by entry two loads, the
// dense value's load, f32add, store and branch.
constexpr std::uint64_t reduce_spike_grad(unsigned tiles, unsigned samples, unsigned slots,
                                          unsigned size) {
  return multi_vertex(14 + of_worker(samples) * (14 + size * std::uint64_t{2} +
                                                 tiles * (5 + slots * std::uint64_t{6})));
}

}  // namespace cycles
}  // namespace popsnn
