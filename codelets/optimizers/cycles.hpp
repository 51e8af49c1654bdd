// Cycles of updates of parameters.
#pragma once
#include "common/cycles.hpp"

namespace popsnn {
namespace cycles {

// Bundles of masters.hpp.
// widen_pairs: ld64 .align {rpt}, a loop of 6; narrow_pairs: ld64 .align {rpt}, a loop of 7.
constexpr std::uint64_t widen_pairs(std::uint64_t pairs) { return 3 + 6 * pairs; }
constexpr std::uint64_t narrow_pairs(std::uint64_t pairs) { return 3 + 7 * pairs; }

constexpr std::uint64_t kMastersAtOnce = 32;

// Bundles of a worker's `size` weights, in addition to their update. A call for some of them: its
// bounds 4, six pointers of 2, the calls 6 and the branch. An odd weight: three loads, three
// stores, three conversions, f32sub, f32add and two f32mul.
constexpr std::uint64_t masters(std::uint64_t size) {
  const std::uint64_t calls = divided(size, kMastersAtOnce);
  return calls * (23 + widen_pairs(0) + narrow_pairs(0)) +
         size / 2 * (widen_pairs(1) - widen_pairs(0) + narrow_pairs(1) - narrow_pairs(0)) +
         size % 2 * 13;
}

// adam_pairs: .align {rpt}, a loop of 23 bundles, of which two f32sqrt and two f32div take longer.
constexpr std::uint64_t adam_pairs(std::uint64_t pairs) {
  return 2 + pairs * (23 + 2 * (kSquareRoot - 1) + 2 * (kFloatDivide - 1));
}

// Prologue: 7 fields, 7 settings, the worker's range and 4 more, the pairs of settings 20, the
// repeat's count 6. The vertex's members go by reference: eleven captures. An odd element:
//    4  ld32 of gradient, both moments and parameter
//    2  g: f32mul, f32add
//    3  m: f32mul twice, f32add
//    4  v: f32mul three times, f32add
//    5  p: f32mul of the root, f32add, f32mul of m and of p, f32sub, in addition to f32sqrt and
//    f32div 4  three st32 and the branch
// Weights of 16 bits go in chunks: each call has a repeat's count and a loop.
constexpr std::uint64_t adam_update(unsigned size, bool half_weights = false) {
  const std::uint64_t elements = 2 * of_worker(size / 2) + size % 2;
  const std::uint64_t again = divided(elements, kMastersAtOnce) - 1;
  return multi_vertex(44 + kWorkerRange + 11 * kCapture + adam_pairs(of_worker(size / 2)) +
                      size % 2 * (22 + kSquareRoot + kFloatDivide) +
                      (half_weights ? masters(elements) + again * (6 + adam_pairs(0)) : 0));
}

// Prologue: 6 fields, 5 settings, the worker's range and 4 more, eight captures. An element:
//    3  ld32 of momentum, gradient and parameter
//    2  g: f32mul, f32add
//    3  m: f32mul twice, f32add
//    4  p: f32mul twice, f32add, f32sub
//    3  two st32 and the branch; kTurn
constexpr std::uint64_t sgd_update(unsigned size, bool half_weights = false) {
  const std::uint64_t elements = 2 * of_worker(size / 2) + size % 2;
  return multi_vertex(15 + kWorkerRange + 8 * kCapture + elements * (15 + kTurn) +
                      (half_weights ? masters(elements) : 0));
}

// add_pairs: ld64, ld64step .align {rpt}, a loop of
//   {ld64 sum       | f32v2add}
//   {ld64step other | fnop}
//   {st64step sum   | mov}
// then f32v2add, st64: 3 a pair. Counts at least one.
constexpr std::uint64_t add_pairs(std::uint64_t pairs) { return 3 * pairs + 3; }

// Prologue: 4 fields, the worker's range and 4 more. A row: its pointer and the branches 6, the
// repeat's count 6, the loop's call with four captures; an odd element two loads, f32add, store and
// branch.
constexpr std::uint64_t add_gradients(unsigned rows, unsigned size) {
  return multi_vertex(8 + kWorkerRange +
                      rows * (12 + kFrame + 4 * kCapture +
                              (size < 2 ? 0 : add_pairs(of_worker(size / 2))) +
                              size % 2 * std::uint64_t{5}));
}

// 5 or 7 fields. An element: its load, two comparisons, two selections of 2, store and branch; of
// its gradient: two loads, two comparisons, `and`, the selection's 2, store and branch; kTurn.
constexpr std::uint64_t clamp_parameters(unsigned size) { return kEntry + 5 + size * (9 + kTurn); }
constexpr std::uint64_t clamp_gradients(unsigned size) { return kEntry + 7 + size * (9 + kTurn); }

}  // namespace cycles
}  // namespace popsnn
