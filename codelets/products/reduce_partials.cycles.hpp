// Cycles of reduce_partials.
#pragma once
#include "common/rows.cycles.hpp"

namespace popsnn {
namespace cycles {

// sum_pair: {ld64step | mov} .align {rpt}, a loop of {ld64step | f32v2add}, then f32v2add, st64.
constexpr std::uint64_t sum_pair(std::uint64_t rows) { return rows + 4; }

// With two pointers' steps and the branch.
constexpr std::uint64_t reduce_pair(std::uint64_t rows) { return sum_pair(rows) + 5; }

// Of its worker. Prologue: 4 fields, the choice of the loop 5. Of an even number of slots two are
// summed at once. In C++ a row costs the pointer's step and the branch, and ld32 and f32add a slot,
// in blocks of columns as the other loops over rows have them.
constexpr std::uint64_t reduce_partials(unsigned tiles, unsigned slots) {
  return kEntry + 9 +
         (slots % 2 == 0 ? slots / 2 * reduce_pair(tiles) : blocks_walk(slots, tiles, 2, 2));
}

}  // namespace cycles
}  // namespace popsnn
