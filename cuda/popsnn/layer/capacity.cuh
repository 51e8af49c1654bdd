// The capacity limit of a layer's spikes, of which python/popsnn/_internal/compaction.py is the
// reference: a block has a sample at a step.
#pragma once

#include <popsnn/device/block.cuh>
#include <popsnn/device/vectors.cuh>

namespace popsnn {

// The hash that selects the spikes kept where more are active than the capacity; its reference is
// python/popsnn/_internal/hashing.py.

POPSNN_DEVICE unsigned mix(unsigned h) {
  h = (h ^ h >> 16) * 0x7feb352du;
  h = (h ^ h >> 15) * 0x846ca68bu;
  return h ^ h >> 16;
}

// Of one forward pass of a network that has made `calls` training passes.
POPSNN_DEVICE unsigned call_seed(unsigned seed, unsigned calls) { return mix(seed ^ mix(calls)); }

// Where the cyclic order of `size` neurons begins.
POPSNN_DEVICE unsigned begin_of(unsigned seed, unsigned layer, unsigned step, unsigned sample,
                                unsigned size) {
  return mulhi(mix(mix(mix(mix(seed) ^ layer) ^ step) ^ sample), size);
}

constexpr int kFiredFlag = 1;   // fired, and was kept by the capacity limit
constexpr int kActiveFlag = 2;  // in the active set, so that a gradient passes

// A thread's neurons, bit j for neuron `first + j`: those that fired, and those above the gradient
// threshold that did not.
struct Members {
  unsigned fired;
  unsigned subthreshold;
};

// Two counts in one word, so that one sum adds both: a block has fewer than 2^16 neurons.
POPSNN_DEVICE unsigned both_counts(Members m) {
  return static_cast<unsigned>(popcount(m.fired) | popcount(m.subthreshold) << 16);
}
POPSNN_DEVICE int fired_of(unsigned both) { return static_cast<int>(both & 0xffffu); }
POPSNN_DEVICE int subthreshold_of(unsigned both) { return static_cast<int>(both >> 16); }

// Four bits as four bytes of 0 or 1, and back.
POPSNN_DEVICE unsigned bits_to_bytes(unsigned bits) {
  return (bits & 15u) * 0x00204081u & 0x01010101u;
}
POPSNN_DEVICE unsigned bytes_to_bits(unsigned bytes) {
  return (bytes & 0x01010101u) * 0x10204080u >> 28;
}

// Counts of the flags, a byte a neuron, in one word: fired in the lower half, active in the upper.
template <int kVector>
POPSNN_DEVICE unsigned flag_counts(const Raw<kVector>& flags) {
  int fired = 0;
  int active = 0;
#pragma unroll
  for (int w = 0; w < kVector / 4; ++w) {
    fired += popcount(flags.words[w] & 0x01010101u * kFiredFlag);
    active += popcount(flags.words[w] & 0x01010101u * kActiveFlag);
  }
  return static_cast<unsigned>(fired | active << 16);
}
POPSNN_DEVICE int active_of(unsigned counts) { return static_cast<int>(counts >> 16); }

template <int kVector>
POPSNN_DEVICE Members members_of(const Raw<kVector>& flags) {
  Members m{0, 0};
#pragma unroll
  for (int w = 0; w < kVector / 4; ++w) {
    m.fired |= bytes_to_bits(flags.words[w]) << 4 * w;
    m.subthreshold |= bytes_to_bits(flags.words[w] >> 1) << 4 * w;
  }
  m.subthreshold &= ~m.fired;
  return m;
}

template <int kVector>
POPSNN_DEVICE Raw<kVector> flags_of(Members m) {
  Raw<kVector> flags;
#pragma unroll
  for (int w = 0; w < kVector / 4; ++w) {
    const unsigned fired = m.fired >> 4 * w;
    flags.words[w] = bits_to_bytes(fired) * kFiredFlag |
                     bits_to_bytes(fired | m.subthreshold >> 4 * w) * kActiveFlag;
  }
  return flags;
}

POPSNN_DEVICE int at_least_0(int x) { return x > 0 ? x : 0; }
POPSNN_DEVICE int smaller(int a, int b) { return a < b ? a : b; }

// The lowest `count` of the bits set.
template <int kVector>
POPSNN_DEVICE unsigned lowest(unsigned set, int count) {
  if (count <= 0) return 0;
  if (count >= popcount(set)) return set;
  unsigned kept = 0;
#pragma unroll
  for (int j = 0; j < kVector; ++j) {
    if (popcount(set & ((2u << j) - 1u)) <= count) kept |= set & (1u << j);
  }
  return kept;
}

// Of `set`, those among the first `remaining` of the sample in cyclic order. `low` are the bits of
// neurons before the order's begin, which come last. Of the sample's `total`, `before` precede this
// thread's neurons and `skipped` precede the begin.
template <int kVector>
POPSNN_DEVICE unsigned first_of(unsigned set, unsigned low, int remaining, int before, int skipped,
                                int total) {
  const unsigned early = set & low;
  const int left = remaining - before + skipped;
  return lowest<kVector>(early, left - total) | lowest<kVector>(set & ~low, left - popcount(early));
}

// Writes what a capacity keeps and drops of a sample's counts at a step, `at` in [T, B].
POPSNN_DEVICE void store_counts(int* counts, int* dropped, long long at, unsigned all,
                                int capacity) {
  const int fired = fired_of(all);
  const int subthreshold = active_of(all) - fired;
  const int kept = smaller(fired, capacity);
  const int active = kept + smaller(subthreshold, capacity - kept);
  counts[2 * at] = kept;
  counts[2 * at + 1] = active;
  dropped[2 * at] = fired - kept;
  dropped[2 * at + 1] = subthreshold + kept - active;
}

// Counts that a block's warps exchange at a step, double-buffered, so that one barrier a step is
// enough.
struct ListSums {
  unsigned all[2][kWarp];  // of each warp, both counts; zeros where there is no warp
  unsigned skipped;        // before the begin, in the warp of the begin

  POPSNN_DEVICE void clear() {
    if (thread_index() < kWarp) all[0][thread_index()] = all[1][thread_index()] = 0;
  }
};

// A thread of a sample's block.
template <int kVector>
struct CapacityLimit {
  int first;  // of its neurons
  int capacity;
  ListSums& sums;

  POPSNN_DEVICE int lane() const { return thread_index() % kWarp; }
  POPSNN_DEVICE int warp() const { return first / (kWarp * kVector); }

  // Clears the flags of dropped spikes; the order of spikes kept begins with neuron `*begin`.
  // `turn` is 0 and 1 alternately. Returns the counts of the sample, as of `flags`, before any was
  // dropped.
  POPSNN_DEVICE unsigned apply(Raw<kVector>& flags, const unsigned* begin, int turn) const {
    const unsigned mine = flag_counts<kVector>(flags);
    const unsigned of_warp = warp_sum(mine);
    if (lane() == 0) sums.all[turn][warp()] = of_warp;
    sync_block();
    const unsigned other = sums.all[turn][lane()];
    const unsigned all = warp_sum(other);
    if (active_of(all) > capacity) drop(flags, mine, other, all, static_cast<int>(*begin));
    return all;
  }

  // Where more fired than the capacity, all subthreshold-active neurons are dropped; else all that
  // fired are kept.
  POPSNN_DEVICE void drop(Raw<kVector>& flags, unsigned mine, unsigned other, unsigned all,
                          int begin) const {
    Members m = members_of<kVector>(flags);
    const bool crowded = fired_of(all) > capacity;
    const unsigned set = crowded ? m.fired : m.subthreshold;
    const unsigned low = (1u << smaller(at_least_0(begin - first), kVector)) - 1u;
    const int begin_warp = begin / (kWarp * kVector);
    if (warp() == begin_warp) {
      const unsigned early = warp_sum(static_cast<unsigned>(popcount(set & low)));
      if (lane() == 0) sums.skipped = early;
    }
    // Of those that fired, or of the others that are active, without a branch.
    const int of_active = crowded ? 0 : 1;
    const auto count = [&](unsigned both) {
      return static_cast<unsigned>(of_active * active_of(both) +
                                   (1 - 2 * of_active) * fired_of(both));
    };
    mine = count(mine);
    other = count(other);
    const unsigned before = warp_sum(lane() < warp() ? other : 0u) + warp_sum_so_far(mine) - mine;
    const unsigned skipped = warp_sum(lane() < begin_warp ? other : 0u);
    const int remaining = crowded ? capacity : capacity - fired_of(all);
    sync_block();
    const unsigned kept =
        first_of<kVector>(set, low, remaining, static_cast<int>(before),
                          static_cast<int>(skipped + sums.skipped), static_cast<int>(count(all)));
    flags = flags_of<kVector>(crowded ? Members{kept, 0} : Members{m.fired, kept});
  }
};

}  // namespace popsnn
