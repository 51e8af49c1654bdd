#pragma once
#include <cstdint>
#include <vector>

namespace poplar {
namespace emulator {

// Cycles of one run of a step.
struct StepCost {
  uint64_t compute = 0;                    // of the tile that takes longest
  std::vector<uint64_t> tile_compute;      // [tiles], of a compute set
  double compute_mean = 0, busy_mean = 0;  // over all tiles: with and without idle workers
  uint64_t exchange = 0, global_exchange = 0, host = 0, sync = 0;
  uint64_t exchange_bytes = 0, flops = 0;
  uint64_t without_estimate = 0;  // vertices, counted as 0 cycles

  uint64_t cycles() const { return compute + exchange + global_exchange + host + sync; }
};

}  // namespace emulator
}  // namespace poplar
