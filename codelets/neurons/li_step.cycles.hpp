// Cycles of li_step.
#pragma once
#include "common/rows.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 11 fields. A sample, with a full list:
//   12  pointers: states 5, list 3, count 2, before 1; the branch
//    3  a neuron: its bias to the sum, and the branch
//       gather_rows
//    8  a neuron: ld32 of v, beta and before, two f32mul, f32add, st32 and the branch
constexpr std::uint64_t li_step(unsigned batch, unsigned slots, unsigned neurons, bool short_ids,
                                bool half_weights = false) {
  const std::uint64_t gathered = gather_rows(neurons, short_ids, slots, half_weights);
  return multi_vertex(11 + of_worker(batch) * (12 + gathered + neurons * std::uint64_t{11}));
}

}  // namespace cycles
}  // namespace popsnn
