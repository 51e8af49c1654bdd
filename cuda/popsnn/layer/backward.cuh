// Backward: from the gradients of spikes and membranes to those of W x, the bias, the parameters
// and the initial states. The active sets of forward are read, so that neurons are independent.
#pragma once

#include <popsnn/layer/neurons.cuh>

namespace popsnn {

// The derivative of a spike where its neuron is in the active set, else 0.
template <class Shape>
struct ActiveGradient {
  float parameter;
  bool active;

  POPSNN_DEVICE float operator()(float v, float threshold) const {
    return active ? Shape::derivative(v - threshold, parameter) : 0.0f;
  }
};

// Which outputs have a gradient.
enum class LayerFrom { none, spikes, membrane, both };

// kDepth: steps in flight, of which two are read at a time.
template <class Neuron, class Shape, class Spike, class Product, int kVector, int kDepth,
          unsigned kTensors, bool kLearn, LayerFrom kFrom>
struct LayerBackward {
  static constexpr bool kSpikes =
      Neuron::kSpiking && (kFrom == LayerFrom::spikes || kFrom == LayerFrom::both);
  static constexpr bool kMembrane = kFrom == LayerFrom::membrane || kFrom == LayerFrom::both;
  using Values = Row<float, kVector>;
  using SpikeValues = Row<Spike, kVector>;
  using Flags = Raw<kVector>;

  const LayerArguments& a;
  const LayerRange<kVector> range;
  StepRing<Neuron::kSaved * sizeof(Values), kDepth> saved;  // the membrane, then the others
  StepRing<sizeof(SpikeValues), kDepth> grad_spikes;
  StepRing<sizeof(Values), kDepth> grad_membranes;
  StepRing<sizeof(Flags), kDepth> flags;
  float parameter[kVector][Neuron::kParameters];
  float state[kVector][Neuron::kStates];  // after the step that is worked on
  unsigned active = 0;                    // bit j: of the same step
  float grad[kVector][Neuron::kStates] = {};
  float grad_parameter[kVector][Neuron::kParameters] = {};
  float grad_bias[kVector] = {};

  POPSNN_DEVICE LayerBackward(const LayerArguments& arguments, unsigned char* shared)
      : a(arguments),
        range(arguments),
        saved(shared, a.threads),
        grad_spikes(shared + kDepth * a.threads * Neuron::kSaved * sizeof(Values), a.threads),
        grad_membranes(shared + kDepth * a.threads * (Neuron::kSaved + 1) * sizeof(Values),
                       a.threads),
        flags(shared + kDepth * a.threads * (Neuron::kSaved + 1 + kMembrane) * sizeof(Values),
              a.threads) {
    load_parameters<Neuron, kTensors>(a, range, parameter);
#pragma unroll
    for (int k = 0; k < Neuron::kSaved - 1; ++k) {
      const float* from = a.grad_final[other_state<Neuron>(k)];
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
        const bool there = from != nullptr && j < range.count;
        grad[j][other_state<Neuron>(k)] = there ? from[range.at + j] : 0.0f;
      }
    }
  }

  // Requests the saved tensors of step t, if there is such a step.
  POPSNN_DEVICE void request(int t) {
    if (t >= 0) {
      const long long at = range.at + t * range.stride;
      saved.template request_tensor<sizeof(Values)>(0, a.membrane + at);
#pragma unroll
      for (int k = 0; k < Neuron::kSaved - 1; ++k) {
        const float* from = a.others + t * a.others_step + k * range.stride + range.at;
        saved.template request_tensor<sizeof(Values)>(1 + k, from);
      }
      if constexpr (Neuron::kSpiking) flags.request(a.flags + at);
      if constexpr (kSpikes) grad_spikes.request(static_cast<const Spike*>(a.grad_spikes) + at);
      if constexpr (kMembrane) grad_membranes.request(a.grad_membrane + range.at + t * a.grad_step);
    }
    saved.requested();
    flags.requested();
    grad_spikes.requested();
    grad_membranes.requested();
    commit_copies();
  }

  // The states after the oldest step that was requested, and its active set, a bit a neuron.
  POPSNN_DEVICE unsigned states_after(float (&states)[kVector][Neuron::kStates]) {
    float values[Neuron::kSaved][kVector];
#pragma unroll
    for (int k = 0; k < Neuron::kSaved; ++k) {
      unpack<float, kVector>(saved.template oldest_tensor<sizeof(Values)>(k), values[k]);
    }
    unsigned bits = 0;
    Flags step_flags{};
    if constexpr (Neuron::kSpiking) step_flags = flags.oldest();
    saved.pass();
    flags.pass();
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      states[j][Neuron::kMembrane] = values[0][j];
#pragma unroll
      for (int k = 0; k < Neuron::kSaved - 1; ++k) {
        states[j][other_state<Neuron>(k)] = values[1 + k][j];
      }
      if constexpr (Neuron::kSpiking) {
        const unsigned flag = step_flags.words[j / 4] >> 8 * (j % 4);
        states[j][Neuron::kStates - 1] = (flag & kFiredFlag) != 0 ? 1.0f : 0.0f;
        bits |= static_cast<unsigned>((flag & kActiveFlag) != 0) << j;
      }
    }
    return bits;
  }

  POPSNN_DEVICE void add_gradients() {
    float values[kVector];
    if constexpr (kSpikes) {
      unpack<Spike, kVector>(grad_spikes.oldest(), values);
      grad_spikes.pass();
#pragma unroll
      for (int j = 0; j < kVector; ++j) grad[j][Neuron::kStates - 1] += values[j];
    }
    if constexpr (kMembrane) {
      unpack<float, kVector>(grad_membranes.oldest(), values);
      grad_membranes.pass();
#pragma unroll
      for (int j = 0; j < kVector; ++j) grad[j][Neuron::kMembrane] += values[j];
    }
  }

  POPSNN_DEVICE void step(int t, const float (&before)[kVector][Neuron::kStates]) {
    float values[kVector];
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      const ActiveGradient<Shape> h{a.surrogate, (active >> j & 1u) != 0};
      const float d_x =
          Neuron::adjoint(before[j], state[j], parameter[j], h, grad[j], grad_parameter[j]);
      values[j] = j < range.count ? a.gain * d_x : 0.0f;
      grad_bias[j] += values[j];
    }
    Product* to = static_cast<Product*>(a.grad_x) + range.at + t * range.stride;
    store<Product, kVector, true>(to, values, kVector);
  }

  POPSNN_DEVICE void run() {
    const int last = a.steps - 1;
#pragma unroll
    for (int t = 0; t < kDepth - 1; ++t) request(last - t);
    wait_for_copies<kDepth - 2>();
    active = states_after(state);
    for (int t = last; t >= 0; --t) {
      wait_for_copies<kDepth - 3>();
      float before[kVector][Neuron::kStates];
      unsigned active_before = 0;
      if (t > 0) {
        active_before = states_after(before);
      } else {
        load_initial<Neuron>(a, range, before);
      }
      add_gradients();
      request(t - kDepth + 1);
      step(t, before);
      active = active_before;
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
#pragma unroll
        for (int k = 0; k < Neuron::kStates; ++k) state[j][k] = before[j][k];
      }
    }
    store_sums();
  }

  POPSNN_DEVICE void store_sums() const {
    float values[kVector];
#pragma unroll
    for (int k = 0; k < Neuron::kStates; ++k) {
#pragma unroll
      for (int j = 0; j < kVector; ++j) values[j] = grad[j][k];
      store_each(range, a.grad_initial[k], a.initial_row, values);
    }
    store_each(range, a.grad_bias, a.neurons, grad_bias);
    if constexpr (kLearn) {
#pragma unroll
      for (int k = 0; k < Neuron::kParameters; ++k) {
#pragma unroll
        for (int j = 0; j < kVector; ++j) values[j] = grad_parameter[j][k];
        store_each(range, a.grad_parameter[k], a.neurons, values);
      }
    }
  }
};

template <class Neuron, class Shape, class Spike, class Product, int kVector, int kDepth,
          unsigned kTensors, bool kLearn, LayerFrom kFrom>
POPSNN_DEVICE void layer_backward(const LayerArguments& a) {
  using Backward =
      LayerBackward<Neuron, Shape, Spike, Product, kVector, kDepth, kTensors, kLearn, kFrom>;
  Backward backward(a, shared_memory());
  if (backward.range.first < a.padded) backward.run();
}

}  // namespace popsnn
