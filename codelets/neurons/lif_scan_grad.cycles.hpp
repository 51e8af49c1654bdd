// Cycles of lif_scan_grad.
#pragma once
#include "lif_scan.cycles.hpp"

namespace popsnn {
namespace cycles {

// Prologue: 12 fields, the surrogate's choice 5, and for each stretch of anyone the turn, 5. A
// stretch: 12 to begin, by neuron 3 zeros and 2 sums of load and store with their branches; a step:
// three pointers of 3 and the branch; a neuron: its membrane, gradients and three parameters,
// fires, near, the flag, grad, four stores, the branch.
constexpr std::uint64_t lif_scan_grad(unsigned steps, unsigned batch, unsigned neurons,
                                      Surrogate surrogate) {
  const std::uint64_t neuron =
      14 + kLif.fires + kLif.near + kLif.grad + surrogate_derivative(surrogate);
  const std::uint64_t step = 10 + scan_block(neurons) * neuron;
  return multi_vertex(17 + batch * divided(neurons, kScanBlock) * 5 +
                      scan_blocks(batch, neurons) * (12 + 9 * scan_block(neurons) + steps * step));
}

}  // namespace cycles
}  // namespace popsnn
