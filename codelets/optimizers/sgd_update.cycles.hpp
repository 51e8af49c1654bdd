// Cycles of sgd_update.
#pragma once
#include "masters.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 6 fields, 5 settings, the worker's range 10. An element:
//    3  ld32 of momentum, gradient and parameter
//    2  g: f32mul, f32add
//    3  m: f32mul twice, f32add
//    4  p: f32mul twice, f32add, f32sub
//    3  two st32 and the branch
constexpr std::uint64_t sgd_update(unsigned size, bool half_weights = false) {
  const std::uint64_t share = 2 * of_worker(size / 2) + size % 2;
  return multi_vertex(21 + share * 15 + (half_weights ? masters(share) : 0));
}

}  // namespace cycles
}  // namespace popsnn
