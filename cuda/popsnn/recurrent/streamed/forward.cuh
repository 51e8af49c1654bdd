// Forward of a streamed layer: x[t] and the spikes before it in, spikes and membrane out.
#pragma once

#include <popsnn/recurrent/streamed/capacity.cuh>
#include <popsnn/recurrent/streamed/delays.cuh>

namespace popsnn {

// kCapped: with a capacity.
template <class Shape, class Neuron, class T, int kNeurons, Delay kDelay = Delay::kNone,
          bool kCapped = false>
class StreamedForward {
 public:
  static constexpr int kVector = kNeurons;
  static constexpr int kStates = Neuron::kStates;
  static constexpr bool kLimited = kCapped;
  static constexpr bool kTaps = kDelay == Delay::kSynaptic;
  static constexpr Delay kLate = kTaps ? Delay::kNone : kDelay;  // which a thread has to do
  using Line = typename DelayedType<T, kLate>::Type;

  struct Inputs : StreamedDelayed<Line, kVector, kLate> {
    Row<T, kVector> x;
    Row<float, kVector> state[kStates];
  };

  POPSNN_DEVICE StreamedForward(const StreamedArguments& a, int first_sample)
      : a_(a), first_sample_(first_sample) {}

  // Of the messages of the step before; those of step 0 have a separate map. Of a tap, those of a
  // step's oldest first: there are as many steps before the first as taps.
  POPSNN_DEVICE int row(int step, int tap) const {
    const int before = kTaps ? step + tap : step > 0 ? step - 1 : 0;
    return before * a_.batch + first_sample_;
  }

  POPSNN_DEVICE void begin(int step, int neuron) {
    step_ = step;
    neuron_ = neuron;
#pragma unroll
    for (int j = 0; j < kVector; ++j) load_parameters(a_, neuron + j, parameter_[j]);
    if constexpr (kLate != Delay::kNone) delay_.begin(a_, neuron);
  }

  POPSNN_DEVICE void load(int sample, Inputs& in) const {
    const long long at = static_cast<long long>(sample) * a_.neurons + neuron_;
    in.x = load_row<T, kVector>(a_.x, step_ * a_.row + at);
#pragma unroll
    for (int k = 0; k < kStates; ++k) in.state[k] = load_row<float, kVector>(a_.state[k], at);
    if constexpr (kLate != Delay::kNone) delay_.load(a_, step_ * a_.row + at, in);
  }

  // Steps kVector neurons, which send `sent`.
  POPSNN_DEVICE void step(int sample, const Inputs& in, const float (&sum)[kVector],
                          float (&sent)[kVector]) const {
    const long long at = static_cast<long long>(sample) * a_.neurons + neuron_;
    const long long out = step_ * a_.row + at;
    float x[kVector];
    float states[kStates][kVector];
    if constexpr (kLate == Delay::kDendritic) {
      store_row<float, kVector>(delays_of(a_).line, out, sum);
    }
    unpack<T, kVector>(in.x, x);
    if constexpr (kLate != Delay::kNone) delay_.add_faults(x);
#pragma unroll
    for (int k = 0; k < kStates; ++k) unpack<float, kVector>(in.state[k], states[k]);
    [[maybe_unused]] unsigned flags = 0;  // a byte a neuron
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      float state[kStates];
#pragma unroll
      for (int k = 0; k < kStates; ++k) state[k] = states[k][j];
      const float loops = kLate == Delay::kDendritic ? delay_.due(in, j, sum[j]) : sum[j];
      Neuron::step(state, parameter_[j], x[j] + loops);
      if constexpr (kCapped) {
        flags |= candidate_flags<Neuron>(state, parameter_[j], a_.grad_threshold) << 8 * j;
        if constexpr (kOwnSpike<Neuron>) {
          float without[kStates];
#pragma unroll
          for (int k = 0; k < kStates; ++k) without[k] = states[k][j];
          Neuron::step_with(without, parameter_[j], x[j] + loops, 0.0f);
#pragma unroll
          for (int k = 0; k < Neuron::kSaved && state[kStates - 1] != 0.0f; ++k) {
            capped(a_).without[k * a_.row + at + j] = without[k];
          }
        }
      }
#pragma unroll
      for (int k = 0; k < kStates; ++k) states[k][j] = state[k];
    }
    if constexpr (kCapped) store_candidates<kVector>(a_, step_, sample, neuron_, flags);
    const float (&spikes)[kVector] = states[kStates - 1];
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      sent[j] = kLate == Delay::kAxonal ? delay_.due(in, j, spikes[j]) : spikes[j];
    }
    publish_row<Shape::kPlanes, Shape::kPolled>(
        a_, step_ * a_.message_row + static_cast<long long>(sample) * a_.pitch + neuron_, sent);
    if (a_.spikes != a_.messages) store_row<SpikeRow<T>, kVector>(a_.spikes, out, spikes);
#pragma unroll
    for (int k = 0; k < Neuron::kSaved; ++k) {
      if (saved<Neuron>(a_, k) != nullptr) {
        store_row<float, kVector>(saved<Neuron>(a_, k), out, states[k]);
      }
    }
#pragma unroll
    for (int k = 0; k < kStates; ++k) store_row<float, kVector>(a_.state[k], at, states[k]);
  }

  POPSNN_DEVICE void end(int) const {}

  // Drops spikes beyond the capacity, behind a wait for all blocks.
  POPSNN_DEVICE void drop(const StreamedTeam<Shape>& team, int step, unsigned& rounds) const {
    limit_step<Shape, Neuron, T, kVector>(a_, team, step, rounds);
  }

 private:
  const StreamedArguments& a_;
  int first_sample_;  // of the group
  int step_ = 0;
  int neuron_ = 0;
  float parameter_[kVector][Neuron::kParameters];
  StreamedDelay<Line, kVector, 1, kLate> delay_;
};

// kColumns: the weights lie in memory as [from, to].
template <class Shape, class Neuron, class T, int kVector, bool kColumns,
          Delay kDelay = Delay::kNone, bool kCapped = false>
POPSNN_DEVICE void recurrent_streamed_forward(const StreamedMaps& maps,
                                              const StreamedArguments& a) {
  run_streamed<Shape, kColumns, StreamedForward<Shape, Neuron, T, kVector, kDelay, kCapped>>(maps,
                                                                                             a);
}

}  // namespace popsnn
