// A capacity of a streamed layer. A step publishes the neurons that would fire without a limit, and
// adds up how many they are of each sample. When all blocks have published, each sees for itself
// which samples have more spikes than the capacity. Most steps have none, and the next begins.
//
// Else each block drops the spikes of its own neurons of those samples, whose messages and states
// it corrects, and the next step waits until all have. So only such steps take longer.
#pragma once

#include <popsnn/recurrent/capacity.cuh>
#include <popsnn/recurrent/streamed/cells.cuh>

namespace popsnn {

struct StreamedCappedArguments : StreamedArguments {
  RecurrentCapacity capacity;
  unsigned* fired;  // [T, B]: spikes of a step; 0
  float* without;   // [kSaved, B, N]: states of neurons that fired, had they not fired
};

// The kernels' argument of a layer with a capacity.
struct StreamedCappedLaunch {
  StreamedMaps maps;
  StreamedCappedArguments rest;
};

POPSNN_DEVICE const StreamedCappedArguments& capped(const StreamedArguments& a) {
  return static_cast<const StreamedCappedArguments&>(a);
}

// The flags of kVector neighbours, a byte each.
template <int kVector>
POPSNN_DEVICE unsigned load_flags(const StreamedArguments& a, int step, int sample, int neuron) {
  const unsigned char* from = capped(a).capacity.row(step, a.batch, sample) + neuron;
  if constexpr (kVector == 1) {
    return *from;
  } else {
    static_assert(kVector == 4);
    return *reinterpret_cast<const unsigned*>(from);
  }
}

// Writes those of a step without a limit, and counts spikes.
template <int kVector>
POPSNN_DEVICE void store_candidates(const StreamedArguments& a, int step, int sample, int neuron,
                                    unsigned flags) {
  unsigned char* to = capped(a).capacity.row(step, a.batch, sample) + neuron;
  if constexpr (kVector == 1) {
    *to = static_cast<unsigned char>(flags);
  } else {
    static_assert(kVector == 4);
    *reinterpret_cast<unsigned*>(to) = flags;
  }
  const int fired = popcount(flags & 0x01010101u * kFiredFlag);
  const long long at = static_cast<long long>(step) * a.batch + sample;
  if (fired > 0) atomic_add(reinterpret_cast<int*>(capped(a).fired + at), fired);
}

// A warp that drops spikes of a sample.
template <class Shape, class Neuron, class T>
class StreamedDrops {
 public:
  POPSNN_DEVICE StreamedDrops(const StreamedArguments& a, int step, int sample, int total)
      : a_(a),
        step_(step),
        sample_(sample),
        total_(total),
        flags_(capped(a).capacity.row(step, a.batch, sample)),
        begin_(
            capped(a).capacity.begin(capped(a).capacity.seed_of_call(), step, sample, a.neurons)),
        skipped_(before(begin_)) {}

  // Of the neurons from `first` on, a multiple of 8, to before `end`.
  POPSNN_DEVICE void drop(int first, int end) const {
    if (first >= end) return;  // the row may end before `first`
    const int own = first + 8 * lane();
    const unsigned fired = spikes(own, end);
    const auto mine = static_cast<unsigned>(popcount(fired));
    const int preceding = before(first) + static_cast<int>(warp_sum_so_far(mine) - mine);
    const unsigned low = bits_before(begin_, own);
    const unsigned kept =
        first_bits(fired, low, capped(a_).capacity.limit, preceding, skipped_, total_);
    for (unsigned left = fired & ~kept; left != 0; left &= left - 1u) {
      silence(own + lowest_bit(left));
    }
  }

 private:
  static constexpr int kSpike = Neuron::kStates - 1;

  POPSNN_DEVICE static int lane() { return thread_index() % 32; }

  // Which of 8 neighbours fired, of those before `end`.
  POPSNN_DEVICE unsigned spikes(int first, int end) const {
    if (first >= end) return 0;
    const Words2 bytes = load_shared_by_all(reinterpret_cast<const Words2*>(flags_ + first));
    const unsigned bits = bytes_to_bits(bytes.word[0]) | bytes_to_bits(bytes.word[1]) << 4;
    return bits & bits_before(end, first);
  }

  // The spikes of neurons before `end`.
  POPSNN_DEVICE int before(int end) const {
    int count = 0;
    for (int first = 8 * lane(); first < end; first += 8 * 32) {
      count += popcount(spikes(first, end));
    }
    return static_cast<int>(warp_sum(static_cast<unsigned>(count)));
  }

  // Corrects what a neuron has published and its states.
  POPSNN_DEVICE void silence(int neuron) const {
    const long long at = static_cast<long long>(sample_) * a_.neurons + neuron;
    const long long message = static_cast<long long>(sample_) * a_.pitch + neuron;
    const float nothing[1] = {};
    store_row<Sixteen, 1>(a_.messages, step_ * a_.message_row + message, nothing);
    if (a_.spikes != a_.messages) {
      store_row<SpikeRow<T>, 1>(a_.spikes, step_ * a_.row + at, nothing);
    }
    a_.state[kSpike][at] = 0.0f;
    if constexpr (kOwnSpike<Neuron>) {
#pragma unroll
      for (int k = 0; k < Neuron::kSaved; ++k) {
        const float without = without_spike(k, at);
        a_.state[k][at] = without;
        float* to = saved<Neuron>(a_, k);
        if (to != nullptr) to[step_ * a_.row + at] = without;
      }
    }
  }

  // By another thread of this block than the one that wrote it.
  POPSNN_DEVICE float without_spike(int k, long long at) const {
    float x[1];
    load_from_others(capped(a_).without + k * a_.row + at, x);
    return x[0];
  }

  const StreamedArguments& a_;
  int step_;
  int sample_;
  int total_;  // spikes of the sample
  const unsigned char* flags_;
  int begin_;    // of the cyclic order
  int skipped_;  // spikes before it
};

// By the steppers, behind a step of all their neurons: waits for all blocks of the group, and drops
// the spikes beyond the capacity. `rounds` counts the waits.
template <class Shape, class Neuron, class T, int kVector>
POPSNN_DEVICE void limit_step(const StreamedArguments& a, const StreamedTeam<Shape>& team, int step,
                              unsigned& rounds) {
  constexpr int kWords = (Shape::kSamples + 31) / 32;
  unsigned* arrivals = team.arrivals(a);
  const auto given_up = [] { return *Timeout::aborted() != 0; };
  const auto wait = [&] {
    // A block that gave up does not arrive any more: others would count it for one that is late.
    if (!given_up()) arrive_for_all<Shape>(arrivals);
    ++rounds;
    if (thread_index() == 0) {
      wait_for_arrivals(a, arrivals, static_cast<unsigned>(a.blocks()) * rounds);
    }
    wait_for_steppers<Shape>();
  };
  wait();
  const unsigned* fired = capped(a).fired + static_cast<long long>(step) * a.batch + team.first;
  unsigned crowded[kWords];
  unsigned any = 0;
#pragma unroll
  for (int i = 0; i < kWords; ++i) {
    const int sample = 32 * i + thread_index() % 32;
    const unsigned count = sample < team.samples ? load_shared_by_all(fired + sample) : 0u;
    crowded[i] = ballot(static_cast<int>(count) > capped(a).capacity.limit);
    any |= crowded[i];
  }
  if (any == 0 || given_up()) return;  // warps may have read different counts
  const StreamedCells<Shape, kVector> owned(a, team);
  int turn = 0;
#pragma unroll
  for (int i = 0; i < kWords; ++i) {
    for (unsigned left = crowded[i]; left != 0; left &= left - 1u) {
      if (turn++ % Shape::kWarps != thread_index() / 32) continue;
      const int sample = 32 * i + lowest_bit(left);
      const auto total = static_cast<int>(load_shared_by_all(fired + sample));
      const StreamedDrops<Shape, Neuron, T> drops(a, step, team.first + sample, total);
      for (int k = 0; k < team.tiles(a.tiles); ++k) {
        const int first = (team.team + k * team.teams) * Shape::kOuts;
        drops.drop(first + owned.begin(team.rank), first + owned.end(team.rank, first));
      }
    }
  }
  wait();
}

}  // namespace popsnn
