// Who keeps a place in a layer's list, as python/popsnn/compaction.py defines it: a block decides
// for one sample at one step.
#pragma once

#include <popsnn/device/hashing.cuh>
#include <popsnn/device/vectors.cuh>

namespace popsnn {

constexpr int kFiredMark = 1;   // fired and kept its place
constexpr int kListedMark = 2;  // has a place in the list, so that a gradient passes

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

// Four bits as four bytes of 0 or 1, and back.
POPSNN_DEVICE unsigned spread(unsigned bits) { return (bits & 15u) * 0x00204081u & 0x01010101u; }
POPSNN_DEVICE unsigned gather(unsigned bytes) { return (bytes & 0x01010101u) * 0x10204080u >> 28; }

// Marks, a byte a neuron, of those that fired and those that are listed, and their counts in one
// number: those that are listed in the upper half.
template <int kLanes>
POPSNN_DEVICE unsigned mark_counts(const Raw<kLanes>& marks) {
  int fired = 0;
  int listed = 0;
#pragma unroll
  for (int w = 0; w < kLanes / 4; ++w) {
    fired += bits_set(marks.words[w] & 0x01010101u * kFiredMark);
    listed += bits_set(marks.words[w] & 0x01010101u * kListedMark);
  }
  return static_cast<unsigned>(fired | listed << 16);
}
POPSNN_DEVICE int listed_of(unsigned counts) { return static_cast<int>(counts >> 16); }

template <int kLanes>
POPSNN_DEVICE Members members_of(const Raw<kLanes>& marks) {
  Members m{0, 0};
#pragma unroll
  for (int w = 0; w < kLanes / 4; ++w) {
    m.fired |= gather(marks.words[w]) << 4 * w;
    m.above |= gather(marks.words[w] >> 1) << 4 * w;
  }
  m.above &= ~m.fired;
  return m;
}

template <int kLanes>
POPSNN_DEVICE Raw<kLanes> marks_of(Members m) {
  Raw<kLanes> marks;
#pragma unroll
  for (int w = 0; w < kLanes / 4; ++w) {
    const unsigned fired = m.fired >> 4 * w;
    marks.words[w] = spread(fired) * kFiredMark | spread(fired | m.above >> 4 * w) * kListedMark;
  }
  return marks;
}

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
  unsigned skipped;        // before the begin, in the warp that has it

  POPSNN_DEVICE void clear() {
    if (thread_index() < kWarp) all[0][thread_index()] = all[1][thread_index()] = 0;
  }
};

// A thread of a sample's block.
template <int kLanes>
struct ListPlace {
  int first;     // of its neurons
  int capacity;  // places of the sample
  ListSums& sums;

  POPSNN_DEVICE int lane() const { return thread_index() % kWarp; }
  POPSNN_DEVICE int warp() const { return first / (kWarp * kLanes); }

  // Leaves of `marks` those that keep a place in the order from neuron `*begin` on. `turn` is 0 and
  // 1 alternately. Returns the counts of the sample, as of `marks`, before any was dropped.
  POPSNN_DEVICE unsigned keep(Raw<kLanes>& marks, const unsigned* begin, int turn) const {
    const unsigned mine = mark_counts<kLanes>(marks);
    const unsigned of_warp = warp_sum(mine);
    if (lane() == 0) sums.all[turn][warp()] = of_warp;
    wait_for_block();
    const unsigned other = sums.all[turn][lane()];
    const unsigned all = warp_sum(other);
    if (listed_of(all) > capacity) drop(marks, mine, other, all, static_cast<int>(*begin));
    return all;
  }

  // Where more fired than there are places, those that lie above keep none; else all that fired do.
  POPSNN_DEVICE void drop(Raw<kLanes>& marks, unsigned mine, unsigned other, unsigned all,
                          int begin) const {
    Members m = members_of<kLanes>(marks);
    const bool crowded = fired_of(all) > capacity;
    const unsigned set = crowded ? m.fired : m.above;
    const unsigned low = (1u << smaller(at_least_0(begin - first), kLanes)) - 1u;
    const int begin_warp = begin / (kWarp * kLanes);
    if (warp() == begin_warp) {
      const unsigned early = warp_sum(static_cast<unsigned>(bits_set(set & low)));
      if (lane() == 0) sums.skipped = early;
    }
    // Of those that fired, or of the others that are listed, without a branch.
    const int of_listed = crowded ? 0 : 1;
    const auto count = [&](unsigned both) {
      return static_cast<unsigned>(of_listed * listed_of(both) +
                                   (1 - 2 * of_listed) * fired_of(both));
    };
    mine = count(mine);
    other = count(other);
    const unsigned before = warp_sum(lane() < warp() ? other : 0u) + warp_sum_so_far(mine) - mine;
    const unsigned skipped = warp_sum(lane() < begin_warp ? other : 0u);
    const int places = crowded ? capacity : capacity - fired_of(all);
    wait_for_block();
    const unsigned kept =
        first_of<kLanes>(set, low, places, static_cast<int>(before),
                         static_cast<int>(skipped + sums.skipped), static_cast<int>(count(all)));
    marks = marks_of<kLanes>(crowded ? Members{kept, 0} : Members{m.fired, kept});
  }
};

}  // namespace popsnn
