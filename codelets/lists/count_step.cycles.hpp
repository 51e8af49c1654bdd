// Cycles of count_step.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Two fields, ld32, add, st32.
constexpr std::uint64_t count_step() { return kEntry + 5; }

}  // namespace cycles
}  // namespace popsnn
