// Which neurons' spikes have a gradient at each time step, in any sample: the neurons that have
// fired or are above the gradient threshold.
//
// It is what the neuron's own backward step says, whatever the neuron: a gradient of 1 of the spike
// alone either has an effect on anything or not.
#pragma once

#include <popsnn/neurons/surrogates.cuh>
#include <popsnn/recurrent/gathered/gathered.cuh>

namespace popsnn {

constexpr int kActiveThreads = 256;

// A warp has 32 neurons of a time step.
template <class Neuron, class Gradient>
POPSNN_DEVICE void recurrent_active(const GatheredArguments& a) {
  const long long warp = block_index() * (kActiveThreads / 32) + thread_index() / 32;
  const int words = a.active_words();
  if (warp >= static_cast<long long>(a.steps) * words) return;
  const int t = static_cast<int>(warp / words);
  const int word = static_cast<int>(warp % words);
  const int neuron = word * 32 + thread_index() % 32;
  const bool there = neuron < a.neurons;
  float parameter[Neuron::kParameters];
#pragma unroll
  for (int i = 0; i < Neuron::kParameters; ++i) {
    parameter[i] = a.parameter[i] != nullptr && there ? a.parameter[i][neuron] : a.scalar[i];
  }
  const Gradient h{a.surrogate, a.grad_threshold};
  bool active = false;
  for (int sample = 0; sample < a.batch; ++sample) {
    if (!there) break;
    const long long at = static_cast<long long>(sample) * a.neurons + neuron;
    const long long now = t * a.row + at;
    float after[Neuron::kStates];
    float before[Neuron::kStates];
#pragma unroll
    for (int k = 0; k < Neuron::kSaved; ++k) {
      const float* states = saved<Neuron>(a, k);
      after[k] = states[now];
      before[k] = t > 0 ? states[now - a.row] : a.initial[k] != nullptr ? a.initial[k][at] : 0.0f;
    }
    Neuron::restore(after, parameter);
    Neuron::restore(before, parameter);
    constexpr int kSpike = Neuron::kStates - 1;
    if (t == 0) before[kSpike] = a.initial[kSpike] != nullptr ? a.initial[kSpike][at] : 0.0f;
    float d[Neuron::kStates] = {};
    float grad_parameter[Neuron::kParameters] = {};
    d[kSpike] = 1.0f;
    active = active || Neuron::adjoint(before, after, parameter, h, d, grad_parameter) != 0.0f;
#pragma unroll
    for (int k = 0; k < Neuron::kStates; ++k) active = active || d[k] != 0.0f;
#pragma unroll
    for (int i = 0; i < Neuron::kParameters; ++i) active = active || grad_parameter[i] != 0.0f;
  }
  const unsigned bits = ballot(active);
  if (thread_index() % 32 == 0) {
    reinterpret_cast<unsigned*>(a.active)[warp] = bits;
    atomic_add(a.counts + t, popcount(bits));
  }
}

}  // namespace popsnn
