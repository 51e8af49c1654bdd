// A single time step: the sums of a warp's senders on tensor cores, of weights of 16 bits.
#pragma once

#include <popsnn/recurrent/step/senders.cuh>

namespace popsnn {

// A chunk are 16 senders. A lane 4 g + c has of four of them the weights to the eight neurons 8 g
// and on, two for each tile of 16 neurons: its rows g and g + 8. The columns are 8 samples.
template <int kWarpsOf, int kSampleTiles, int kAlign>
class StepProduct {
 public:
  static constexpr int kWarps = kWarpsOf;
  static constexpr int kSamples = 8 * kSampleTiles;

  POPSNN_DEVICE explicit StepProduct(const StepArguments& a) : a_(a), lane_(thread_index() % 32) {
    const int to = static_cast<int>(block_index()) * kStepOuts + lane_ / 4 * 8;
    left_ = a.neurons - to;
    weight_ = static_cast<const Sixteen*>(a.weight) + (left_ > 0 ? to : 0);
  }

  template <class Senders>
  POPSNN_DEVICE void add(const Senders& senders, int chunks) {
    Row<Sixteen, 8> rows[kAhead][4];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      if (i < chunks) load(senders, i, rows[i]);
    }
    for (int first = 0; first < chunks; first += kAhead) {
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        if (first + i >= chunks) continue;
        multiply(senders, first + i, rows[i]);
        if (first + i + kAhead < chunks) load(senders, first + i + kAhead, rows[i]);
      }
    }
  }

  // Writes the sums to shared memory, [warp, sample, neuron].
  POPSNN_DEVICE void store(int batch) const {
    const int warp = thread_index() / 32;
#pragma unroll
    for (int tile = 0; tile < kSampleTiles; ++tile) {
#pragma unroll
      for (int s = 0; s < 2; ++s) {
        const int sample = 8 * tile + lane_ % 4 * 2 + s;
        if (sample >= batch) continue;
        const unsigned to =
            shared_address(shared_memory()) +
            static_cast<unsigned>(4 * ((warp * kSamples + sample) * kStepRow + lane_ / 4 * 8));
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const auto& low = sums_[tile][2 * half];
          const auto& high = sums_[tile][2 * half + 1];
          const float sums[4] = {low[s], low[s + 2], high[s], high[s + 2]};
          store_shared(to + 16 * half, sums);
        }
      }
    }
  }

 private:
  static constexpr int kTiles = kStepOuts / 16;
  static constexpr int kAhead =
      kSampleTiles > 2 ? 1 : 4 - kSampleTiles;  // chunks whose weights are in flight

  template <class Senders>
  POPSNN_DEVICE void load(const Senders& senders, int chunk, Row<Sixteen, 8> (&rows)[4]) const {
    Words4 sender;
    load_shared(senders.at(first_of(chunk)), sender);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const Sixteen* from = weight_ + static_cast<long long>(sender.word[i]) * a_.neurons;
      if constexpr (kAlign == 16) {  // lanes beyond the layer load what no neuron takes
        rows[i] = *reinterpret_cast<const Row<Sixteen, 8>*>(from);
      } else {
        rows[i] = load_weights<Sixteen, 8, kAlign>(from, left_);
      }
    }
  }

  template <class Senders>
  POPSNN_DEVICE void multiply(const Senders& senders, int chunk, const Row<Sixteen, 8> (&rows)[4]) {
    Words4 masks;
    load_shared(senders.mask_at(first_of(chunk)), masks);
    unsigned spikes[kSampleTiles][2];
#pragma unroll
    for (int of = 0; of < kSampleTiles; ++of) {
      const int sample = 8 * of + lane_ / 4;
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const unsigned first = masks.word[2 * h] >> sample & 1u;
        const unsigned second = masks.word[2 * h + 1] >> sample & 1u;
        spikes[of][h] = (first | second << 16) * SpikeOperand<Sixteen>::kOne;
      }
    }
#pragma unroll
    for (int tile = 0; tile < kTiles; ++tile) {
      Words4 weight;
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const unsigned first = rows[2 * h].words[tile];
        const unsigned second = rows[2 * h + 1].words[tile];
        weight.word[2 * h] = (first & 0xffffu) | second << 16;
        weight.word[2 * h + 1] = first >> 16 | (second & 0xffff0000u);
      }
#pragma unroll
      for (int of = 0; of < kSampleTiles; ++of) multiply_tile(sums_[of][tile], weight, spikes[of]);
    }
  }

  // The lane's first sender in a chunk.
  POPSNN_DEVICE int first_of(int chunk) const { return chunk * 16 + lane_ % 4 * 4; }

  const StepArguments& a_;
  int lane_;
  int left_;               // neurons from the lane's first on
  const Sixteen* weight_;  // of the first sender to the lane's neurons
  float sums_[kSampleTiles][kTiles][4] = {};
};

}  // namespace popsnn
