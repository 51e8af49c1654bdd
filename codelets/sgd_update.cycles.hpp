// Cycles of sgd_update.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 5 fields, 5 settings, the worker's range 6. An element:
//    3  ld32 of momentum, gradient and parameter
//    2  g: f32mul, f32add
//    3  m: f32mul twice, f32add
//    4  p: f32mul twice, f32add, f32sub
//    3  two st32 and the branch
constexpr std::uint64_t sgd_update(unsigned size) {
  return multi_vertex(16 + of_worker(size) * 15);
}

}  // namespace cycles
}  // namespace popsnn
