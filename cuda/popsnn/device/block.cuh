// Operations of a warp and of a block: all threads of the warp call each sum, all threads of the
// block each barrier. tests/cuda/host has the same on a CPU.
#pragma once

#include <popsnn/device/device.cuh>

namespace popsnn {

constexpr int kWarp = 32;

// The sum of x over the warp.
POPSNN_DEVICE unsigned warp_sum(unsigned x) { return __reduce_add_sync(0xffffffffu, x); }

// The largest x of the warp.
POPSNN_DEVICE unsigned warp_max(unsigned x) { return __reduce_max_sync(0xffffffffu, x); }

// A bit for each thread of the warp, 1 where x is true.
POPSNN_DEVICE unsigned ballot(bool x) { return __ballot_sync(0xffffffffu, x); }

// The inclusive prefix sum of x over the warp.
POPSNN_DEVICE unsigned warp_sum_so_far(unsigned x) {
  const int lane = thread_index() % kWarp;
#pragma unroll
  for (int distance = 1; distance < kWarp; distance *= 2) {
    const unsigned below = __shfl_up_sync(0xffffffffu, x, distance);
    if (lane >= distance) x += below;
  }
  return x;
}

// A barrier of the block; writes to shared memory before it are visible after it.
POPSNN_DEVICE void sync_block() { __syncthreads(); }

POPSNN_DEVICE int popcount(unsigned x) { return __popc(x); }

// Bytes of low and high, 0 to 3 and 4 to 7, of each four bits of `which`.
POPSNN_DEVICE unsigned select_bytes(unsigned low, unsigned high, unsigned which) {
  return __byte_perm(low, high, which);
}

// The position of the lowest bit of x, which is not 0.
POPSNN_DEVICE int lowest_bit(unsigned x) { return __ffs(static_cast<int>(x)) - 1; }

// The upper half of the product.
POPSNN_DEVICE unsigned mulhi(unsigned a, unsigned b) { return __umulhi(a, b); }

// Blocks may add to the same number.
POPSNN_DEVICE void atomic_add(int* total, int x) { atomicAdd(total, x); }

// The same for the largest; returns what it was before.
POPSNN_DEVICE unsigned atomic_max(unsigned* largest, unsigned x) { return atomicMax(largest, x); }

// Counts this thread behind all that it wrote; returns how many were before it, which wrote what it
// then reads.
POPSNN_DEVICE unsigned count_arrival(unsigned* count) {
  __threadfence();
  const unsigned before = atomicAdd(count, 1u);
  __threadfence();
  return before;
}

}  // namespace popsnn
