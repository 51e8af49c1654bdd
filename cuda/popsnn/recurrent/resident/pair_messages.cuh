// Messages of backward, as the operands of tensor cores that their readers need.
//
// A lane 4 g + c of a reader has column g of the operand, a sample, and of a unit of 32 neurons
// eight neighbours: 4 for each 16 of the operand's rows, as the order within a sum is free.
#pragma once

#include <popsnn/recurrent/resident/pair.cuh>

namespace popsnn {

// Gradients: Sixteen [unit, term, sample, 32 neurons]. Memory begins as all ones, a NaN that no
// rounding produces.
template <class Shape>
class GradientMessages {
 public:
  // Begins to poll the messages of item `item`, or with kDepth to copy those of so many of `left`
  // items. `unit` is the first of `count` of warp `warp`.
  POPSNN_DEVICE GradientMessages(const RecurrentArguments& a, int item, int unit, int count,
                                 int warp, int left)
      : item_(Shape::units(a.neurons) * Shape::kUnitWords4),
        at_(static_cast<const Words4*>(a.messages) + static_cast<long long>(item) * item_ +
            thread_index() % 32),
        count_(count),
        left_(left),
        copies_(kCopies ? RecurrentShared<Shape>().copied(0, warp, 0) : 0) {
    const int last = Shape::units(a.neurons) - 1;
    at_ += (unit < last ? unit : last) * Shape::kUnitWords4;  // weights of what is not there are 0
    if constexpr (kCopies) {
      for (int ahead = 0; ahead < Shape::kDepth; ++ahead) copy(ahead, ahead);
    } else {
      request();
    }
  }

  // Waits for the messages of the next item.
  POPSNN_DEVICE void take(const RecurrentArguments& a) {
    if constexpr (kCopies) {
      // Copies and not loads: a wait for a load to registers is one for the loads behind it too.
      wait_for_copies<Shape::kDepth - 1>();
#pragma unroll
      for (int i = 0; i < Shape::kUnits; ++i) {
        if (left_ > 0 && i < count_) load_shared(copy_of(slot_, i), values_[i]);
      }
    }
    if (!all(there())) poll(a);
    at_ += item_;
  }

  // With kDepth, begins to copy the messages of the item so many behind the last that was taken.
  POPSNN_DEVICE void go_on() {
    if constexpr (kCopies) {
      --left_;
      copy(slot_, Shape::kDepth - 1);
      slot_ = slot_ + 1 < Shape::kDepth ? slot_ + 1 : 0;
    }
  }

  // Those of sample lane / 4, neurons 8 (lane % 4) + 4 half and the three behind it.
  POPSNN_DEVICE void operand(int i, int half, unsigned (&b)[2]) const {
    b[0] = values_[i].word[2 * half];
    b[1] = values_[i].word[2 * half + 1];
  }

  // Begins to poll those of the next item.
  POPSNN_DEVICE void request() {
#pragma unroll
    for (int i = 0; i < Shape::kUnits; ++i) {
      if (i < count_) request(i);
    }
  }

  // Of unit i.
  POPSNN_DEVICE void request(int i) { values_[i] = load_shared_by_all(of(i)); }

  class Publisher {
   public:
    POPSNN_DEVICE Publisher(const RecurrentArguments& a, int item, int block, int of)
        : item_(in_register_of_part<Shape>(Shape::units(a.neurons) * kUnitWords2)) {
      int neuron = Shape::neuron(block, of);
      there_ = neuron < Shape::units(a.neurons) * Shape::kUnit;
      neuron = there_ ? neuron : 0;
      const int odd = thread_index() / 4 % 2;
      to_ = static_cast<Words2*>(a.messages) + static_cast<long long>(item) * item_ +
            neuron / Shape::kUnit * kUnitWords2 + (Shape::sample() + odd) * (Shape::kUnit / 4) +
            neuron % Shape::kUnit / 4;
      second_ = odd != 0;
    }

    // Advances by `next` items. Neighbouring lanes exchange a pair of neurons, so that each has
    // four neurons of a sample.
    POPSNN_DEVICE void publish(const float (&grad)[4], int next) {
      unsigned first[Shape::kTerms];
      unsigned second[Shape::kTerms];
      split(grad[0], grad[1], first);
      split(grad[2], grad[3], second);
#pragma unroll
      for (int i = 0; i < Shape::kTerms; ++i) {
        const unsigned other =
            float_to_bits(shuffle_xor(bits_to_float(second_ ? first[i] : second[i]), 4));
        const Words2 both = second_ ? Words2{{other, second[i]}} : Words2{{first[i], other}};
        if (there_) store_for_all(to_ + i * (2 * Shape::kUnitWords4), both);
      }
      to_ += item_ * next;
    }

   private:
    static constexpr int kUnitWords2 = 2 * Shape::kUnitWords4 * Shape::kTerms;

    int item_;
    Words2* to_;
    bool there_;
    bool second_;
  };

 private:
  static constexpr bool kCopies = Shape::kDepth > 0;
  static constexpr unsigned kUnset = 0xffffffffu;

  POPSNN_DEVICE static unsigned largest(const Words4& x) {
    return larger(larger(x.word[0], x.word[1]), larger(x.word[2], x.word[3]));
  }

  POPSNN_DEVICE static unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }

  // Without branches, which take longer. Units that the warp has not are 0.
  POPSNN_DEVICE bool there() const {
    unsigned most = largest(values_[0]);
#pragma unroll
    for (int i = 1; i < Shape::kUnits; ++i) most = larger(most, largest(values_[i]));
    return most != kUnset;
  }

  POPSNN_DEVICE void poll(const RecurrentArguments& a) {
    Timeout timeout(a);
    while (!all(there() || timeout.expired())) {
#pragma unroll
      for (int i = 0; i < Shape::kUnits; ++i) {
        if (i < count_ && largest(values_[i]) == kUnset) request(i);
      }
    }
  }

  // Begins to copy those of the item `ahead` of the next to a slot, if it is one of those left.
  POPSNN_DEVICE void copy(int slot, int ahead) const {
#pragma unroll
    for (int i = 0; i < Shape::kUnits; ++i) {
      if (ahead < left_ && i < count_) copy_async(copy_of(slot, i), of(i) + ahead * item_);
    }
    commit_copies();
  }

  POPSNN_DEVICE unsigned copy_of(int slot, int i) const {
    return copies_ +
           512u * static_cast<unsigned>(slot * (Shape::kProductWarps * Shape::kUnits) + i);
  }

  POPSNN_DEVICE const Words4* of(int i) const {
    return at_ + i * (2 * Shape::kProductWarps * Shape::kUnitWords4);
  }

  int item_;
  const Words4* at_;
  int count_;
  int left_;  // items whose messages are copied
  unsigned copies_;
  int slot_ = 0;
  Words4 values_[Shape::kUnits] = {};
};

}  // namespace popsnn
