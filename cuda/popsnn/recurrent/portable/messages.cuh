// Messages of both directions, as the operands of 8 columns that their readers need.
//
// A lane 4 g + c of a reader has column g of the operand, a sample, and of a unit of senders those
// of its number c. Publishers and layouts are those of resident/octet.cuh and pair_messages.cuh.
#pragma once

#include <popsnn/recurrent/resident/backward.cuh>
#include <popsnn/recurrent/resident/octet.cuh>

namespace popsnn {

// Weights as kTermsOf terms that add up to them, Sixteen [kTermsOf, N, pitch]. Three terms of bf16
// are a float32.
template <int kTermsOf>
struct PortableWeights {
  static constexpr int kWeightTerms = kTermsOf;

  POPSNN_DEVICE static int pitch(const RecurrentArguments& a) { return (a.neurons + 7) / 8 * 8; }

  POPSNN_DEVICE static const Sixteen* term(const RecurrentArguments& a, int i) {
    return static_cast<const Sixteen*>(a.weight) + i * (a.neurons * pitch(a));
  }
};

// Forward: a word of a sample's spikes of 16 neurons, and the weights that multiply them.
template <int kTermsOf>
struct PortableSpikes : PortableWeights<kTermsOf> {
  using Weights = PortableWeights<kTermsOf>;
  using Word = unsigned;
  static constexpr int kTerms = 1;       // of a message
  static constexpr int kUnit = 64;       // senders
  static constexpr int kBlocks = 4;      // of 16 senders
  static constexpr int kSlots = 8;       // units of a warp that are polled at once, at most
  static constexpr float kScale = 0.5f;  // of sums, in which a spike is 2

  POPSNN_DEVICE static int lane() { return thread_index() % 4 * 8 + thread_index() % 32 / 4; }
  POPSNN_DEVICE static bool there(unsigned word) { return (word & kThere) != 0; }

  // Of neurons 2 k, 2 k + 8, 2 k + 1 and 2 k + 9: a spike is 2.
  POPSNN_DEVICE static void operand(unsigned word, int k, unsigned (&b)[2]) {
    b[0] = word << (14 - 4 * k) & 0x40004000u;
    b[1] = word << (13 - 4 * k) & 0x40004000u;
  }

  // A term of the weights to neurons `to` and `to` + 1.
  POPSNN_DEVICE static void load(const RecurrentArguments& a, int term, int to, int unit,
                                 Words4 (&weight)[kBlocks]) {
    const int from = unit * kUnit + thread_index() % 4 * 16;
#pragma unroll
    for (int of = 0; of < 2; ++of) {
      const Words4 low = load_row(a, term, to + of, from);
      const Words4 high = load_row(a, term, to + of, from + 8);
#pragma unroll
      for (int k = 0; k < kBlocks; ++k) {
        weight[k].word[of] = (low.word[k] & 0xffffu) | high.word[k] << 16;
        weight[k].word[of + 2] = low.word[k] >> 16 | (high.word[k] & 0xffff0000u);
      }
    }
  }

 private:
  static constexpr unsigned kThere = 4;

  // 8 neighbours of a row; 0 beyond the layer.
  POPSNN_DEVICE static Words4 load_row(const RecurrentArguments& a, int term, int row, int column) {
    const int pitch = Weights::pitch(a);
    const bool is = row < a.neurons && column < pitch;
    const int at = is ? row * pitch + column : 0;
    Words4 x = *reinterpret_cast<const Words4*>(Weights::term(a, term) + at);
#pragma unroll
    for (unsigned& word : x.word) word = is ? word : 0u;
    return x;
  }
};

// Backward: a sample's gradients of 8 neurons in 16 bits, of as many terms as weights, and the
// weights of which they are.
template <int kTermsOf>
struct PortableGradients : PortableWeights<kTermsOf> {
  using Weights = PortableWeights<kTermsOf>;
  using Word = Words4;
  static constexpr int kTerms = kTermsOf;
  static constexpr int kUnit = 32;
  static constexpr int kBlocks = 2;
  static constexpr int kSlots = kTerms > 1 ? 3 : 4;  // as registers hold
  static constexpr float kScale = 1.0f;

  POPSNN_DEVICE static int lane() { return thread_index() % 32; }

  POPSNN_DEVICE static bool there(const Words4& x) {
    return larger(larger(x.word[0], x.word[1]), larger(x.word[2], x.word[3])) != 0xffffffffu;
  }

  // Of neighbour 4 k and the three behind it.
  POPSNN_DEVICE static void operand(const Words4& x, int k, unsigned (&b)[2]) {
    b[0] = x.word[2 * k];
    b[1] = x.word[2 * k + 1];
  }

  // A term of the weights from neurons `to`, which is even, and `to` + 1 to a unit. A lane reads
  // both at once.
  POPSNN_DEVICE static void load(const RecurrentArguments& a, int term, int to, int unit,
                                 Words4 (&weight)[kBlocks]) {
    const int from = unit * kUnit + thread_index() % 4 * 8;
#pragma unroll
    for (int k = 0; k < kBlocks; ++k) {
#pragma unroll
      for (int of = 0; of < 2; ++of) {
        const unsigned first = load_pair(a, term, from + 4 * k + 2 * of, to);
        const unsigned second = load_pair(a, term, from + 4 * k + 2 * of + 1, to);
        weight[k].word[2 * of] = (first & 0xffffu) | second << 16;
        weight[k].word[2 * of + 1] = first >> 16 | (second & 0xffff0000u);
      }
    }
  }

 private:
  POPSNN_DEVICE static unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }

  POPSNN_DEVICE static unsigned load_pair(const RecurrentArguments& a, int term, int row,
                                          int column) {
    const int pitch = Weights::pitch(a);
    const bool is = row < a.neurons && column < pitch;
    const int at = is ? row * pitch + column : 0;
    const unsigned x = *reinterpret_cast<const unsigned*>(Weights::term(a, term) + at);
    return is ? x : 0u;
  }
};

// The messages of a product warp's units. Units share the slots of registers that they are polled
// in: as soon as a unit is multiplied, its slot has the next unit of the item, or a unit of the
// next item.
template <class Shape>
class PortableMessages {
 public:
  using Kind = typename Shape::Kind;
  using Word = typename Kind::Word;
  static constexpr int kTerms = Kind::kTerms;
  static constexpr int kSlots = Shape::kUnits < Kind::kSlots ? Shape::kUnits : Kind::kSlots;

  // Those of item `item` first; `unit` is the first of `count` of the warp.
  POPSNN_DEVICE PortableMessages(const RecurrentArguments& a, int item, int unit, int count)
      : item_(Shape::quads(a.neurons) * kUnitWords),
        at_(static_cast<const Word*>(a.messages) + static_cast<long long>(item) * item_ +
            unit * kUnitWords + Kind::lane()),
        count_(count) {}

  // Begins to poll the first units of the item.
  POPSNN_DEVICE void request() {
#pragma unroll
    for (int i = 0; i < kSlots; ++i) {
      if (i < count_) request(i, at_ + i * kApart);
    }
  }

  // Waits for units `first` to `first` + kSlots - 1.
  POPSNN_DEVICE void take(const RecurrentArguments& a, int first) {
    Timeout timeout(a);
    while (!all(there(first) || timeout.expired())) {
#pragma unroll
      for (int i = 0; i < kSlots; ++i) {
        if (first + i < count_ && !there_in(i)) request(i, at_ + (first + i) * kApart);
      }
    }
  }

  POPSNN_DEVICE void operand(int unit, int term, int k, unsigned (&b)[2]) const {
    Kind::operand(words_[unit % kSlots][term], k, b);
  }

  // A unit was multiplied; `more`: the next item is polled already.
  POPSNN_DEVICE void done(int unit, bool more) {
    const int slot = unit % kSlots;
    if (unit + kSlots < count_) {
      request(slot, at_ + (unit + kSlots) * kApart);
    } else if (more) {
      request(slot, at_ + item_ + slot * kApart);
    }
  }

  POPSNN_DEVICE void advance() { at_ += item_; }

 private:
  static constexpr int kUnitWords = 32 * kTerms;
  static constexpr int kApart = kUnitWords * Shape::kProductWarps;

  POPSNN_DEVICE void request(int slot, const Word* from) {
#pragma unroll
    for (int i = 0; i < kTerms; ++i) words_[slot][i] = load_shared_by_all(from + 32 * i);
  }

  POPSNN_DEVICE bool there_in(int slot) const {
    bool complete = true;
#pragma unroll
    for (int i = 0; i < kTerms; ++i) complete = complete && Kind::there(words_[slot][i]);
    return complete;
  }

  POPSNN_DEVICE bool there(int first) const {
    bool complete = true;
#pragma unroll
    for (int i = 0; i < kSlots; ++i) {
      complete = complete && (first + i >= count_ || there_in(i));
    }
    return complete;
  }

  int item_;  // words of a lane
  const Word* at_;
  int count_;
  Word words_[kSlots][kTerms] = {};
};

}  // namespace popsnn
