// When each warp passes the phases of a step, for `bench.recurrent.phases`: it defines
// POPSNN_STAMPS, the address of [T, blocks, warps, kPhases] numbers. Otherwise this is no code.
#pragma once

#include <popsnn/recurrent/gathered/gathered.cuh>

namespace popsnn {

constexpr int kPhases = 6;

enum class Phase { kBegun, kArrived, kMultiplied, kPrepared, kSummed, kPublished };

template <class Shape>
POPSNN_DEVICE void stamp([[maybe_unused]] const GatheredArguments& a, [[maybe_unused]] int step,
                         [[maybe_unused]] Phase phase) {
#ifdef POPSNN_STAMPS
  if (thread_index() % 32 != 0) return;
  const long long warp =
      (static_cast<long long>(step) * a.list_blocks + block_index()) * Shape::kWarps +
      thread_index() / 32;
  reinterpret_cast<unsigned long long*>(POPSNN_STAMPS)[warp * kPhases + static_cast<int>(phase)] =
      nanoseconds();
#endif
}

}  // namespace popsnn
