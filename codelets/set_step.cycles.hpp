// Cycles of set_step.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Of its worker: two pointers and the offset, ld32, add, store.
constexpr std::uint64_t set_step() { return kEntry + 3 + 3; }

}  // namespace cycles
}  // namespace popsnn
