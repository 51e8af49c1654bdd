// Cycles of keep_input_grad.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 8 fields and the step's 3. A sample, with a full list: 22 for its rows, the count and
// the worker's stretch; by entry its zero, store and branch, and for each source the row's pointer
// 3, ld32, f32add and the branch.
constexpr std::uint64_t keep_input_grad(unsigned samples, unsigned slots, unsigned sources) {
  return multi_vertex(11 + samples * (22 + of_worker(slots) * (3 + sources * std::uint64_t{6})));
}

}  // namespace cycles
}  // namespace popsnn
