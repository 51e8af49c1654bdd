// Operations of a warp and of a block: all threads of the warp call each sum, all threads of the
// block each barrier. tests/cuda/host has the same on a CPU.
#pragma once

#include <popsnn/device/device.cuh>

namespace popsnn {

constexpr int kWarp = 32;

// The sum of x over the warp.
POPSNN_DEVICE unsigned warp_sum(unsigned x) { return __reduce_add_sync(0xffffffffu, x); }

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

}  // namespace popsnn
