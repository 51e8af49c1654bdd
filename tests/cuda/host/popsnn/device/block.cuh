// The host version of cuda/popsnn/device/block.cuh: each thread writes its number, waits for the
// other threads and reads theirs.
#pragma once

#include <popsnn/device/device.cuh>

namespace popsnn {

constexpr int kWarp = 32;

unsigned warp_sum(unsigned x);
unsigned warp_max(unsigned x);
unsigned warp_sum_so_far(unsigned x);
unsigned ballot(bool x);
void sync_block();

inline unsigned select_bytes(unsigned low, unsigned high, unsigned which) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  unsigned out = 0;
  for (int i = 0; i < 32; i += 8) {
    out |= static_cast<unsigned>(both >> (which >> i / 2 & 7u) * 8 & 0xffu) << i;
  }
  return out;
}

inline int popcount(unsigned x) { return __builtin_popcount(x); }
inline int lowest_bit(unsigned x) { return __builtin_ctz(x); }

inline unsigned mulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}

inline void atomic_add(int* total, int x) { *total += x; }

inline unsigned atomic_max(unsigned* largest, unsigned x) {
  const unsigned before = *largest;
  *largest = x > before ? x : before;
  return before;
}

inline unsigned count_arrival(unsigned* count) { return (*count)++; }

}  // namespace popsnn
