// Backward: from the gradients of spikes and membranes to those of W x, the bias, the parameters
// and the initial states. Who fired and who has a place is read, so that neurons are independent.
#pragma once

#include <popsnn/layer/neurons.cuh>

namespace popsnn {

// The derivative of a spike where its neuron has a place, else 0.
template <class Shape>
struct ListedGradient {
  float parameter;
  bool listed;

  POPSNN_DEVICE float operator()(float v, float threshold) const {
    return listed ? Shape::derivative(v - threshold, parameter) : 0.0f;
  }
};

// Which outputs have a gradient.
enum class LayerFrom { none, spikes, membrane, both };

// kDepth: steps that are asked for, of which two are read at a time.
template <class Neuron, class Shape, class Spike, class Product, int kLanes, int kDepth,
          unsigned kTensors, bool kLearn, LayerFrom kFrom>
struct LayerBackward {
  static constexpr bool kSpikes =
      Neuron::kSpiking && (kFrom == LayerFrom::spikes || kFrom == LayerFrom::both);
  static constexpr bool kMembrane = kFrom == LayerFrom::membrane || kFrom == LayerFrom::both;
  using Values = Row<float, kLanes>;
  using SpikeValues = Row<Spike, kLanes>;
  using Marks = Raw<kLanes>;

  const LayerArguments& a;
  const LayerPlace<kLanes> place;
  StepRing<sizeof(Values), kDepth> membranes;
  StepRing<sizeof(SpikeValues), kDepth> grad_spikes;
  StepRing<sizeof(Values), kDepth> grad_membranes;
  StepRing<sizeof(Marks), kDepth> marks;
  float parameter[kLanes][Neuron::kParameters];
  float state[kLanes][Neuron::kStates];  // after the step that is worked on
  unsigned listed = 0;                   // bit j: of the same step
  float grad[kLanes][Neuron::kStates] = {};
  float grad_parameter[kLanes][Neuron::kParameters] = {};
  float grad_bias[kLanes] = {};

  POPSNN_DEVICE LayerBackward(const LayerArguments& arguments, unsigned char* shared)
      : a(arguments),
        place(arguments),
        membranes(shared, a.threads),
        grad_spikes(shared + kDepth * a.threads * sizeof(Values), a.threads),
        grad_membranes(shared + kDepth * a.threads * 2 * sizeof(Values), a.threads),
        marks(shared + kDepth * a.threads * (2 + kMembrane) * sizeof(Values), a.threads) {
    load_parameters<Neuron, kTensors>(a, place, parameter);
  }

  // Asks for what step t left, if there is one.
  POPSNN_DEVICE void ask(int t) {
    if (t >= 0) {
      const long long at = place.at + t * place.stride;
      membranes.ask(a.membrane + at);
      if constexpr (Neuron::kSpiking) marks.ask(a.marks + at);
      if constexpr (kSpikes) grad_spikes.ask(static_cast<const Spike*>(a.grad_spikes) + at);
      if constexpr (kMembrane) grad_membranes.ask(a.grad_membrane + place.at + t * a.grad_step);
    }
    membranes.asked();
    marks.asked();
    grad_spikes.asked();
    grad_membranes.asked();
    commit_copies();
  }

  // The states after the oldest step that was asked for, and who had a place in its list, a bit
  // each.
  POPSNN_DEVICE unsigned states_after(float (&states)[kLanes][Neuron::kStates]) {
    float v[kLanes];
    unpack<float, kLanes>(membranes.oldest(), v);
    unsigned places = 0;
    Marks marked{};
    if constexpr (Neuron::kSpiking) marked = marks.oldest();
    membranes.pass();
    marks.pass();
#pragma unroll
    for (int j = 0; j < kLanes; ++j) {
      states[j][Neuron::kMembrane] = v[j];
      if constexpr (Neuron::kSpiking) {
        const unsigned mark = marked.words[j / 4] >> 8 * (j % 4);
        states[j][Neuron::kStates - 1] = (mark & kFiredMark) != 0 ? 1.0f : 0.0f;
        places |= static_cast<unsigned>((mark & kListedMark) != 0) << j;
      }
    }
    return places;
  }

  POPSNN_DEVICE void add_gradients() {
    float lanes[kLanes];
    if constexpr (kSpikes) {
      unpack<Spike, kLanes>(grad_spikes.oldest(), lanes);
      grad_spikes.pass();
#pragma unroll
      for (int j = 0; j < kLanes; ++j) grad[j][Neuron::kStates - 1] += lanes[j];
    }
    if constexpr (kMembrane) {
      unpack<float, kLanes>(grad_membranes.oldest(), lanes);
      grad_membranes.pass();
#pragma unroll
      for (int j = 0; j < kLanes; ++j) grad[j][Neuron::kMembrane] += lanes[j];
    }
  }

  POPSNN_DEVICE void step(int t, const float (&before)[kLanes][Neuron::kStates]) {
    float lanes[kLanes];
#pragma unroll
    for (int j = 0; j < kLanes; ++j) {
      const ListedGradient<Shape> h{a.surrogate, (listed >> j & 1u) != 0};
      const float d_x =
          Neuron::adjoint(before[j], state[j], parameter[j], h, grad[j], grad_parameter[j]);
      lanes[j] = j < place.count ? a.gain * d_x : 0.0f;
      grad_bias[j] += lanes[j];
    }
    Product* to = static_cast<Product*>(a.grad_x) + place.at + t * place.stride;
    store<Product, kLanes, true>(to, lanes, kLanes);
  }

  POPSNN_DEVICE void run() {
    const int last = a.steps - 1;
#pragma unroll
    for (int t = 0; t < kDepth - 1; ++t) ask(last - t);
    wait_for_copies<kDepth - 2>();
    listed = states_after(state);
    for (int t = last; t >= 0; --t) {
      wait_for_copies<kDepth - 3>();
      float before[kLanes][Neuron::kStates];
      unsigned listed_before = 0;
      if (t > 0) {
        listed_before = states_after(before);
      } else {
        load_initial<Neuron>(a, place, before);
      }
      add_gradients();
      ask(t - kDepth + 1);
      step(t, before);
      listed = listed_before;
#pragma unroll
      for (int j = 0; j < kLanes; ++j) {
#pragma unroll
        for (int k = 0; k < Neuron::kStates; ++k) state[j][k] = before[j][k];
      }
    }
    store_sums();
  }

  POPSNN_DEVICE void store_sums() const {
    float lanes[kLanes];
#pragma unroll
    for (int k = 0; k < Neuron::kStates; ++k) {
#pragma unroll
      for (int j = 0; j < kLanes; ++j) lanes[j] = grad[j][k];
      store_each(place, a.grad_initial[k], a.initial_row, lanes);
    }
    store_each(place, a.grad_bias, a.neurons, grad_bias);
    if constexpr (kLearn) {
#pragma unroll
      for (int k = 0; k < Neuron::kParameters; ++k) {
#pragma unroll
        for (int j = 0; j < kLanes; ++j) lanes[j] = grad_parameter[j][k];
        store_each(place, a.grad_parameter[k], a.neurons, lanes);
      }
    }
  }
};

template <class Neuron, class Shape, class Spike, class Product, int kLanes, int kDepth,
          unsigned kTensors, bool kLearn, LayerFrom kFrom>
POPSNN_DEVICE void layer_backward(const LayerArguments& a) {
  using Backward =
      LayerBackward<Neuron, Shape, Spike, Product, kLanes, kDepth, kTensors, kLearn, kFrom>;
  Backward backward(a, shared_memory());
  if (backward.place.first < a.padded) backward.run();
}

}  // namespace popsnn
