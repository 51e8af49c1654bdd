// Cycles of lif_step.
#pragma once
#include "rows.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 18 fields. A sample, with a full list and nobody's place lost:
//   16  pointers: membrane 5, list 3, count 2, window 2, masks 3, branch
//    5  branch on the step, on the reset and on the window's span with its load
//    3  a neuron: its bias to the sum, and the branch
//       gather_rows
//    4  a neuron: ld32, f32mul by gain, st32 and the branch
//   10  a neuron: ld32 of v, previous, theta and decay, f32cmp, f32mul (two with "subtract": f32sub
//       too), select, f32add, st32 and the branch
//   12  a neuron: twice ld32 of v and of a threshold, f32cmp, atom, shl, or
//    8  a mask word: its first neuron and the rest 3, two comparisons, andc and two st32
constexpr std::uint64_t lif_step(unsigned batch, unsigned slots, unsigned neurons, unsigned words,
                                 bool short_ids) {
  return multi_vertex(18 + of_worker(batch) * (21 + gather_rows(neurons, short_ids, slots) +
                                               neurons * std::uint64_t{29} + words * 8));
}

}  // namespace cycles
}  // namespace popsnn
