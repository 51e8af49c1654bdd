// A single time step: the sums of a warp's senders by additions, of weights in float32.
#pragma once

#include <popsnn/recurrent/step/senders.cuh>

namespace popsnn {

// A spike is 0 or 1, so a product with it is exact, and the sums are rounded as any of float32.
// Half a warp has a sender's weights to the block's neurons, a lane of it those to four of them.
// kRounded: the weights are rounded to 16 bits.
template <int kWarpsOf, int kSamplesOf, int kAlign, bool kRounded>
class StepAdditions {
 public:
  static constexpr int kWarps = kWarpsOf;
  static constexpr int kSamples = kSamplesOf;

  POPSNN_DEVICE explicit StepAdditions(const StepArguments& a) : a_(a), lane_(thread_index() % 32) {
    const int to = static_cast<int>(block_index()) * kStepOuts + lane_ % 16 * kOuts;
    left_ = a.neurons - to;
    weight_ = static_cast<const float*>(a.weight) + (left_ > 0 ? to : 0);
  }

  template <class Senders>
  POPSNN_DEVICE void add(const Senders& senders, int chunks) {
    Row<float, kOuts> rows[kAhead][kRows];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      if (i < chunks) load(senders, i, rows[i]);
    }
    for (int first = 0; first < chunks; first += kAhead) {
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        if (first + i >= chunks) continue;
        add_rows(senders, first + i, rows[i]);
        if (first + i + kAhead < chunks) load(senders, first + i + kAhead, rows[i]);
      }
    }
  }

  // Writes the sums to shared memory, [warp, sample, neuron].
  POPSNN_DEVICE void store(int batch) const {
    const int warp = thread_index() / 32;
#pragma unroll
    for (int sample = 0; sample < kSamples; ++sample) {
      float sums[kOuts];
#pragma unroll
      for (int j = 0; j < kOuts; ++j) {
        sums[j] = sums_[sample][j] + shuffle_xor(sums_[sample][j], 16);
      }
      if (sample >= batch || lane_ >= 16) continue;
      const int at = (warp * kSamples + sample) * kStepRow + lane_ * kOuts;
      store_shared(shared_address(shared_memory()) + static_cast<unsigned>(4 * at), sums);
    }
  }

 private:
  static constexpr int kOuts = kStepOuts / 16;
  static constexpr int kRows = 8;                        // of a chunk, a half's
  static constexpr int kAhead = kSamplesOf > 4 ? 1 : 2;  // chunks whose weights are in flight

  template <class Senders>
  POPSNN_DEVICE void load(const Senders& senders, int chunk,
                          Row<float, kOuts> (&rows)[kRows]) const {
#pragma unroll
    for (int i = 0; i < kRows; i += 2) {
      Words2 sender;
      load_shared(senders.at(first_of(chunk, i)), sender);
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const float* from = weight_ + static_cast<long long>(sender.word[j]) * a_.neurons;
        rows[i + j] = load_weights<float, kOuts, kAlign>(from, left_);
      }
    }
  }

  template <class Senders>
  POPSNN_DEVICE void add_rows(const Senders& senders, int chunk,
                              const Row<float, kOuts> (&rows)[kRows]) {
#pragma unroll
    for (int i = 0; i < kRows; i += 2) {
      Words2 masks;
      load_shared(senders.mask_at(first_of(chunk, i)), masks);
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        float weights[kOuts];
        unpack<float, kOuts>(rows[i + j], weights);
        if constexpr (kRounded) {
          unpack<Sixteen, kOuts>(pack_row<Sixteen, kOuts>(weights), weights);
        }
#pragma unroll
        for (int sample = 0; sample < kSamples; ++sample) {
          const float spike = (masks.word[j] >> sample & 1u) != 0 ? 1.0f : 0.0f;
#pragma unroll
          for (int k = 0; k < kOuts; ++k) {
            sums_[sample][k] = fma(spike, weights[k], sums_[sample][k]);
          }
        }
      }
    }
  }

  // The lane's i-th sender in a chunk, of which halves have pairs in turn.
  POPSNN_DEVICE int first_of(int chunk, int i) const {
    return chunk * 2 * kRows + 2 * i + lane_ / 16 * 2;
  }

  const StepArguments& a_;
  int lane_;
  int left_;             // neurons from the lane's first on
  const float* weight_;  // of the first sender to the lane's neurons
  float sums_[kSamples][kOuts] = {};
};

}  // namespace popsnn
