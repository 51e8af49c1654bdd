// Cycles of adam_update.
#pragma once
#include "masters.cycles.hpp"

namespace popsnn {
namespace cycles {

// adam_pairs: .align {rpt}, a loop of 23 bundles, of which two f32sqrt and two f32div take longer.
constexpr std::uint64_t adam_pairs(std::uint64_t pairs) {
  return 2 + pairs * (23 + 2 * (kSquareRoot - 1) + 2 * (kFloatDivide - 1));
}

// Prologue: 7 fields, 7 settings, the worker's range 10, the pairs of settings 20, the stretch 6.
// An odd element:
//    4  ld32 of gradient, both moments and parameter
//    2  g: f32mul, f32add
//    3  m: f32mul twice, f32add
//    4  v: f32mul three times, f32add
//    5  p: f32mul of the root, f32add, f32mul of m and of p, f32sub, beside f32sqrt and f32div
//    4  three st32 and the branch
// Of weights of 16 bits some at a time: each call has a stretch and a loop.
constexpr std::uint64_t adam_update(unsigned size, bool half_weights = false) {
  const std::uint64_t share = 2 * of_worker(size / 2) + size % 2;
  const std::uint64_t again = divided(share, kMastersAtOnce) - 1;
  return multi_vertex(50 + adam_pairs(of_worker(size / 2)) +
                      size % 2 * (22 + kSquareRoot + kFloatDivide) +
                      (half_weights ? masters(share) + again * (6 + adam_pairs(0)) : 0));
}

}  // namespace cycles
}  // namespace popsnn
