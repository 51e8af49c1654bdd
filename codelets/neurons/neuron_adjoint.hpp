// Backward pass of one time step of a layer's neurons with an adjoint (forward_model.hpp) on one
// tile.
//
//   dL/d(state[t-1]), dL/d(current[t]) = Neuron::adjoint(dL/d(state[t]))
//
// dL/d(spikes[t]) has two sources: the readers of the spikes, and the neuron's own step t + 1. The
// spikes follow from the states and the windows. Workers take samples in turn.
#pragma once
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"
#include "forward_model.hpp"

namespace popsnn {

template <class Neuron, unsigned surrogate>  // popsnn::Surrogate
class NeuronAdjoint : public poplar::MultiVertex {
  static constexpr auto ONE_PTR = poplar::VectorLayout::ONE_PTR;

 public:
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>>
      spike_grad;  // [batch, neurons] dL/ds of the readers at this time step
  poplar::Input<poplar::Vector<unsigned, ONE_PTR, 4>> window;  // [batch, 3] at this time step
  poplar::Input<poplar::Vector<unsigned, ONE_PTR, 4>> window_before;  // [batch, 3] at step - 1
  poplar::Input<int> row;  // of the states before this time step; -1 after time step 0
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>> states;      // [1 + rows, batch, kRow, neurons]
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>> parameters;  // [kLearnable + 1, neurons]
  poplar::InOut<poplar::Vector<float, ONE_PTR, 8>>
      state_grad;  // [batch, kStates, neurons] after this step, before it; the last row is s
  poplar::Output<poplar::Vector<float, ONE_PTR, 8>>
      current_grad;  // [batch, neurons] dL/d(synaptic sum)
  // [1][batch, kLearnable, neurons], summed over the steps; else [1][1]
  poplar::Vector<poplar::InOut<poplar::Vector<float, ONE_PTR, 8>>> parameter_grad;
  const unsigned batch;
  const unsigned neurons;
  const unsigned learnt;  // 0 or 1: parameter_grad is summed
  const unsigned first_neuron;
  const unsigned layer_size;
  const float surrogate_parameter;
  const float gain;

  bool compute(unsigned worker) {
    if (*row < 0) return true;  // time step 0 left the gradient of the initial states
    for (unsigned b = worker; b < batch; b += numWorkers()) {
      const unsigned* const now = &window[b * kWindowSize];
      const unsigned* const before = &window_before[b * kWindowSize];
      // Usually no neuron was dropped, and none has to be looked for in the windows.
      if (now[kFiredSpan] == layer_size && now[kSubthresholdSpan] == layer_size &&
          before[kFiredSpan] == layer_size) {
        sample_back(b, [](unsigned, bool) { return true; }, [](unsigned) { return true; });
      } else {
        const unsigned first = first_neuron, size = layer_size, begin = now[kBegin];
        const unsigned fired = now[kFiredSpan], subthreshold = now[kSubthresholdSpan];
        const unsigned begin_before = before[kBegin], fired_before = before[kFiredSpan];
        sample_back(
            b,
            [=](unsigned i, bool fired_now) {
              return in_window(first + i, size, begin, fired_now ? fired : subthreshold);
            },
            [=](unsigned i) { return in_window(first + i, size, begin_before, fired_before); });
      }
    }
    return true;
  }

 private:
  using Model = ForwardModel<Neuron>;
  static constexpr unsigned kRow = Model::kStates;  // states in memory
  static constexpr unsigned kStates = kRow + 1;     // and the spike

  // The derivative of a spike where its neuron is in the active set, else 0.
  struct Derivative {
    float parameter;
    bool active;
    inline float operator()(float v, float threshold) const {
      return active ? surrogate_derivative<Surrogate(surrogate)>(v - threshold, parameter) : 0.0f;
    }
    // The same with a surrogate that the neuron's header brings.
    template <class Shape>
    inline float of(float v, float threshold) const {
      return active ? Shape::derivative(v - threshold, parameter) : 0.0f;
    }
  };

  template <class IsKept, class WasKept>
  void sample_back(unsigned b, IsKept is_kept, WasKept was_kept) {
    if (learnt != 0)
      neurons_back<true>(b, &parameter_grad[0][b * Model::kLearnable * neurons], is_kept, was_kept);
    else
      neurons_back<false>(b, nullptr, is_kept, was_kept);
  }

  template <bool learns, class IsKept, class WasKept>
  void neurons_back(unsigned b,
                    float* __restrict__ dp,  // [kLearnable, neurons]
                    IsKept is_kept, WasKept was_kept) {
    const unsigned n = neurons;
    const NeuronRows<Model::kParameters> parameter_rows(&parameters[0], n);
    const float* const after = &states[(history_row(*row) * batch + b) * kRow * n];
    const NeuronRows<kRow> states_after(after, n), states_before(after - batch * kRow * n, n);
    const float* const ds = &spike_grad[b * n];
    float* __restrict__ const d = &state_grad[b * kStates * n];
    const NeuronRows<kStates> state_grads(d, n);
    float* __restrict__ const di = &current_grad[b * n];
    const float scale = gain, shape = surrogate_parameter;
#pragma GCC ivdep
    for (unsigned i = 0; i < n; ++i) {
      const auto p = parameter_rows[i];
      float before[Neuron::kStates], state[Neuron::kStates], grad[Neuron::kStates];
      Model::restore(p.value, states_before[i].value, before);
      Model::restore(p.value, states_after[i].value, state);
      const bool fired = state[kRow] != 0.0f;
      const bool kept = is_kept(i, fired);
      const bool active = kept & (fired | Model::near(p.value, states_after[i].value));
      before[kRow] = was_kept(i) ? before[kRow] : 0.0f;
      state[kRow] = kept ? state[kRow] : 0.0f;
      const auto grads = state_grads[i];
      for (unsigned k = 0; k < kStates; ++k) grad[k] = grads.value[k];
      grad[kRow] += active ? ds[i] : 0.0f;
      float parameter[Model::kParameters] = {};
      const Derivative h = {shape, active};
      di[i] = scale * Neuron::adjoint(before, state, p.value, h, grad, parameter);
      for (unsigned k = 0; k < kStates; ++k) (d + k * n)[i] = grad[k];
      if (learns)
        for (unsigned k = 0; k < Model::kLearnable; ++k) (dp + k * n)[i] += parameter[k];
    }
  }
};

}  // namespace popsnn
