// Cycles of weight_grad.
#pragma once
#include "common/neuron.hpp"
#include "common/rows.cycles.hpp"

namespace popsnn {
namespace cycles {

// A worker adds its share of the inputs for every sample. Full lists are taken to spread evenly
// over the shares: over a batch the busiest share's excess is small against it.
// Prologue: 8 fields, the loop over shares 2. A sample: three pointers, 9, the share's bounds 3 and
// the branch. The bias: the bounds of a worker's neurons 8 and walks of their blocks: a sample
// steps the pointer and branches, then each column is a load and an addition.
constexpr std::uint64_t weight_grad(unsigned batch, unsigned slots, unsigned neurons,
                                    bool short_ids, bool with_bias) {
  const std::uint64_t sample = 13 + scatter_rows(neurons, short_ids, divided(slots, kShares));
  const std::uint64_t bias = 8 + blocks_walk(divided(neurons, kShares), batch, 2, 2);
  return multi_vertex(10 + batch * sample + (with_bias ? bias : 0));
}

}  // namespace cycles
}  // namespace popsnn
