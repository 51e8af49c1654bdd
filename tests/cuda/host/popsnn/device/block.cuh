// The host version of cuda/popsnn/device/block.cuh: each thread writes its number, waits for the
// other threads and reads theirs.
#pragma once

#include <popsnn/device/device.cuh>

namespace popsnn {

constexpr int kWarp = 32;

namespace host {

// How often each thread has reached a sum and a barrier, and the numbers that it wrote for the last
// two sums: those of sum n are read by all threads before any thread reaches sum n + 2.
struct Meetings {
  std::vector<unsigned> left[2];
  std::vector<int> sums;
  std::vector<int> waits;
};

inline Meetings meetings;

inline void arrive(std::vector<int>& counts, int first, int end) {
  const auto at = [&](int i) -> int& { return counts[static_cast<std::size_t>(i)]; };
  const int mine = ++at(machine.thread);
  const int thread = machine.thread;
  for (int i = first; i < end; ++i) {
    while (at(i) < mine) machine.wait();
  }
  machine.thread = thread;
}

inline void know_threads() {
  const auto threads = static_cast<std::size_t>(machine.threads);
  if (meetings.sums.size() == threads) return;
  meetings.sums.assign(threads, 0);
  meetings.waits.assign(threads, 0);
  for (auto& numbers : meetings.left) numbers.assign(threads, 0);
}

// What `add` makes of 0 and x of this thread's warp, from its first thread to the `last`.
template <class Last, class Add>
unsigned fold_over_warp(unsigned x, Last last, Add add) {
  if (machine.exchange_together != nullptr) {
    const int own = machine.thread;
    const auto all = machine.exchange_together(x);
    unsigned sum = 0;
    for (int i = own / kWarp * kWarp; i <= last(own); ++i) {
      sum = add(sum, all[static_cast<std::size_t>(i % kWarp)]);
    }
    return sum;
  }
  know_threads();
  const int thread = machine.thread;
  const int first = thread / kWarp * kWarp;
  auto& left = meetings.left[(meetings.sums[static_cast<std::size_t>(thread)] + 1) & 1];
  left[static_cast<std::size_t>(thread)] = x;
  arrive(meetings.sums, first, first + kWarp);
  unsigned sum = 0;
  for (int i = first; i <= last(thread); ++i) sum = add(sum, left[static_cast<std::size_t>(i)]);
  return sum;
}

template <class Last>
unsigned sum_over_warp(unsigned x, Last last) {
  return fold_over_warp(x, last, [](unsigned a, unsigned b) { return a + b; });
}

}  // namespace host

inline unsigned warp_sum(unsigned x) {
  return host::sum_over_warp(x, [](int thread) { return thread / kWarp * kWarp + kWarp - 1; });
}

inline unsigned warp_max(unsigned x) {
  return host::fold_over_warp(
      x, [](int thread) { return thread / kWarp * kWarp + kWarp - 1; },
      [](unsigned a, unsigned b) { return a > b ? a : b; });
}

inline unsigned warp_sum_so_far(unsigned x) {
  return host::sum_over_warp(x, [](int thread) { return thread; });
}

inline void sync_block() {
  if (host::machine.sync_together != nullptr) {
    host::machine.sync_together();
    return;
  }
  host::know_threads();
  host::arrive(host::meetings.waits, 0, host::machine.threads);
}

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
