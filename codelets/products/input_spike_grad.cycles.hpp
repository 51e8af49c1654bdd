// Cycles of input_spike_grad.
#pragma once
#include "common/rows.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 8 fields. A sample, with a full list: four pointers of 3 operations, the count's load
// and the branch.
constexpr std::uint64_t input_spike_grad(unsigned batch, unsigned slots, unsigned neurons,
                                         bool short_ids, bool half_weights = false) {
  const std::uint64_t dots = dot_rows(neurons, short_ids, slots, half_weights);
  return multi_vertex(8 + of_worker(batch) * (14 + dots));
}

}  // namespace cycles
}  // namespace popsnn
