// Bundles of masters.hpp.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// widen_pairs: ld64 .align {rpt}, a loop of 6; narrow_pairs: ld64 .align {rpt}, a loop of 7.
constexpr std::uint64_t widen_pairs(std::uint64_t pairs) { return 3 + 6 * pairs; }
constexpr std::uint64_t narrow_pairs(std::uint64_t pairs) { return 3 + 7 * pairs; }

constexpr std::uint64_t kMastersAtOnce = 32;

// Of a worker's `size` weights, beside their update. A call for some of them: its bounds 4, six
// pointers of 2, the calls 6 and the branch. An odd weight: three loads, three stores, three
// conversions, f32sub, f32add and two f32mul.
constexpr std::uint64_t masters(std::uint64_t size) {
  const std::uint64_t calls = divided(size, kMastersAtOnce);
  return calls * (23 + widen_pairs(0) + narrow_pairs(0)) +
         size / 2 * (widen_pairs(1) - widen_pairs(0) + narrow_pairs(1) - narrow_pairs(0)) +
         size % 2 * 13;
}

}  // namespace cycles
}  // namespace popsnn
