// Cycles of reduce_input_grad.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 9 fields and the step's 3. A sample: 10 for its rows. An entry: its sum's zero, the
// first partial's pointer 4, the store and the branch, and of every tile the pointer's step, ld32,
// f32add and the branch.
constexpr std::uint64_t reduce_input_grad(unsigned tiles, unsigned samples, unsigned slots) {
  return multi_vertex(12 + of_worker(samples) * (10 + slots * (7 + tiles * std::uint64_t{4})));
}

}  // namespace cycles
}  // namespace popsnn
