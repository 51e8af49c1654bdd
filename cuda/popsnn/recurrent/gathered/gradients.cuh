// Backward: which neurons of a block are active at a step, and the gradients that all publish.
#pragma once

#include <popsnn/recurrent/gathered/stamps.cuh>

namespace popsnn {

// Of 16 bits of the gradients: not arrived, a NaN that no conversion to 16 bits returns.
constexpr unsigned kUnset = 0xffffu;

// Collects in `unset` whether any of the gradients is kUnset, for `any_unset`: a half of ~x is
// zero.
POPSNN_DEVICE void add_unset(const Words4& words, unsigned& unset) {
#pragma unroll
  for (int i = 0; i < 4; ++i) unset |= (0xfffefffeu - words.word[i]) & words.word[i];
}

POPSNN_DEVICE bool any_unset(unsigned unset) { return (unset & 0x80008000u) != 0; }

// The active neurons of a block, a bit each.
template <int kBits>
struct ActiveBits {
  static constexpr int kWords = (kBits + 31) / 32;
  unsigned word[kWords];

  // By masks: an index that is no constant would put the words in memory.
  POPSNN_DEVICE bool has(int bit) const {
    unsigned found = 0;
#pragma unroll
    for (int i = 0; i < kWords; ++i) found |= word[i] & (i == bit / 32 ? 1u << bit % 32 : 0u);
    return found != 0;
  }

  // Those below a bit.
  POPSNN_DEVICE int below(int bit) const {
    int count = 0;
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      const unsigned low = i < bit / 32 ? ~0u : i == bit / 32 ? (1u << bit % 32) - 1u : 0u;
      count += popcount(word[i] & low);
    }
    return count;
  }
};

// 16 or 32 bits, of which each block has whole ones.
template <bool kWords>
struct ActivePart {
  using Type = unsigned;
};

template <>
struct ActivePart<false> {
  using Type = unsigned short;
};

// The active neurons of a block at a step, loaded a step ahead.
template <class Shape>
class ActiveReader {
 public:
  using Bits = ActiveBits<Shape::kOuts>;
  using Part = typename ActivePart<Shape::kOuts % 32 == 0>::Type;
  static constexpr int kOfWord = 4 / static_cast<int>(sizeof(Part));
  static constexpr int kParts = Shape::kOuts * kOfWord / 32;

  POPSNN_DEVICE explicit ActiveReader(const GatheredArguments& a)
      : a_(a), first_(static_cast<int>(block_index()) * kParts) {}

  // Begins to load those of a time.
  POPSNN_DEVICE void load(int t) {
    const int parts = a_.active_words() * kOfWord;
    const Part* from = reinterpret_cast<const Part*>(a_.active) + static_cast<long long>(t) * parts;
#pragma unroll
    for (int i = 0; i < kParts; ++i) {
      const int at = first_ + i;
      next_[i] = t >= 0 && at < parts ? from[at] : 0;
    }
  }

  // What was loaded last becomes what the others return.
  POPSNN_DEVICE void take() {
    bits_ = {};
#pragma unroll
    for (int i = 0; i < kParts; ++i) {
      bits_.word[i / kOfWord] |= static_cast<unsigned>(next_[i]) << i % kOfWord * 16;
    }
  }

  POPSNN_DEVICE const Bits& bits() const { return bits_; }
  POPSNN_DEVICE int count() const { return bits_.below(Shape::kOuts); }

  // Calls a function of those that are lane + 32 i, and of how many there are before each.
  template <class Call>
  POPSNN_DEVICE void each_of_lane(int lane, Call call) const {
    int before = 0;
#pragma unroll
    for (int i = 0; i < Bits::kWords; ++i) {
      const unsigned word = bits_.word[i];
      const int index = before + popcount(word & ((1u << lane) - 1u));
      if ((word >> lane & 1u) != 0) call(i * 32 + lane, index);
      before += popcount(word);
    }
  }

  // Lists them, by `threads` threads.
  POPSNN_DEVICE void list(unsigned char* rows, int thread, int threads) const {
    for (int at = thread; at < Shape::kOuts; at += threads) {
      if (bits_.has(at)) rows[bits_.below(at)] = static_cast<unsigned char>(at);
    }
  }

 private:
  const GatheredArguments& a_;
  int first_;
  Bits bits_ = {};
  Part next_[kParts] = {};
};

// What a block does backward to know the gradients of others, in GatheredBlock. `Product` is
// GradientProduct or GradientDots.
template <class Shape, class Product>
class GradientExchange {
 public:
  POPSNN_DEVICE GradientExchange(const GatheredArguments& a, unsigned char* shared, int warp)
      : a_(a),
        shared_(shared),
        active_(reinterpret_cast<typename Product::Bits*>(shared + (Product::kBytes + 7) / 8 * 8)),
        product_(a, shared, warp) {
    if (a.first_step < a.steps) product_.prepare(a.first_step);
  }

  // The neurons publish their gradients as they step.
  POPSNN_DEVICE void set(int, int, float) const {}
  POPSNN_DEVICE void publish(int) const { sync_block(); }  // the sums have been read
  POPSNN_DEVICE void begin(int step) {
    if (thread_index() == 0) rows_ = a_.counts[a_.steps - 1 - step];
  }

  // The rows of the step that began, those of all blocks.
  POPSNN_DEVICE int rows(int) const { return rows_; }

  // Writes a warp's sums of a step, and begins to copy what the next one needs.
  POPSNN_DEVICE void multiply(int step) {
    if (thread_index() == 0) *active_ = product_.active();  // the neurons have read the last ones
    product_.run(static_cast<const Sixteen*>(a_.messages) + (a_.steps - step) * a_.message_row);
    stamp<Shape>(a_, step, Phase::kMultiplied);
    if (step + 1 < a_.steps) product_.prepare(step + 1);
  }

  // Adds the sums for neighbours of a sample that are active.
  template <int kVector>
  POPSNN_DEVICE void add_sums(int out, int sample, float (&sum)[kVector]) const {
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      if (active_->has(out + j)) {
        sum[j] += Product::sum_of(shared_, sample, active_->below(out + j));
      }
    }
  }

 private:
  const GatheredArguments& a_;
  unsigned char* shared_;
  typename Product::Bits* active_;
  Product product_;
  int rows_ = 0;
};

}  // namespace popsnn
