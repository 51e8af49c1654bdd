// Forward: x[t] and the spikes before it in, spikes and membrane of every step out.
#pragma once

#include <popsnn/recurrent/resident/delays.cuh>
#include <popsnn/recurrent/resident/sums.cuh>

namespace popsnn {

template <class Shape, class Publisher, class Neuron, class T, bool kEven,
          Delay kDelay = Delay::kNone>
class ForwardCells {
 public:
  static constexpr int kStates = Neuron::kStates;
  using Line = typename DelayedType<T, kDelay>::Type;

  POPSNN_DEVICE ForwardCells(const RecurrentArguments& a, int block, int tile, int set, int begin)
      : a_(a),
        now_(a, block, tile, set),
        ahead_(now_),
        publisher_(a, begin + set, block, tile),
        delay_(a, now_),
        tile_(tile) {
    now_.load_parameters(a, parameter_);
    do {
#pragma unroll
      for (int k = 0; k < kStates; ++k) {
        float state[4] = {};
        if (a.initial[k] != nullptr) now_.load(a.initial[k]).get(state);
        if constexpr (kDelay != Delay::kNone) {  // NaN stays in the membrane
#pragma unroll
          for (int j = 0; j < 4 && k == Neuron::kMembrane; ++j)
            state[j] += delays_of(a).fault(now_.neuron(j % 2));
        }
        store_shared(saved(k), state);
        if (k == kStates - 1 && begin == 0) {
          if constexpr (kDelay == Delay::kAxonal) now_.load(delays_of(a).first).get(state);
          publisher_.publish(state, now_.next());
        }
      }
    } while (!now_.advance());
    next_ = ahead_.load(static_cast<const T*>(a.x));
    if constexpr (kDelay != Delay::kNone) delay_.load(a, ahead_, 0);
  }

  POPSNN_DEVICE void prepare() {
#pragma unroll
    for (int k = 0; k < kStates; ++k) load_shared(saved(k), states_[k]);
  }

  POPSNN_DEVICE void step(const float (&sums)[4]) {
    float x[4];
    float due[4];
    next_.get(x);
    const float (&sum)[4] = delay_.template due<Delay::kDendritic>(sums, due);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      float state[kStates];
#pragma unroll
      for (int k = 0; k < kStates; ++k) state[k] = states_[k][j];
      Neuron::step(state, parameter_[j % 2], x[j] + sum[j]);
#pragma unroll
      for (int k = 0; k < kStates; ++k) states_[k][j] = state[k];
    }
    const float (&sent)[4] = delay_.template due<Delay::kAxonal>(states_[kStates - 1], due);
    const bool more =
        Shape::kInParts ? t_ < a_.steps - 1 : row_ < (a_.steps - 1) * a_.row;  // fewer instructions
    if (more) publisher_.publish(sent, now_.next());
    if constexpr (kDelay == Delay::kDendritic) now_.store(delay_.line(a_) + row_, sums);
  }

  // Begins to load the inputs of the next item.
  POPSNN_DEVICE void request() {
    if (ahead_.advance()) {
      ++t_;
      row_ahead_ += a_.row;
    }
    if (t_ < a_.steps) next_ = ahead_.load(static_cast<const T*>(a_.x) + row_ahead_);
    if constexpr (Shape::kAhead > 0) {
      if (t_ + Shape::kAhead < a_.steps) {
        ahead_.prefetch(static_cast<const T*>(a_.x) + row_ahead_ + Shape::kAhead * a_.row);
      }
    }
  }

  POPSNN_DEVICE void store_step() {
    const float (&spikes)[4] = states_[kStates - 1];
    float due[4];
    const float (&sent)[4] = delay_.template due<Delay::kAxonal>(spikes, due);
#pragma unroll
    for (int k = 0; k < kStates; ++k) store_shared(saved(k), states_[k]);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (now_.there(half) == 0) continue;
      now_.store(static_cast<SpikeRow<T>*>(a_.spikes) + row_, half, spikes);
#pragma unroll
      for (int k = 0; k < Neuron::kSaved; ++k) {
        float* states = popsnn::saved<Neuron>(a_, k);
        if (states != nullptr) now_.store(states + row_, half, states_[k]);
      }
      if (a_.spikes16 != nullptr) now_.store(static_cast<Sixteen*>(a_.spikes16) + row_, half, sent);
    }
    if constexpr (kDelay != Delay::kNone) {
      if (t_ < a_.steps) delay_.load(a_, ahead_, row_ahead_);
    }
    if (now_.advance()) row_ += a_.row;
  }

  POPSNN_DEVICE void finish() {
    do {
#pragma unroll
      for (int k = 0; k < kStates; ++k) {
        if (a_.final[k] == nullptr) continue;
        float state[4];
        load_shared(saved(k), state);
        now_.store(a_.final[k], state);
      }
    } while (!now_.advance());
  }

 private:
  POPSNN_DEVICE unsigned saved(int k) const {
    return shared_.state(kStates, k, now_.group(), tile_);
  }

  const RecurrentArguments& a_;
  const RecurrentShared<Shape> shared_;
  CellIndices<Shape, kEven> now_;
  CellIndices<Shape, kEven> ahead_;  // of `next_`
  Publisher publisher_;
  CellDelay<Line, 1, kDelay> delay_;
  int tile_;
  float parameter_[2][Neuron::kParameters];
  float states_[kStates][4];
  CellRows<T, kEven> next_;  // x
  int t_ = 0;                // of `next_`
  long long row_ = 0;        // elements before the step
  long long row_ahead_ = 0;
};

// Without initial spikes the first step has no messages, unless taps have some of earlier steps.
// The arguments are `RecurrentArguments` or `RecurrentParts`.
template <class Shape, class Neuron, class T, class W, bool kEven, Delay kDelay = Delay::kNone,
          class Arguments>
POPSNN_DEVICE void recurrent_forward(const Arguments& arguments) {
  const auto part = part_of_block(arguments);
  const RecurrentArguments& a = part.arguments;
  const bool messages = Shape::kTaps > 1 || a.initial[Neuron::kStates - 1] != nullptr;
  const int begin = messages ? 0 : Shape::groups(a.batch);
  using Publisher = typename SpikeMessages<Shape>::Publisher;
  run_recurrent<Shape, RecurrentProduct<Shape, W>,
                ForwardCells<Shape, Publisher, Neuron, T, kEven, kDelay>>(a, part.block, begin);
}

}  // namespace popsnn
