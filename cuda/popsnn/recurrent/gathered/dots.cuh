// Backward of a single sample: the products of the rows of a block's active neurons with the
// gradients of all neurons, without tensor cores, of which one column in eight would have work.
//
// A thread has of all rows the same receivers, kVectors times eight neighbours. It keeps their
// gradients in registers, and copies its part of the rows to slots of shared memory that no other
// thread uses, those of kStages rows ahead.
#pragma once

#include <popsnn/recurrent/gathered/gradients.cuh>

namespace popsnn {

template <class Shape>
class GradientDots {
 public:
  using W = typename Shape::W;
  using Bits = ActiveBits<Shape::kOuts>;
  static constexpr int kVectors = Shape::kVectors;
  static constexpr int kCopies = kVectors * static_cast<int>(sizeof(W)) / 2;  // 16 bytes of a row
  static constexpr int kSlots = Shape::kStages * kCopies;                     // of a thread
  static constexpr int kSumsAt = kSlots * 16 * Shape::kThreads;
  static constexpr int kSumRow = Shape::kOuts;  // of a warp
  static constexpr int kRowsAt = kSumsAt + 4 * kSumRow * Shape::kWarps;
  static constexpr int kBytes = kRowsAt + Shape::kOuts;
  static_assert(Shape::kListSamples == 1);

  // `shared`: kBytes of the block.
  POPSNN_DEVICE GradientDots(const GatheredArguments& a, unsigned char* shared, int warp)
      : a_(a),
        lane_(thread_index() % 32),
        slots_(shared_address(shared) + static_cast<unsigned>(thread_index()) * 16u),
        sums_(reinterpret_cast<float*>(shared + kSumsAt) + warp * kSumRow),
        rows_(shared + kRowsAt),
        active_(a) {
    active_.load(a.steps - 1 - a.first_step);
  }

  POPSNN_DEVICE const Bits& active() const { return active_.bits(); }

  // By all threads: starts to copy the rows of step `step` of the loop, at time T - 1 - step.
  POPSNN_DEVICE void prepare(int step) {
    active_.take();
    active_.load(a_.steps - 2 - step);
    count_ = active_.count();
    sync_block();  // the rows of the step before have been read
    active_.list(rows_, thread_index(), Shape::kThreads);
    sync_block();
    copied_ = 0;
#pragma unroll 1
    for (int i = 0; i < Shape::kStages; ++i) copy();
  }

  // Writes the warp's sums. `messages` [pitch] of the sample.
  POPSNN_DEVICE void run(const Sixteen* messages) {
    if (count_ == 0) return;
    Words4 words[kVectors][Shape::kPlanes];
    Timeout timeout(a_);
    load(messages, words);
    while (!all(arrived(words) || timeout.expired())) load(messages, words);
    for (int row = 0; row < count_; ++row) {
      wait_for_copies<Shape::kStages - 1>();
      float sum = 0.0f;
#pragma unroll
      for (int i = 0; i < kVectors; ++i) {
        float weights[8];
        float gradients[8];
        read(row % Shape::kStages, i, weights);
        unpack_planes(words[i], gradients);
#pragma unroll
        for (int j = 0; j < 8; ++j) sum = fma(weights[j], gradients[j], sum);
      }
      copy();
#pragma unroll
      for (int mask = 16; mask > 0; mask /= 2) sum += shuffle_xor(sum, mask);
      if (lane_ == 0) sums_[row] = sum;
    }
  }

  // The sum of a row of the active neurons, of all warps in their order.
  POPSNN_DEVICE static float sum_of(const unsigned char* shared, int, int row) {
    const float* from = reinterpret_cast<const float*>(shared + kSumsAt) + row;
    float sum = 0.0f;
#pragma unroll
    for (int warp = 0; warp < Shape::kWarps; ++warp) sum += from[warp * kSumRow];
    return sum;
  }

 private:
  POPSNN_DEVICE int receiver(int vector) const {
    return (vector * Shape::kThreads + thread_index()) * 8;
  }
  POPSNN_DEVICE unsigned slot(int stage, int copy) const {
    return slots_ + static_cast<unsigned>((stage * kCopies + copy) * 16 * Shape::kThreads);
  }

  // Starts to copy the next row, if there is one.
  POPSNN_DEVICE void copy() {
    if (copied_ < count_) {
      constexpr int kOfVector = kCopies / kVectors;
      const long long row = static_cast<long long>(block_index()) * Shape::kOuts + rows_[copied_];
      const W* from = static_cast<const W*>(a_.weight) + row * a_.pitch;
#pragma unroll
      for (int i = 0; i < kVectors; ++i) {
        const bool there = receiver(i) < a_.pitch;
#pragma unroll
        for (int j = 0; j < kOfVector; ++j) {
          copy_async(slot(copied_ % Shape::kStages, i * kOfVector + j),
                     from + (there ? receiver(i) + j * 4 : 0), there ? 16 : 0);
        }
      }
    }
    commit_copies();
    ++copied_;
  }

  POPSNN_DEVICE void read(int stage, int vector, float (&weights)[8]) const {
    if constexpr (Shape::kExact) {
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        float four[4];
        load_shared(slot(stage, 2 * vector + j), four);
#pragma unroll
        for (int k = 0; k < 4; ++k) weights[4 * j + k] = four[k];
      }
    } else {
      Words4 words;
      load_shared(slot(stage, vector), words);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        weights[2 * j] = low_half(words.word[j], Sixteen{});
        weights[2 * j + 1] = high_half(words.word[j], Sixteen{});
      }
    }
  }

  POPSNN_DEVICE void load(const Sixteen* messages,
                          Words4 (&words)[kVectors][Shape::kPlanes]) const {
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
#pragma unroll
      for (int plane = 0; plane < Shape::kPlanes; ++plane) {
        words[i][plane] = {};
        if (receiver(i) < a_.pitch) {
          words[i][plane] = load_shared_by_all(
              reinterpret_cast<const Words4*>(messages + plane * a_.plane + receiver(i)));
        }
      }
    }
  }

  POPSNN_DEVICE static bool arrived(const Words4 (&words)[kVectors][Shape::kPlanes]) {
    unsigned unset = 0;
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
#pragma unroll
      for (int plane = 0; plane < Shape::kPlanes; ++plane) add_unset(words[i][plane], unset);
    }
    return !any_unset(unset);
  }

  // Eight gradients, each the sum of the planes.
  POPSNN_DEVICE static void unpack_planes(const Words4 (&words)[Shape::kPlanes],
                                          float (&gradients)[8]) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      gradients[j] = 0.0f;
#pragma unroll
      for (int plane = Shape::kPlanes - 1; plane >= 0; --plane) {
        const unsigned word = words[plane].word[j / 2];
        gradients[j] += j % 2 == 0 ? low_half(word, Sixteen{}) : high_half(word, Sixteen{});
      }
    }
  }

  const GatheredArguments& a_;
  int lane_;
  unsigned slots_;  // the thread's first slot
  float* sums_;     // the warp's, of each row
  unsigned char* rows_;
  ActiveReader<Shape> active_;
  int count_ = 0;  // active neurons
  int copied_ = 0;
};

}  // namespace popsnn
