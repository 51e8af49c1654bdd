// Cycles of lif_step_grad.
#pragma once
#include "surrogate.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 18 fields, 12 for the choices that the neurons share. A sample where nobody lost its
// place: 20, pointers to six rows of 3 operations, the window's two loads and comparisons, less
// what they share. A neuron:
//    6  ld32 of v, ds, theta, theta_grad, decay and dv
//    1  f32cmp with theta
//    1  carry: f32mul
//    6  to_spike: f32mul twice, f32add, f32mul, f32sub; v - theta
//       the surrogate's derivative, and f32mul
//    4  through_reset: f32mul, and, select
//    4  f32cmp with theta_grad, or, select, f32add
//    4  f32mul by gain, two st32 and the branch
constexpr std::uint64_t lif_step_grad(unsigned batch, unsigned neurons, Surrogate surrogate) {
  const std::uint64_t neuron = 27 + surrogate_derivative(surrogate);
  return multi_vertex(30 + of_worker(batch) * (20 + neurons * neuron));
}

}  // namespace cycles
}  // namespace popsnn
