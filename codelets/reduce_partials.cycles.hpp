// Cycles of reduce_partials.
#pragma once
#include "rows.cycles.hpp"

namespace popsnn {
namespace cycles {

// Of its worker. Prologue: 4 fields. A row costs the pointer's step and the branch, and ld32 and
// f32add a slot, in blocks of columns as the other loops over rows have them.
constexpr std::uint64_t reduce_partials(unsigned tiles, unsigned slots) {
  return kEntry + 4 + blocks_walk(slots, tiles, 2);
}

}  // namespace cycles
}  // namespace popsnn
