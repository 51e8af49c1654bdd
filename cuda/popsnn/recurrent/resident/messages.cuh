// The layout of a quad's message of a step, for 16 samples: the operands of tensor cores that its
// readers need, without a conversion, and with a flag that it has arrived.
//
// A lane 4 g + c of a reader has rows g and g + 8, samples, and the neurons of block c of the quad:
// 4 neighbours for each 16 of the operand's columns, as the order within a sum is free. What a
// block publishes and what 8 lanes read is then contiguous.
#pragma once

#include <popsnn/recurrent/recurrent.cuh>

namespace popsnn {

// Pointers to the messages of a warp's quads: of an item, then of the next.
template <class Shape>
class MessagePointers {
 public:
  static constexpr int kQuad = 32;  // pairs of words, those of SpikeMessages::kQuadWords

  // `at`: of the lane within a quad. Of taps, `quad` is of those of all taps.
  POPSNN_DEVICE MessagePointers(const RecurrentArguments& a, int item, int quad, int at)
      : item_(Shape::quads(a.neurons) * kQuad),
        at_(static_cast<const Words2*>(a.messages) + static_cast<long long>(item) * item_ +
            (kTaps ? 0 : quad * kQuad) + at) {
#pragma unroll
    for (int i = 0; kTaps && i < Shape::kQuads; ++i) {
      const int quads = Shape::quads(a.neurons);
      const int source = quad + i * Shape::kProductWarps;
      const int earlier = Shape::kTaps - 1 - source / quads;  // steps
      offset_[i] = source % quads * kQuad - earlier * Shape::groups(a.batch) * item_;
    }
  }

  POPSNN_DEVICE const Words2* of(int i) const {
    if constexpr (kTaps) return at_ + offset_[i];
    return at_ + i * (Shape::kProductWarps * kQuad);
  }

  POPSNN_DEVICE void advance() { at_ += item_; }

 private:
  static constexpr bool kTaps = Shape::kTaps > 1;

  int item_;
  const Words2* at_;
  int offset_[kTaps ? Shape::kQuads : 1];
};

// Spikes: a word for each sample and block. Neuron 2 m + h has bit m + 16 h, tile i the bit 12 + i
// for "arrived"; memory begins as 0.
template <class Shape>
class SpikeMessages {
 public:
  static constexpr int kQuadWords = 64;

  // Begins to poll those of item `item`.
  POPSNN_DEVICE SpikeMessages(const RecurrentArguments& a, int item, int quad, int count)
      : pointers_(a, item, quad, thread_index() % 4 * 8 + thread_index() % 32 / 4), count_(count) {
#pragma unroll
    for (int i = 0; i < Shape::kQuads; ++i) {
      if (i >= count_) next_[i] = {{kThere, kThere}};
    }
    request();
  }

  // Waits for the messages of the next item. With kEarly it begins to poll the item behind, unless
  // this is the last.
  POPSNN_DEVICE void take(const RecurrentArguments& a, bool last) {
    if (!all(there())) poll(a);
#pragma unroll
    for (int i = 0; !kInPlace && i < Shape::kQuads; ++i) words_[i] = next_[i];
    pointers_.advance();
    if (Shape::kEarly && !last) request();
  }

  // Columns 16 k .. 16 k + 15 of quad i. A spike is a power of two and not 1, a number of which one
  // bit of the exponent is set, so that two spikes take one instruction.
  POPSNN_DEVICE Words4 operand(int i, int k) const {
    const Words2& words = kInPlace ? next_[i] : words_[i];
    Words4 a;
    a.word[0] = spikes(words.word[0], 2 * k);
    a.word[1] = spikes(words.word[1], 2 * k);
    a.word[2] = spikes(words.word[0], 2 * k + 1);
    a.word[3] = spikes(words.word[1], 2 * k + 1);
    return a;
  }

  // The factor by which the weights are scaled to compensate.
  POPSNN_DEVICE static float scale(int m) { return SpikeOperand<Sixteen>::weight_scale(m); }

  // The operands of quad i, columns 16 k, were used. After half of them, when the next may have
  // arrived, it begins to poll those of the next item. Of taps each quad's at once: those of
  // earlier steps are there, and registers do not hold them twice. With kEarly `take` has begun.
  POPSNN_DEVICE void done(int i, int k) {
    if constexpr (Shape::kEarly) return;
    if constexpr (kInPlace) {
      if (k == Shape::kBlocks - 1) next_[i] = load_shared_by_all(pointers_.of(i));
      return;
    }
    if (i == (count_ - 1) / 2 && k == Shape::kBlocks - 1) request();
  }

  // Where a cell warp publishes, item after item.
  class Publisher {
   public:
    POPSNN_DEVICE Publisher(const RecurrentArguments& a, int item, int block, int tile)
        : item_(in_register_of_part<Shape>(Shape::quads(a.neurons) * kQuadWords)),
          to_(static_cast<unsigned*>(a.messages) + static_cast<long long>(item) * item_ +
              block * (kQuadWords / 4) + thread_index() % kGroup),
          lane_(in_register(thread_index() % 32)),
          tile_(tile) {}

    // Lane 4 g + c has samples g and g + 8, neurons 2 c and 2 c + 1. Advances by `next` items.
    POPSNN_DEVICE void publish(const float (&spikes)[4], int next) {
      unsigned fired[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) fired[j] = ballot(spikes[j] != 0.0f);
      const bool second = (lane_ & 1) != 0;  // sample g + 8
      const int shift = lane_ / 2 * 4;       // 4 g
      const unsigned low = (second ? fired[2] : fired[0]) >> shift & 15u;
      const unsigned high = (second ? fired[3] : fired[1]) >> shift & 15u;
      const unsigned bits = (low | high << 16) << 4 * tile_ | 1u << (12 + tile_);
      if (lane_ < kGroup) set_bits_for_all(to_, bits);
      to_ += item_ * next;
    }

   private:
    int item_;
    unsigned* to_;
    int lane_;
    int tile_;
  };

 private:
  static constexpr bool kInPlace = Shape::kTaps > 1;

  POPSNN_DEVICE static constexpr int bit(int m) { return SpikeOperand<Sixteen>::bit(m); }

  static constexpr unsigned kThere = ((1u << Shape::kTiles) - 1u) << 12;

  POPSNN_DEVICE static unsigned common(const Words2& x) { return x.word[0] & x.word[1] & kThere; }

  // Without branches, which take longer. Quads that the warp has not are there.
  POPSNN_DEVICE bool there() const {
    unsigned bits = common(next_[0]);
#pragma unroll
    for (int i = 1; i < Shape::kQuads; ++i) bits &= common(next_[i]);
    return bits == kThere;
  }

  POPSNN_DEVICE void poll(const RecurrentArguments& a) {
    Timeout timeout(a);
    while (!all(there() || timeout.expired())) {
#pragma unroll
      for (int i = 0; i < Shape::kQuads; ++i) {
        if (i < count_ && common(next_[i]) != kThere) {
          next_[i] = load_shared_by_all(pointers_.of(i));
        }
      }
    }
  }

  POPSNN_DEVICE void request() {
#pragma unroll
    for (int i = 0; i < Shape::kQuads; ++i) {
      if (i < count_) next_[i] = load_shared_by_all(pointers_.of(i));
    }
  }

  POPSNN_DEVICE static unsigned spikes(unsigned word, int m) {
    return word << (bit(m) - m) & 0x00010001u << bit(m);
  }

  MessagePointers<Shape> pointers_;
  int count_;
  Words2 next_[Shape::kQuads] = {};
  Words2 words_[kInPlace ? 1 : Shape::kQuads];
};

}  // namespace popsnn
