// Cycles of add_gradients.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 4 fields, the worker's range 6. A row: its pointer and the branches, 6; an element two
// loads, f32add, store and branch.
constexpr std::uint64_t add_gradients(unsigned rows, unsigned size) {
  return multi_vertex(10 + rows * (6 + of_worker(size) * 5));
}

}  // namespace cycles
}  // namespace popsnn
