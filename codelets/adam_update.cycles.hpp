// Cycles of adam_update.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 6 fields, 7 settings, the worker's range 6. An element:
//    4  ld32 of gradient, both moments and parameter
//    2  g: f32mul, f32add
//    3  m: f32mul twice, f32add
//    4  v: f32mul three times, f32add
//    5  p: f32mul of the root, f32add, f32mul of m and of p, f32sub, beside f32sqrt and f32div
//    4  three st32 and the branch
constexpr std::uint64_t adam_update(unsigned size) {
  return multi_vertex(19 + of_worker(size) * (22 + kSquareRoot + kFloatDivide));
}

}  // namespace cycles
}  // namespace popsnn
