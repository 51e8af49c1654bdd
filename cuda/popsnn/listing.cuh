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

// How many of a sample's neurons are in each part, all and those that keep a place.
struct ListCounts {
  int fired;
  int above;
  int kept_fired;
  int kept_above;
};

// Two counts in one number, for one sum of both: a block has fewer than 2^16 neurons.
POPSNN_DEVICE unsigned both_counts(Members m) {
  return static_cast<unsigned>(bits_set(m.fired) | bits_set(m.above) << 16);
}
POPSNN_DEVICE int fired_of(unsigned both) { return static_cast<int>(both & 0xffffu); }
POPSNN_DEVICE int above_of(unsigned both) { return static_cast<int>(both >> 16); }

// Of `set`, whose bit 0 is neuron `first`, those below neuron `end`.
POPSNN_DEVICE unsigned below(unsigned set, int first, int end) {
  if (end <= first) return 0;
  return end - first >= 32 ? set : set & ((1u << (end - first)) - 1u);
}

// Of `set`, the neurons among the first `places` in cyclic order from `begin`. Before this
// thread's come `before` of all; `total` are in the whole sample, `skipped` below `begin`.
template <int kLanes>
POPSNN_DEVICE unsigned first_of(unsigned set, int first, int begin, int places, int before,
                                int skipped, int total) {
  unsigned kept = 0;
#pragma unroll
  for (int j = 0; j < kLanes; ++j) {
    const int so_far = before + bits_set(set & ((2u << j) - 1u));
    const int rank = so_far - skipped + (first + j < begin ? total : 0);
    if (rank <= places) kept |= set & (1u << j);
  }
  return kept;
}

// The sums of a block's warps, of two steps in turn, so that one wait a step is enough.
struct WarpSums {
  static constexpr int kMostWarps = 32;
  struct Sums {
    unsigned all;
    unsigned skipped;
  };
  Sums of[2][kMostWarps];
};

// Leaves of `m`, this thread's kLanes neurons from `first` on, those that keep one of `capacity`
// places. `turn` is 0 and 1 alternately.
template <int kLanes>
POPSNN_DEVICE ListCounts keep(Members& m, int first, int begin, int capacity, int warps, int turn,
                              WarpSums& sums) {
  const int lane = thread_index() % kWarp;
  const int warp = thread_index() / kWarp;
  const unsigned both = both_counts(m);
  const Members skipped{below(m.fired, first, begin), below(m.above, first, begin)};
  const WarpSums::Sums own{warp_sum(both), warp_sum(both_counts(skipped))};
  if (lane == 0) sums.of[turn][warp] = own;
  block_wait();
  const WarpSums::Sums other = lane < warps ? sums.of[turn][lane] : WarpSums::Sums{0, 0};
  const unsigned all = warp_sum(other.all);
  const int fired = fired_of(all);
  const int above = above_of(all);
  if (fired + above <= capacity) return {fired, above, fired, above};
  const unsigned below_begin = warp_sum(other.skipped);
  const unsigned earlier = warp_sum(lane < warp ? other.all : 0u) + warp_sum_so_far(both) - both;
  const int places = fired < capacity ? capacity - fired : 0;
  m.fired = first_of<kLanes>(m.fired, first, begin, capacity, fired_of(earlier),
                             fired_of(below_begin), fired);
  m.above = first_of<kLanes>(m.above, first, begin, places, above_of(earlier),
                             above_of(below_begin), above);
  return {fired, above, fired < capacity ? fired : capacity, above < places ? above : places};
}

}  // namespace popsnn
