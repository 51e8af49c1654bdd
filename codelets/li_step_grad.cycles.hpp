// Cycles of li_step_grad.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 8 fields. A sample: three pointers, 9, and the branch. A neuron: ld32 of out, beta and
// dv, f32mul, f32add, st32, f32mul, st32 and the branch.
constexpr std::uint64_t li_step_grad(unsigned batch, unsigned neurons) {
  return multi_vertex(8 + of_worker(batch) * (10 + neurons * std::uint64_t{9}));
}

}  // namespace cycles
}  // namespace popsnn
