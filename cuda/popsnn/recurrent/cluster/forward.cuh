// Forward in clusters: x[t] and the spikes before it in, spikes and membrane of every step out.
#pragma once

#include <popsnn/recurrent/cluster/delays.cuh>

namespace popsnn {

template <class Shape, class Neuron, class T, Delay kDelay>
class ClusterForward {
 public:
  static constexpr int kStates = Neuron::kStates;
  static constexpr int kSpike = kStates - 1;

  POPSNN_DEVICE ClusterForward(const ClusterArguments& a, const ClusterIndices<Shape>& indices, int)
      : a_(a),
        indices_(indices),
        delay_(a, indices),
        next_(indices.load(static_cast<const T*>(a.x))) {
    for (int t = 1; t < kPrefetchedSteps; ++t) prefetch(t * a.row);
    indices.load_parameters(a, parameter_);
#pragma unroll
    for (int k = 0; k < kStates; ++k) {
      if (a.initial[k] != nullptr) indices.load(a.initial[k]).get(states_[k]);
    }
    if constexpr (kDelay != Delay::kNone) {
      const RecurrentDelays& delays = delays_of(a);
      for (int row = 0; delays.history != nullptr && row < delays.rows; ++row) {
        indices.load(delays.history + row * a.row).get(delayed_);
        delay_.push(delayed_);
      }
      delay_.last(delayed_);
    }
  }

  POPSNN_DEVICE const float (&outcome() const)[2] {
    return kDelay == Delay::kAxonal ? delayed_ : states_[kSpike];
  }

  POPSNN_DEVICE void step(const float (&sums)[2]) {
    float x[2];
    float sum[2] = {sums[0], sums[1]};
    next_.get(x);
    if constexpr (kDelay != Delay::kNone) delay_.add_faults(x);
    if constexpr (kDelay == Delay::kDendritic) {
      delayed_[0] = sums[0];
      delayed_[1] = sums[1];
      delay_.next(sums, sum);
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      float state[kStates];
#pragma unroll
      for (int k = 0; k < kStates; ++k) state[k] = states_[k][h];
      Neuron::step(state, parameter_[h], x[h] + sum[h]);
#pragma unroll
      for (int k = 0; k < kStates; ++k) states_[k][h] = state[k];
    }
    if constexpr (kDelay == Delay::kAxonal) delay_.next(states_[kSpike], delayed_);
  }

  POPSNN_DEVICE void store() {
    const long long row = row_;
    row_ += a_.row;
    if (row_ < a_.steps * a_.row) next_ = indices_.load(static_cast<const T*>(a_.x) + row_);
    prefetch(row + kPrefetchedSteps * a_.row);
    indices_.store(static_cast<SpikeRow<T>*>(a_.spikes) + row, states_[kSpike]);
#pragma unroll
    for (int k = 0; k < Neuron::kSaved; ++k) {
      float* states = saved<Neuron>(a_, k);
      if (states != nullptr) indices_.store(states + row, states_[k]);
    }
    if (a_.spikes16 != nullptr) indices_.store(static_cast<Sixteen*>(a_.spikes16) + row, outcome());
    if constexpr (kDelay == Delay::kAxonal) delay_.push(states_[kSpike]);
    if constexpr (kDelay == Delay::kDendritic) {
      delay_.push(delayed_);
      if (delays_of(a_).sums != nullptr) indices_.store(delays_of(a_).sums + row, delayed_);
    }
  }

  POPSNN_DEVICE void finish() const {
#pragma unroll
    for (int k = 0; k < kStates; ++k) {
      if (a_.final[k] != nullptr) indices_.store(a_.final[k], states_[k]);
    }
  }

 private:
  POPSNN_DEVICE void prefetch(long long row) const {
    if (row < a_.steps * a_.row) indices_.prefetch(static_cast<const T*>(a_.x) + row);
  }

  const ClusterArguments& a_;
  const ClusterIndices<Shape>& indices_;
  float parameter_[2][Neuron::kParameters];
  float states_[kStates][2] = {};
  ClusterDelay<Shape, kDelay> delay_;
  [[maybe_unused]] float delayed_[2];  // spikes that are sent, or sums before their delay
  ClusterPair<T> next_;                // x
  long long row_ = 0;                  // elements before the step
};

// Without initial spikes the first step has no messages.
template <int kBlocks, class Neuron, class T, Delay kDelay = Delay::kNone>
POPSNN_DEVICE void recurrent_cluster_forward(const ClusterArguments& a) {
  using Messages = ClusterSpikes<kBlocks>;
  run_cluster<Messages, false, ClusterForward<typename Messages::Shape, Neuron, T, kDelay>>(
      a, a.initial[Neuron::kStates - 1] != nullptr ? 0 : 1);
}

}  // namespace popsnn
