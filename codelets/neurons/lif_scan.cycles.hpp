// Cycles of lif_scan.
#pragma once
#include "lif.cycles.hpp"

namespace popsnn {
namespace cycles {

constexpr unsigned kScanBlock = 16;

// Stretches of at most 16 neurons that the worker with most of them has.
constexpr std::uint64_t scan_blocks(unsigned batch, unsigned neurons) {
  return of_worker(batch * divided(neurons, kScanBlock));
}

constexpr std::uint64_t scan_block(unsigned neurons) {
  return neurons < kScanBlock ? neurons : kScanBlock;
}

// Prologue: 8 fields, and for each stretch of anyone the turn, 5. A stretch: 12 to begin, the zeros
// of its membranes and spikes 2 each; a step: three pointers and the branch; a neuron: its current,
// membrane and flag, three parameters, step, fires, a select, four stores, the branch.
constexpr std::uint64_t lif_scan(unsigned steps, unsigned batch, unsigned neurons) {
  const std::uint64_t step = 4 + scan_block(neurons) * (12 + kLif.step + kLif.fires);
  return multi_vertex(8 + batch * divided(neurons, kScanBlock) * 5 +
                      scan_blocks(batch, neurons) * (12 + 2 * scan_block(neurons) + steps * step));
}

}  // namespace cycles
}  // namespace popsnn
