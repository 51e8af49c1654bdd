// Who keeps a place in a layer's list, as python/popsnn/compaction.py defines it: a block decides
// for one sample at one step.
#pragma once

#include <popsnn/hashing.cuh>

namespace popsnn {

// A thread's neurons, bit j for the one at `first + j`: those that fired, and those above the
// second threshold that did not.
struct Members {
  unsigned fired;
  unsigned above;
};

// Two counts in one number, for one sum of both: a block has fewer than 2^16 neurons.
POPSNN_DEVICE unsigned both_counts(Members m) {
  return static_cast<unsigned>(bits_set(m.fired) | bits_set(m.above) << 16);
}
POPSNN_DEVICE int fired_of(unsigned both) { return static_cast<int>(both & 0xffffu); }
POPSNN_DEVICE int above_of(unsigned both) { return static_cast<int>(both >> 16); }

POPSNN_DEVICE int at_least_0(int x) { return x > 0 ? x : 0; }
POPSNN_DEVICE int smaller(int a, int b) { return a < b ? a : b; }

// The lowest `count` of the bits set.
template <int kLanes>
POPSNN_DEVICE unsigned lowest(unsigned set, int count) {
  if (count <= 0) return 0;
  if (count >= bits_set(set)) return set;
  unsigned kept = 0;
#pragma unroll
  for (int j = 0; j < kLanes; ++j) {
    if (bits_set(set & ((2u << j) - 1u)) <= count) kept |= set & (1u << j);
  }
  return kept;
}

// Of `set`, those among the first `places` of the sample in cyclic order. `low` are the bits of
// neurons before the order's begin, which come last. Before this thread's neurons lie `before` of
// the sample's `total`, and `skipped` before the begin.
template <int kLanes>
POPSNN_DEVICE unsigned first_of(unsigned set, unsigned low, int places, int before, int skipped,
                                int total) {
  const unsigned early = set & low;
  const int left = places - before + skipped;
  return lowest<kLanes>(early, left - total) | lowest<kLanes>(set & ~low, left - bits_set(early));
}

// What a block's warps tell each other of a step; of two steps in turn, so that one wait a step is
// enough.
struct ListSums {
  unsigned all[2][kWarp];  // of each warp, both counts; zeros where there is none
  unsigned skipped[2];     // before the begin, in the warp that has it

  POPSNN_DEVICE void clear() {
    if (thread_index() < kWarp) all[0][thread_index()] = all[1][thread_index()] = 0;
  }
};

// Leaves of `m`, this thread's kLanes neurons from `first` on, those that keep one of `capacity`
// places in the order from neuron `begin` on. `turn` is 0 and 1 alternately. Returns both counts of
// the sample, before any was dropped.
template <int kLanes>
POPSNN_DEVICE unsigned keep(Members& m, int first, int begin, int capacity, int turn,
                            ListSums& sums) {
  const int lane = thread_index() % kWarp;
  const int warp = thread_index() / kWarp;
  const unsigned both = both_counts(m);
  const unsigned low = (1u << smaller(at_least_0(begin - first), kLanes)) - 1u;
  const unsigned of_warp = warp_sum(both);
  if (lane == 0) sums.all[turn][warp] = of_warp;
  const int begin_warp = begin / (kWarp * kLanes);
  if (warp == begin_warp) {
    const unsigned skipped = warp_sum(both_counts({m.fired & low, m.above & low}));
    if (lane == 0) sums.skipped[turn] = skipped;
  }
  wait_for_block();
  const unsigned other = sums.all[turn][lane];
  const unsigned all = warp_sum(other);
  const int fired = fired_of(all);
  const int above = above_of(all);
  if (fired + above <= capacity) return all;
  const unsigned skipped = warp_sum(lane < begin_warp ? other : 0u) + sums.skipped[turn];
  const unsigned before = warp_sum(lane < warp ? other : 0u) + warp_sum_so_far(both) - both;
  m.fired = first_of<kLanes>(m.fired, low, capacity, fired_of(before), fired_of(skipped), fired);
  m.above = first_of<kLanes>(m.above, low, at_least_0(capacity - fired), above_of(before),
                             above_of(skipped), above);
  return all;
}

}  // namespace popsnn
