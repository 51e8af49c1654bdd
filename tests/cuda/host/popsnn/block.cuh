// What cuda/popsnn/block.cuh takes from the GPU, on a CPU: each thread leaves its number, waits for
// the others and reads theirs.
#pragma once

#include <popsnn/device.cuh>

namespace popsnn {

constexpr int kWarp = 32;

namespace host {

// Two rounds of numbers in turn: those of one are read before those of the next but one are left.
struct Exchange {
  std::vector<unsigned> left[2];
  std::vector<int> rounds;
};

inline Exchange exchange;

// The sum of x over this thread's warp, from its first thread to the `last`.
template <class Last>
unsigned sum_over_warp(unsigned x, Last last) {
  const auto threads = static_cast<std::size_t>(machine.threads);
  if (exchange.rounds.size() < threads) {
    exchange.rounds.resize(threads);
    for (auto& one : exchange.left) one.resize(threads);
  }
  auto& left = exchange.left[++exchange.rounds[static_cast<std::size_t>(machine.thread)] & 1];
  left[static_cast<std::size_t>(machine.thread)] = x;
  const int thread = machine.thread;
  machine.wait();
  unsigned sum = 0;
  for (int i = thread / kWarp * kWarp; i <= last(thread); ++i) {
    sum += left[static_cast<std::size_t>(i)];
  }
  return sum;
}

}  // namespace host

inline unsigned warp_sum(unsigned x) {
  return host::sum_over_warp(x, [](int thread) { return thread / kWarp * kWarp + kWarp - 1; });
}

inline unsigned warp_sum_so_far(unsigned x) {
  return host::sum_over_warp(x, [](int thread) { return thread; });
}

inline void block_wait() { host::machine.wait(); }

inline int bits_set(unsigned x) { return __builtin_popcount(x); }

inline unsigned multiply_high(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}

inline void add_to(int* total, int x) { *total += x; }

}  // namespace popsnn
