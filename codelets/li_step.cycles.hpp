// Cycles of li_step.
#pragma once
#include "rows.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 11 fields. A sample, with a full list:
//   13  pointers: membrane 5, list 3, count 2, previous 1; branches on the step and of the loop
//    3  a neuron: its bias to the sum, and the branch
//       gather_rows
//    8  a neuron: ld32 of v, beta and previous, two f32mul, f32add, st32 and the branch
constexpr std::uint64_t li_step(unsigned batch, unsigned slots, unsigned neurons, bool short_ids) {
  return multi_vertex(11 + of_worker(batch) * (13 + gather_rows(neurons, short_ids, slots) +
                                               neurons * std::uint64_t{11}));
}

}  // namespace cycles
}  // namespace popsnn
