// Backward in clusters; resident/backward.cuh has the equations.
#pragma once

#include <popsnn/neurons/surrogates.cuh>
#include <popsnn/recurrent/cluster/capacity.cuh>
#include <popsnn/recurrent/cluster/delays.cuh>
#include <popsnn/recurrent/scale.cuh>

namespace popsnn {

// A layer without a capacity has no bytes of its active sets.
template <class Shape, bool kCapped>
class ClusterActive {
 public:
  POPSNN_DEVICE ClusterActive(const ClusterArguments&, const ClusterIndices<Shape>&, int) {}
};

template <class Shape>
class ClusterActive<Shape, true> : public ClusterFlags<Shape> {
 public:
  using ClusterFlags<Shape>::ClusterFlags;
};

// kMembranes: the membranes have a gradient too. kLearn: the parameters have a gradient. kCapped:
// with a capacity, so that bytes say which neurons fired and which have gradients.
template <class Shape, class Neuron, class Gradient, class T, bool kMembranes, bool kLearn,
          Delay kDelay, bool kCapped = false>
class ClusterBackward : GradientScale<Sixteen> {
 public:
  static constexpr int kStates = Neuron::kStates;
  static constexpr int kSpike = kStates - 1;
  static constexpr int kSaved = Neuron::kSaved;

  POPSNN_DEVICE ClusterBackward(const ClusterArguments& a, const ClusterIndices<Shape>& indices,
                                int cluster)
      : GradientScale<Sixteen>(a),
        a_(a),
        indices_(indices),
        h_{a.surrogate, a.grad_threshold},
        cluster_(cluster),
        delay_(a, indices),
        active_(a, indices, cluster),
        t_(a.steps - 1) {
    if constexpr (kCapped) active_.load(t_, flags_);
    load_next();
    for (int t = 1; t < kPrefetchedSteps; ++t) prefetch(t_ - t);
    indices.load_parameters(a, parameter_);
#pragma unroll
    for (int k = 0; k < kSaved; ++k) {
      indices.load(saved<Neuron>(a, k) + t_ * a.row).get(after_[k]);
    }
#pragma unroll
    for (int k = 0; k < kStates; ++k) {
      if (a.grad_final[k] != nullptr) indices.load(a.grad_final[k]).get(grad_[k]);
    }
  }

  POPSNN_DEVICE const float (&outcome() const)[2] {
    return kDelay == Delay::kDendritic ? delayed_ : grad_x_;
  }

  POPSNN_DEVICE void step(const float (&sums)[2]) {
    float sum[2] = {sums[0], sums[1]};
    if constexpr (kDelay == Delay::kAxonal) {
      delayed_[0] = sums[0];
      delayed_[1] = sums[1];
      delay_.next(sums, sum);
    }
    if constexpr (kDelay == Delay::kDendritic) next_sums_.get(undelayed_);
    float states_before[kStates][2] = {};
    float from_spikes[2];
#pragma unroll
    for (int k = 0; k < kSaved; ++k) next_before_[k].get(states_before[k]);
    next_spikes_.get(from_spikes);
    [[maybe_unused]] float from_membrane[2];
    if constexpr (kMembranes) next_membrane_.get(from_membrane);
    if (t_ == 0) before_first(states_before);
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const float (&p)[Neuron::kParameters] = parameter_[h];
      float after[kStates];
      float before[kStates];
      float d[kStates];
#pragma unroll
      for (int k = 0; k < kSaved; ++k) {
        after[k] = after_[k][h];
        before[k] = after_[k][h] = states_before[k][h];
      }
      if constexpr (kCapped) {
        after[kSpike] = (flags_[h] & kFiredFlag) != 0 ? 1.0f : 0.0f;
        before[kSpike] = (next_flags_[h] & kFiredFlag) != 0 ? 1.0f : 0.0f;
      } else {
        Neuron::restore(after, p);
        Neuron::restore(before, p);
      }
      if (t_ == 0) before[kSpike] = states_before[kSpike][h];
      if constexpr (kDelay == Delay::kAxonal) undelayed_[h] = after[kSpike];
#pragma unroll
      for (int k = 0; k < kStates; ++k) d[k] = grad_[k][h];
      d[kSpike] += scaled(from_spikes[h]) + sum[h];
      if constexpr (kMembranes) d[Neuron::kMembrane] += scaled(from_membrane[h]);
      // Gradients beyond the layer or the batch were read from another element.
#pragma unroll
      for (int k = 0; k < kStates; ++k) d[k] = indices_.there(h) ? d[k] : 0.0f;
      [[maybe_unused]] float unused[Neuron::kParameters] = {};
      float (&learnt)[Neuron::kParameters] = kLearn ? grad_parameter_[h] : unused;
      if constexpr (kCapped) {
        const GradientOfActive<Gradient> active{h_, (flags_[h] & kActiveFlag) != 0};
        grad_x_[h] = Neuron::adjoint(before, after, p, active, d, learnt);
        flags_[h] = next_flags_[h];
      } else {
        grad_x_[h] = Neuron::adjoint(before, after, p, h_, d, learnt);
      }
#pragma unroll
      for (int k = 0; k < kStates; ++k) grad_[k][h] = d[k];
    }
    if constexpr (kDelay == Delay::kDendritic) delay_.next(grad_x_, delayed_);
  }

  POPSNN_DEVICE void store() {
    const long long row = t_ * a_.row;
    --t_;
    if (t_ >= 0) load_next();
    prefetch(t_ + 1 - kPrefetchedSteps);
    float out[2];
    indices_.store(static_cast<SpikeRow<T>*>(a_.grad_x) + row, unscaled(grad_x_, out));
    if (a_.grad_x16 != nullptr) indices_.store(static_cast<Sixteen*>(a_.grad_x16) + row, outcome());
    if constexpr (kDelay != Delay::kNone) {
      delay_.push(kDelay == Delay::kAxonal ? delayed_ : grad_x_);
      if (delays_of(a_).grad_steps != nullptr) delay_.learn(undelayed_, grad_delay_);
    }
  }

  POPSNN_DEVICE void finish() {
    if constexpr (kDelay != Delay::kNone) finish_delays();
#pragma unroll
    for (int k = 0; k < kStates; ++k) {
      if (a_.grad_initial[k] != nullptr) indices_.store(a_.grad_initial[k], grad_[k]);
    }
    if constexpr (kLearn) {
#pragma unroll
      for (int i = 0; i < Neuron::kParameters; ++i) {
        if (a_.grad_parameter[i] == nullptr) continue;
        const float of[2] = {grad_parameter_[0][i], grad_parameter_[1][i]};
        const long long row = static_cast<long long>(cluster_) * Neuron::kParameters;
        indices_.store_sums(a_.grad_parameter[i] + row * a_.neurons, a_.neurons, of);
      }
    }
  }

 private:
  // Before step 0 there was no gradient. That of the last message before it is not here yet.
  POPSNN_DEVICE void finish_delays() {
    const RecurrentDelays& delays = delays_of(a_);
    const float zeros[2] = {};
    for (int row = delays.rows - 1; delays.history != nullptr && row >= 0; --row) {
      delay_.push(zeros);
      indices_.load(delays.history + row * a_.row).get(undelayed_);
      delay_.last(delayed_);
      if (delays.grad_history != nullptr) {
        indices_.store(delays.grad_history + row * a_.row, delayed_);
      }
      delay_.learn(undelayed_, grad_delay_);
    }
    if (delays.grad_steps == nullptr) return;
    indices_.store_sums(delays.grad_steps + static_cast<long long>(cluster_) * a_.neurons,
                        a_.neurons, grad_delay_);
  }

  // The states before the step, the gradients of its outputs. Before step 0 any states will do.
  POPSNN_DEVICE void load_next() {
    const long long row = t_ * a_.row;
#pragma unroll
    for (int k = 0; k < kSaved; ++k) {
      next_before_[k] = indices_.load(saved<Neuron>(a_, k) + (t_ > 0 ? row - a_.row : 0));
    }
    if constexpr (kCapped) {
      if (t_ > 0) active_.load(static_cast<int>(t_) - 1, next_flags_);
    }
    next_spikes_ = indices_.load(static_cast<const SpikeRow<T>*>(a_.grad_spikes) + row);
    if constexpr (kMembranes) {
      next_membrane_ = indices_.load(static_cast<const T*>(a_.grad_membrane) + row);
    }
    if constexpr (kDelay == Delay::kDendritic) {
      const float* sums = delays_of(a_).sums;
      if (sums != nullptr) next_sums_ = indices_.load(sums + row);
    }
  }

  POPSNN_DEVICE void prefetch(long long t) const {
    if (t < 0) return;
    const long long row = t * a_.row;
#pragma unroll
    for (int k = 0; k < kSaved; ++k) {
      if (t > 0) indices_.prefetch(saved<Neuron>(a_, k) + row - a_.row);
    }
    if constexpr (kCapped) active_.prefetch(static_cast<int>(t) - 1);
    indices_.prefetch(static_cast<const SpikeRow<T>*>(a_.grad_spikes) + row);
    if constexpr (kMembranes) indices_.prefetch(static_cast<const T*>(a_.grad_membrane) + row);
    if constexpr (kDelay == Delay::kDendritic) {
      if (delays_of(a_).sums != nullptr) indices_.prefetch(delays_of(a_).sums + row);
    }
  }

  POPSNN_DEVICE void before_first(float (&states)[kStates][2]) const {
#pragma unroll
    for (int k = 0; k < kStates; ++k) {
#pragma unroll
      for (int h = 0; h < 2; ++h) states[k][h] = 0.0f;
      if (a_.initial[k] != nullptr) indices_.load(a_.initial[k]).get(states[k]);
    }
  }

  const ClusterArguments& a_;
  const ClusterIndices<Shape>& indices_;
  Gradient h_;
  int cluster_;
  float parameter_[2][Neuron::kParameters];
  float grad_parameter_[2][Neuron::kParameters] = {};
  float after_[kSaved][2];  // states
  float grad_[kStates][2] = {};
  float grad_x_[2];
  ClusterDelay<Shape, kDelay> delay_;
  const ClusterActive<Shape, kCapped> active_;
  [[maybe_unused]] unsigned flags_[2] = {};
  [[maybe_unused]] unsigned next_flags_[2] = {};  // of the step before
  [[maybe_unused]] float delayed_[2];         // sums before their delay, or gradients that are sent
  [[maybe_unused]] float undelayed_[2] = {};  // spikes or sums of the step
  [[maybe_unused]] float grad_delay_[2] = {};
  [[maybe_unused]] ClusterPair<float> next_sums_ = {};
  ClusterPair<float> next_before_[kSaved];
  ClusterPair<SpikeRow<T>> next_spikes_;
  [[maybe_unused]] ClusterPair<T> next_membrane_;
  long long t_;
};

// The last step has no messages.
template <int kBlocks, class Neuron, class Gradient, class T, bool kMembranes, bool kLearn,
          Delay kDelay = Delay::kNone, bool kCapped = false>
POPSNN_DEVICE void recurrent_cluster_backward(const ClusterArguments& a) {
  using Messages = ClusterGradients<kBlocks>;
  using Shape = typename Messages::Shape;
  run_cluster<Messages, true,
              ClusterBackward<Shape, Neuron, Gradient, T, kMembranes, kLearn, kDelay, kCapped>>(a,
                                                                                                1);
}

}  // namespace popsnn
