// Backward: from the gradients of spikes and membranes to those of W x, the bias, the parameters
// and the initial states. Who fired and who has a place is read, so that neurons are independent.
#pragma once

#include <popsnn/layer_neurons.cuh>

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

template <class Neuron, class Shape, class Spike, class Product, int kLanes, unsigned kTensors,
          bool kLearn>
struct LayerBackward {
  static constexpr int kRows = 4;  // asked for before as many are worked on

  struct Step {
    Row<float, kLanes> membrane;
    Row<float, kLanes> grad_membrane;
    Row<Spike, kLanes> grad_spikes;
    Raw<kLanes> marks;
  };

  const LayerArguments& a;
  const LayerPlace<kLanes> place;
  float parameter[kLanes][Neuron::kParameters];
  float state[kLanes][Neuron::kStates];  // after the step that is worked on
  unsigned listed;                       // bit j: of the same step
  float grad[kLanes][Neuron::kStates] = {};
  float grad_parameter[kLanes][Neuron::kParameters] = {};
  float grad_bias[kLanes] = {};

  POPSNN_DEVICE explicit LayerBackward(const LayerArguments& arguments)
      : a(arguments), place(arguments) {
    load_parameters<Neuron, kTensors>(a, place, parameter);
  }

  // Rows t, t - 1, ..., as far as there are.
  POPSNN_DEVICE void load_rows(int t, Step (&rows)[kRows]) const {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      if (t - r < 0) break;
      const long long at = place.at + (t - r) * place.stride;
      rows[r].membrane = *reinterpret_cast<const Row<float, kLanes>*>(a.membrane + at);
      if constexpr (Neuron::kSpiking) {
        rows[r].marks = *reinterpret_cast<const Raw<kLanes>*>(a.marks + at);
        if (a.grad_spikes != nullptr) {
          rows[r].grad_spikes = *reinterpret_cast<const Row<Spike, kLanes>*>(
              static_cast<const Spike*>(a.grad_spikes) + at);
        }
      }
      if (a.grad_membrane != nullptr) {
        rows[r].grad_membrane = *reinterpret_cast<const Row<float, kLanes>*>(a.grad_membrane + at);
      }
    }
  }

  POPSNN_DEVICE static unsigned mark_of(const Step& row, int j) {
    return row.marks.words[j / 4] >> 8 * (j % 4);
  }

  // The states after the step of a row.
  POPSNN_DEVICE static void states_of(const Step& row, float (&states)[kLanes][Neuron::kStates]) {
    float v[kLanes];
    unpack<float, kLanes>(row.membrane, v);
#pragma unroll
    for (int j = 0; j < kLanes; ++j) {
      states[j][Neuron::kMembrane] = v[j];
      if constexpr (Neuron::kSpiking) {
        states[j][Neuron::kStates - 1] = (mark_of(row, j) & kFiredMark) != 0 ? 1.0f : 0.0f;
      }
    }
  }

  POPSNN_DEVICE void add_gradients(const Step& row) {
    float lanes[kLanes];
    if constexpr (Neuron::kSpiking) {
      listed = 0;
#pragma unroll
      for (int j = 0; j < kLanes; ++j) {
        listed |= static_cast<unsigned>((mark_of(row, j) & kListedMark) != 0) << j;
      }
      if (a.grad_spikes != nullptr) {
        unpack<Spike, kLanes>(row.grad_spikes, lanes);
#pragma unroll
        for (int j = 0; j < kLanes; ++j) grad[j][Neuron::kStates - 1] += lanes[j];
      }
    }
    if (a.grad_membrane != nullptr) {
      unpack<float, kLanes>(row.grad_membrane, lanes);
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
    if (!place.in_row(a)) return;
    Step ahead[kRows] = {};
    load_rows(a.steps - 1, ahead);
    states_of(ahead[0], state);
    for (int t = a.steps - 1; t >= 0; t -= kRows) {
      Step rows[kRows];
#pragma unroll
      for (int r = 0; r < kRows; ++r) rows[r] = ahead[r];
      load_rows(t - kRows, ahead);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        if (t - r < 0) break;
        float before[kLanes][Neuron::kStates];
        if (t - r == 0) {
          load_initial<Neuron>(a, place, before);
        } else {
          states_of(r + 1 < kRows ? rows[r + 1 < kRows ? r + 1 : 0] : ahead[0], before);
        }
        add_gradients(rows[r]);
        step(t - r, before);
#pragma unroll
        for (int j = 0; j < kLanes; ++j) {
#pragma unroll
          for (int k = 0; k < Neuron::kStates; ++k) state[j][k] = before[j][k];
        }
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
      store_each(a, place, a.grad_initial[k], lanes);
    }
    store_each(a, place, a.grad_bias, grad_bias);
    if constexpr (kLearn) {
#pragma unroll
      for (int k = 0; k < Neuron::kParameters; ++k) {
#pragma unroll
        for (int j = 0; j < kLanes; ++j) lanes[j] = grad_parameter[j][k];
        store_each(a, place, a.grad_parameter[k], lanes);
      }
    }
  }
};

template <class Neuron, class Shape, class Spike, class Product, int kLanes, unsigned kTensors,
          bool kLearn>
POPSNN_DEVICE void layer_backward(const LayerArguments& a) {
  LayerBackward<Neuron, Shape, Spike, Product, kLanes, kTensors, kLearn>(a).run();
}

}  // namespace popsnn
