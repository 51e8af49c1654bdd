// Cycles of li_step_grad.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 10 fields. A sample: three pointers, 10, and two branches. A neuron: the leak's ld32
// twice, f32mul, st32 and the branch, then ld32 of dv and out, f32add, st32, f32mul, st32 and the
// branch. A leak that learns: three loads, f32mul, f32add, st32 and the branch.
constexpr std::uint64_t li_step_grad(unsigned batch, unsigned neurons, bool learns) {
  const std::uint64_t neuron = learns ? 19 : 12;
  return multi_vertex(10 + of_worker(batch) * (12 + neurons * neuron));
}

}  // namespace cycles
}  // namespace popsnn
