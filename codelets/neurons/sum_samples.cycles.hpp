// Cycles of sum_samples.
#pragma once
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Of its worker. Prologue: 4 fields. The zeros cost a store and the branch each, a row 3, an
// element two loads, f32add, store and branch.
constexpr std::uint64_t sum_samples(unsigned batch, unsigned size) {
  return kEntry + 4 + size * std::uint64_t{2} + batch * (3 + size * std::uint64_t{5});
}

}  // namespace cycles
}  // namespace popsnn
