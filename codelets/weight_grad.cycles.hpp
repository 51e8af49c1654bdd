// Cycles of weight_grad.
#pragma once
#include "column_groups.hpp"
#include "neuron.hpp"
#include "rows.cycles.hpp"

namespace popsnn {
namespace cycles {

// A worker adds its share of the inputs for every sample. Full lists are taken to spread evenly
// over the shares: over a batch the busiest share's excess is small against it.
// Prologue: 8 fields, the groups of columns and this worker's 35 (divisions: mul and shr). A
// sample: three pointers, 9, the share's bounds 3 and the branch. The bias: the bounds of a
// worker's neurons 8 and walks of their blocks: a sample steps the pointer and branches, then each
// column is a load and an addition.
constexpr std::uint64_t weight_grad(unsigned batch, unsigned slots, unsigned neurons,
                                    bool short_ids, bool with_bias) {
  const bool grouped = in_assembly(neurons, short_ids) && neurons > 2;
  const unsigned groups = grouped ? column_groups(neurons, slots) : 1;
  const unsigned columns = groups > 1 ? group_columns(neurons, groups) : neurons;
  const std::uint64_t listed = divided(slots, kShares / groups);
  const std::uint64_t sample = 13 + scatter_rows(columns, short_ids, listed);
  const std::uint64_t bias = 8 + blocks_walk(divided(neurons, kShares), batch, 2, 2);
  return multi_vertex(43 + batch * sample + (with_bias ? bias : 0));
}

}  // namespace cycles
}  // namespace popsnn
