// Backward of a streamed layer; resident/backward.cuh has the equations.
#pragma once

#include <popsnn/neurons/surrogates.cuh>
#include <popsnn/recurrent/scale.cuh>
#include <popsnn/recurrent/streamed/capacity.cuh>
#include <popsnn/recurrent/streamed/delays.cuh>

namespace popsnn {

// kMembranes: the membranes have a gradient too. kLearn: the parameters have a gradient. kCapped:
// with a capacity, so that bytes say which neurons fired and which have gradients.
template <class Shape, class Neuron, class Gradient, class T, int kNeurons, bool kMembranes,
          bool kLearn, Delay kDelay = Delay::kNone, bool kCapped = false>
class StreamedBackward : GradientScale<Sixteen> {
 public:
  static constexpr int kVector = kNeurons;
  static constexpr int kStates = Neuron::kStates;
  static constexpr bool kLimited = false;  // gradients of neurons do not depend on each other
  static constexpr bool kTaps = kDelay == Delay::kSynaptic;
  static constexpr Delay kLate = kTaps ? Delay::kNone : kDelay;  // which a thread has to do
  static constexpr int kSaved = Neuron::kSaved;
  static constexpr int kSpike = kStates - 1;

  struct Inputs : StreamedDelayed<float, kVector, kLate> {
    Row<float, kVector> after[kSaved];
    Row<float, kVector> before[kSaved];
    Row<float, kVector> spikes_before;  // before step 0
    Row<SpikeRow<T>, kVector> from_spikes;
    Row<T, kVector> from_membrane;
    Row<float, kVector> grad[kStates];
    unsigned flags;  // a byte a neuron
    unsigned flags_before;
  };

  POPSNN_DEVICE StreamedBackward(const StreamedArguments& a, int first_sample)
      : GradientScale<Sixteen>(a), a_(a), first_sample_(first_sample) {}

  // Of the messages of the step behind; of a tap, the farthest first.
  POPSNN_DEVICE int row(int step, int tap) const {
    int behind = a_.steps - step;
    if constexpr (kTaps) behind += taps_of(a_).taps - 1 - tap;
    return behind * a_.batch + first_sample_;
  }

  POPSNN_DEVICE void begin(int step, int neuron) {
    t_ = a_.steps - 1 - step;
    neuron_ = neuron;
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      load_parameters(a_, neuron + j, parameter_[j]);
#pragma unroll
      for (int i = 0; i < Neuron::kParameters; ++i) grad_parameter_[j][i] = 0.0f;
    }
    if constexpr (kLate != Delay::kNone) delay_.begin(a_, neuron);
  }

  POPSNN_DEVICE void load(int sample, Inputs& in) const {
    const long long at = static_cast<long long>(sample) * a_.neurons + neuron_;
    const long long now = t_ * a_.row + at;
#pragma unroll
    for (int k = 0; k < kSaved; ++k) {
      const float* states = saved<Neuron>(a_, k);
      in.after[k] = load_row<float, kVector>(states, now);
      in.before[k] =
          t_ > 0 ? load_row<float, kVector>(states, now - a_.row) : load_or_zero(a_.initial[k], at);
    }
    if constexpr (kCapped) {
      in.flags = load_flags<kVector>(a_, t_, sample, neuron_);
      if (t_ > 0) in.flags_before = load_flags<kVector>(a_, t_ - 1, sample, neuron_);
    }
    if (t_ == 0) in.spikes_before = load_or_zero(a_.initial[kSpike], at);
    in.from_spikes = load_row<SpikeRow<T>, kVector>(a_.grad_spikes, now);
    if constexpr (kMembranes) in.from_membrane = load_row<T, kVector>(a_.grad_membrane, now);
#pragma unroll
    for (int k = 0; k < kStates; ++k) in.grad[k] = load_row<float, kVector>(a_.state[k], at);
    if constexpr (kLate != Delay::kNone) delay_.load(a_, now, in);
  }

  // Steps kVector neurons, which send `grad_x`, at once or later.
  POPSNN_DEVICE void step(int sample, const Inputs& in, const float (&sum)[kVector],
                          float (&grad_x)[kVector]) {
    float states[kSaved][kVector];
    float states_before[kSaved][kVector];
    float s_before[kVector];
    float from_spikes[kVector];
    [[maybe_unused]] float from_membrane[kVector];
    float grad[kStates][kVector];
#pragma unroll
    for (int k = 0; k < kSaved; ++k) {
      unpack<float, kVector>(in.after[k], states[k]);
      unpack<float, kVector>(in.before[k], states_before[k]);
    }
    if (t_ == 0) unpack<float, kVector>(in.spikes_before, s_before);
    unpack<SpikeRow<T>, kVector>(in.from_spikes, from_spikes);
    if constexpr (kMembranes) unpack<T, kVector>(in.from_membrane, from_membrane);
#pragma unroll
    for (int k = 0; k < kStates; ++k) unpack<float, kVector>(in.grad[k], grad[k]);
    const Gradient h{a_.surrogate, a_.grad_threshold};
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      const float (&p)[Neuron::kParameters] = parameter_[j];
      float after[kStates];
      float before[kStates];
      float d[kStates];
#pragma unroll
      for (int k = 0; k < kSaved; ++k) {
        after[k] = states[k][j];
        before[k] = states_before[k][j];
      }
      if constexpr (kCapped) {
        after[kSpike] = (in.flags >> 8 * j & kFiredFlag) != 0 ? 1.0f : 0.0f;
        before[kSpike] = (in.flags_before >> 8 * j & kFiredFlag) != 0 ? 1.0f : 0.0f;
      } else {
        Neuron::restore(after, p);
        Neuron::restore(before, p);
      }
      if (t_ == 0) before[kSpike] = s_before[j];
#pragma unroll
      for (int k = 0; k < kStates; ++k) d[k] = grad[k][j];
      const float loops = kLate == Delay::kAxonal ? delay_.due(in, j, sum[j]) : sum[j];
      d[kSpike] += scaled(from_spikes[j]) + loops;
      if constexpr (kMembranes) d[Neuron::kMembrane] += scaled(from_membrane[j]);
      if constexpr (kCapped) {
        const GradientOfActive<Gradient> active{h, (in.flags >> 8 * j & kActiveFlag) != 0};
        grad_x[j] = Neuron::adjoint(before, after, p, active, d, grad_parameter_[j]);
      } else {
        grad_x[j] = Neuron::adjoint(before, after, p, h, d, grad_parameter_[j]);
      }
#pragma unroll
      for (int k = 0; k < kStates; ++k) grad[k][j] = d[k];
    }
    const long long at = static_cast<long long>(sample) * a_.neurons + neuron_;
    if constexpr (kLate == Delay::kAxonal) {
      store_row<float, kVector>(delays_of(a_).line, t_ * a_.row + at, sum);
    }
    if constexpr (kLate == Delay::kDendritic) {
      store_row<float, kVector>(delays_of(a_).line, t_ * a_.row + at, grad_x);
      float sent[kVector];
#pragma unroll
      for (int j = 0; j < kVector; ++j) sent[j] = delay_.due(in, j, grad_x[j]);
      publish_row<Shape::kPlanes, Shape::kPolled>(
          a_, t_ * a_.message_row + static_cast<long long>(sample) * a_.pitch + neuron_, sent);
    } else {
      publish_row<Shape::kPlanes, Shape::kPolled>(
          a_, t_ * a_.message_row + static_cast<long long>(sample) * a_.pitch + neuron_, grad_x);
    }
    if (a_.grad_x != a_.messages) {
      float out[kVector];
      store_row<SpikeRow<T>, kVector>(a_.grad_x, t_ * a_.row + at, unscaled(grad_x, out));
    }
#pragma unroll
    for (int k = 0; k < kStates; ++k) store_row<float, kVector>(a_.state[k], at, grad[k]);
  }

  // Adds the tile's gradients of parameters to the thread's row.
  POPSNN_DEVICE void end(int row) const {
    if constexpr (kLearn) {
#pragma unroll
      for (int i = 0; i < Neuron::kParameters; ++i) {
        if (a_.grad_parameter[i] == nullptr) continue;
        float* to = a_.grad_parameter[i] + static_cast<long long>(row) * a_.neurons + neuron_;
#pragma unroll
        for (int j = 0; j < kVector; ++j) to[j] += grad_parameter_[j][i];
      }
    }
  }

 private:
  POPSNN_DEVICE static Row<float, kVector> load_or_zero(const float* from, long long at) {
    const float zeros[kVector] = {};
    return from == nullptr ? pack_row<float, kVector>(zeros) : load_row<float, kVector>(from, at);
  }

  const StreamedArguments& a_;
  int first_sample_;  // of the group
  int t_ = 0;
  int neuron_ = 0;
  float parameter_[kVector][Neuron::kParameters];
  float grad_parameter_[kVector][Neuron::kParameters];
  StreamedDelay<float, kVector, -1, kLate> delay_;
};

// kColumns: the weights lie in memory as [from, to].
template <class Shape, class Neuron, class Gradient, class T, int kVector, bool kMembranes,
          bool kLearn, bool kColumns, Delay kDelay = Delay::kNone, bool kCapped = false>
POPSNN_DEVICE void recurrent_streamed_backward(const StreamedMaps& maps,
                                               const StreamedArguments& a) {
  run_streamed<
      Shape, !kColumns,
      StreamedBackward<Shape, Neuron, Gradient, T, kVector, kMembranes, kLearn, kDelay, kCapped>>(
      maps, a);
}

}  // namespace popsnn
