// Cycles of copy_rows.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 4 fields, the counter's row 3, the worker's range 6. An element: load, store, branch.
constexpr std::uint64_t copy_row(unsigned size) { return multi_vertex(13 + of_worker(size) * 3); }

}  // namespace cycles
}  // namespace popsnn
