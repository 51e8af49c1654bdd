// Cycles of list_sizes.
#pragma once
#include "common/neuron.hpp"
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 7 fields, the store. A list: its row's pointer 2, its limits' pointer 1, the loops'
// entries 2, the branch; a sample: ld32step, comparison, the selection's 2, the branch; a size that
// is too small: ld32, comparison, its number, two branches, which each list asks once at least.
constexpr std::uint64_t list_sizes(unsigned lists, unsigned samples, unsigned smaller) {
  return multi_vertex(8 + lists * (6 + of_worker(samples) * 5 + 5) + smaller * std::uint64_t{5});
}

}  // namespace cycles
}  // namespace popsnn
