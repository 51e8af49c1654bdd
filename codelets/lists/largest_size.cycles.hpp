// Cycles of largest_size.
#pragma once
#include "common/neuron.hpp"
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// 4 fields, the step's row 5, the store; a share: ld32step, comparison, the selection's 2, the
// branch.
constexpr std::uint64_t largest_size() { return kEntry + 10 + kShares * std::uint64_t{5}; }

}  // namespace cycles
}  // namespace popsnn
