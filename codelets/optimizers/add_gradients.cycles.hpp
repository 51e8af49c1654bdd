// Cycles of add_gradients.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// add_pairs: ld64, ld64step .align {rpt}, a loop of
//   {ld64 sum       | f32v2add}
//   {ld64step other | fnop}
//   {st64step sum   | mov}
// then f32v2add, st64: 3 a pair. Counts at least one.
constexpr std::uint64_t add_pairs(std::uint64_t pairs) { return 3 * pairs + 3; }

// Prologue: 4 fields, the worker's range 10. A row: its pointer and the branches 6, the stretch 6;
// an odd element two loads, f32add, store and branch.
constexpr std::uint64_t add_gradients(unsigned rows, unsigned size) {
  return multi_vertex(14 + rows * (12 + (size < 2 ? 0 : add_pairs(of_worker(size / 2))) +
                                   size % 2 * std::uint64_t{5}));
}

}  // namespace cycles
}  // namespace popsnn
