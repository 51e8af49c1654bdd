// Cycles of sgd_update.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 5 fields, 3 settings, the worker's range 6. An element: ld32 of momentum, gradient and
// parameter, f32mul, f32add, f32mul, f32add, st32, f32mul, f32sub, st32 and the branch.
constexpr std::uint64_t sgd_update(unsigned size) {
  return multi_vertex(14 + of_worker(size) * 12);
}

}  // namespace cycles
}  // namespace popsnn
