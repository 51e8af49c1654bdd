// Cycles of add_final_grad.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 7 fields. A sample: four pointers, 12, and the branch; a state two loads, f32add, store
// and branch; a neuron ld32, f32mul, store and branch.
constexpr std::uint64_t add_final_grad(unsigned batch, unsigned states, unsigned neurons) {
  return multi_vertex(7 + of_worker(batch) * (13 + neurons * (states * std::uint64_t{5} + 4)));
}

}  // namespace cycles
}  // namespace popsnn
