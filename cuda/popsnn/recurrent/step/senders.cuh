// A single time step of a recurrent layer: its arguments, and a warp's list of the senders that
// fired.
#pragma once

#include <popsnn/recurrent/recurrent.cuh>

namespace popsnn {

constexpr int kStepOuts = 64;            // neurons of a block
constexpr int kStepRow = kStepOuts + 4;  // of sums, padded against bank conflicts

struct StepArguments : RecurrentArguments {
  // Different from RecurrentArguments:
  //   weight    [N, N]: from, to
  //   initial   the states before the step
  void* masks;  // [N], up to whole groups of 128: the samples in which each neuron fired, as bits
};

constexpr int kStepNeighbours = 4;  // senders that a lane scans together

// The spikes of up to kSamples samples as the states have them; kWhole: rows are 16 bytes aligned.
template <class Neuron, int kSamples, bool kWhole>
class FiredInState {
 public:
  static_assert(kSamples <= 8, "a mask is a byte");
  static constexpr bool kPrefetched = false;  // a mask waits for its spikes

  struct Loaded {
    unsigned masks;
  };

  POPSNN_DEVICE static Loaded load(const StepArguments& a, int sender) {
    const int count = a.neurons - sender;
    float spikes[kSamples][kStepNeighbours] = {};
#pragma unroll
    for (int sample = 0; sample < kSamples; ++sample) {
      const float* from =
          a.initial[Neuron::kStates - 1] + static_cast<long long>(sample) * a.neurons + sender;
      if (sample < a.batch && count > 0) {
        popsnn::load<kStepNeighbours, kWhole>(from, spikes[sample], count);
      }
    }
    Loaded loaded = {};
#pragma unroll
    for (int sample = 0; sample < kSamples; ++sample) {
#pragma unroll
      for (int j = 0; j < kStepNeighbours; ++j) {
        loaded.masks |= static_cast<unsigned>(spikes[sample][j] != 0.0f) << (8 * j + sample);
      }
    }
    return loaded;
  }

  POPSNN_DEVICE static unsigned mask(const Loaded& loaded, int neighbour) {
    return loaded.masks >> 8 * neighbour & 0xffu;
  }
};

// The masks that an earlier kernel has written, of kBytes bytes.
template <int kBytes>
class FiredInMasks {
 public:
  // Whether the registers hold the masks of the next section while weights are added.
  static constexpr bool kPrefetched = kBytes < 4;
  using Loaded = Raw<kBytes * kStepNeighbours>;

  POPSNN_DEVICE static Loaded load(const StepArguments& a, int sender) {
    Loaded loaded = {};
    if (sender < a.neurons) {
      loaded = static_cast<const Loaded*>(a.masks)[sender / kStepNeighbours];
    }
    return loaded;
  }

  POPSNN_DEVICE static unsigned mask(const Loaded& loaded, int neighbour) {
    constexpr int kOfWord = 4 / kBytes;
    const unsigned word = loaded.words[neighbour / kOfWord];
    if constexpr (kOfWord == 1) {
      return word;
    } else {
      return word >> 8 * kBytes * (neighbour % kOfWord) & ((1u << 8 * kBytes) - 1u);
    }
  }
};

// A warp's list in shared memory: the indices of senders that fired in any sample, then the masks
// of these samples. Section i of a layer is kWarps lists' worth of senders, of which a warp has
// every kWarps-th group of 128: neurons that fire together are often neighbours.
template <int kWarps, class Fired>
class StepSenders {
 public:
  static constexpr int kChunk = 16;    // senders that are multiplied together
  static constexpr int kTogether = 4;  // groups in flight
  static constexpr int kGroup = 32 * kStepNeighbours;
  static constexpr int kCapacity = kTogether * kGroup + 2 * kChunk;

  struct Section {
    typename Fired::Loaded group[kTogether];
  };

  POPSNN_DEVICE explicit StepSenders(const StepArguments& a)
      : a_(a),
        lane_(thread_index() % 32),
        warp_(in_register(thread_index() / 32)),
        senders_(shared_address(shared_memory()) + static_cast<unsigned>(warp_ * kCapacity * 8)) {}

  POPSNN_DEVICE static int sections(int neurons) {
    constexpr int kSenders = kWarps * kTogether * kGroup;
    return (neurons + kSenders - 1) / kSenders;
  }

  POPSNN_DEVICE void load(int section, Section& loaded) const {
#pragma unroll
    for (int i = 0; i < kTogether; ++i) loaded.group[i] = Fired::load(a_, first(section, i));
  }

  // Lists a section's senders behind `count` others, and returns how many there are then.
  POPSNN_DEVICE int append(int section, const Section& loaded, int count) const {
#pragma unroll
    for (int i = 0; i < kTogether; ++i) {
#pragma unroll
      for (int j = 0; j < kStepNeighbours; ++j) {
        const unsigned mask = Fired::mask(loaded.group[i], j);
        const unsigned fired = ballot(mask != 0);
        const int before = popcount(fired & ((1u << lane_) - 1u));
        if (mask != 0) write(count + before, first(section, i) + j, mask);
        count += popcount(fired);
      }
    }
    sync_warp();
    return count;
  }

  // Fills up the last chunk with a sender whose mask is 0.
  POPSNN_DEVICE void fill_up(int count) const {
    if (count % kChunk != 0 && lane_ < kChunk) {
      write(count + lane_, static_cast<int>(load_shared_word(senders_)), 0u);
    }
    sync_warp();
  }

  // Moves the senders behind the whole chunks to the front, and returns how many they are.
  POPSNN_DEVICE int keep_rest(int count) const {
    const int rest = count % kChunk;
    unsigned sender = 0;
    unsigned mask = 0;
    if (lane_ < rest) {
      sender = load_shared_word(at(count - rest + lane_));
      mask = load_shared_word(mask_at(count - rest + lane_));
    }
    sync_warp();
    if (lane_ < rest) write(lane_, static_cast<int>(sender), mask);
    sync_warp();
    return rest;
  }

  // Addresses in shared memory of a sender and of its mask.
  POPSNN_DEVICE unsigned at(int index) const { return senders_ + static_cast<unsigned>(4 * index); }
  POPSNN_DEVICE unsigned mask_at(int index) const { return at(kCapacity + index); }

 private:
  // The lane's first sender in a group.
  POPSNN_DEVICE int first(int section, int i) const {
    return ((section * kTogether + i) * kWarps + warp_) * kGroup + lane_ * kStepNeighbours;
  }

  POPSNN_DEVICE void write(int index, int sender, unsigned mask) const {
    store_shared_word(at(index), static_cast<unsigned>(sender));
    store_shared_word(mask_at(index), mask);
  }

  const StepArguments& a_;
  int lane_;
  int warp_;
  unsigned senders_;
};

// kCount weights of a row to neighbouring neurons, in vectors of kAlign bytes; those beyond the
// layer, of which `left` are not, are 0.
template <class W, int kCount, int kAlign>
POPSNN_DEVICE Row<W, kCount> load_weights(const W* from, int left) {
  constexpr int kSize = static_cast<int>(sizeof(W));
  Row<W, kCount> row = {};
  if constexpr (kAlign == kSize * kCount) {
    if (left > 0) row = *reinterpret_cast<const Row<W, kCount>*>(from);
  } else if constexpr (kAlign == 2) {
#pragma unroll
    for (int j = 0; j < kCount; ++j) {
      if (j < left) row.words[j / 2] |= static_cast<unsigned>(from[j].bits) << 16 * (j % 2);
    }
  } else {
    constexpr int kWords = kAlign / 4;
#pragma unroll
    for (int i = 0; i < kSize * kCount / kAlign; ++i) {
      if (i * kAlign / kSize < left) {
        const auto part = reinterpret_cast<const Raw<kAlign>*>(from)[i];
#pragma unroll
        for (int j = 0; j < kWords; ++j) row.words[i * kWords + j] = part.words[j];
      }
    }
  }
  return row;
}

}  // namespace popsnn
