// Messages of backward, as the operands of tensor cores that their readers need.
//
// A lane 4 g + c of a reader has column g of the operand, a sample, and of a unit of 32 neurons
// eight neighbours: 4 for each 16 of the operand's rows, as the order within a sum is free.
#pragma once

#include <popsnn/recurrent/resident/pair.cuh>

namespace popsnn {

// Gradients: Sixteen [unit, sample, 32 neurons]. Memory begins as all ones, a NaN that no rounding
// produces.
template <class Shape>
class GradientMessages {
 public:
  // Begins to poll those of item `item`; `unit` is the first of `count` of the warp.
  POPSNN_DEVICE GradientMessages(const RecurrentArguments& a, int item, int unit, int count)
      : item_(Shape::units(a.neurons) * Shape::kUnitWords4),
        at_(static_cast<const Words4*>(a.messages) + static_cast<long long>(item) * item_ +
            thread_index() % 32),
        count_(count) {
    const int last = Shape::units(a.neurons) - 1;
    at_ += (unit < last ? unit : last) * Shape::kUnitWords4;  // weights of what is not there are 0
    request();
  }

  // Waits for the messages of the next item.
  POPSNN_DEVICE void take(const RecurrentArguments& a) {
    Timeout timeout(a);
    while (!all(there() || timeout.expired())) {
#pragma unroll
      for (int i = 0; i < Shape::kUnits; ++i) {
        if (i < count_ && !there(values_[i])) request(i);
      }
    }
    at_ += item_;
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
  POPSNN_DEVICE void request(int i) {
    values_[i] = load_shared_by_all(at_ + i * (2 * Shape::kProductWarps * Shape::kUnitWords4));
  }

  class Publisher {
   public:
    POPSNN_DEVICE Publisher(const RecurrentArguments& a, int item, int block, int of)
        : item_(Shape::units(a.neurons) * (2 * Shape::kUnitWords4)) {
      int neuron = Shape::neuron(block, of);
      there_ = neuron < Shape::units(a.neurons) * Shape::kUnit;
      neuron = there_ ? neuron : 0;
      const int odd = thread_index() / 4 % 2;
      to_ = static_cast<Words2*>(a.messages) + static_cast<long long>(item) * item_ +
            neuron / Shape::kUnit * (2 * Shape::kUnitWords4) +
            (Shape::sample() + odd) * (Shape::kUnit / 4) + neuron % Shape::kUnit / 4;
      second_ = odd != 0;
    }

    // Advances by `next` items. Neighbouring lanes exchange a pair of neurons, so that each has
    // four neurons of a sample.
    POPSNN_DEVICE void publish(const float (&grad)[4], int next) {
      const unsigned own[2] = {pack(grad[0], grad[1], Sixteen{}),
                               pack(grad[2], grad[3], Sixteen{})};
      const unsigned other =
          float_to_bits(shuffle_xor(bits_to_float(second_ ? own[0] : own[1]), 4));
      const Words2 both = second_ ? Words2{{other, own[1]}} : Words2{{own[0], other}};
      if (there_) store_for_all(to_, both);
      to_ += item_ * next;
    }

   private:
    int item_;
    Words2* to_;
    bool there_;
    bool second_;
  };

 private:
  POPSNN_DEVICE static bool there(const Words4& x) {
    return larger(larger(x.word[0], x.word[1]), larger(x.word[2], x.word[3])) != 0xffffffffu;
  }

  POPSNN_DEVICE static unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }

  POPSNN_DEVICE bool there() const {
    bool complete = true;
#pragma unroll
    for (int i = 0; i < Shape::kUnits; ++i)
      complete = complete && (i >= count_ || there(values_[i]));
    return complete;
  }

  int item_;
  const Words4* at_;
  int count_;
  Words4 values_[Shape::kUnits] = {};
};

}  // namespace popsnn
