// Backward pass of one time step of a layer's neurons on one tile.
//
//   dL/d(state[t]) = Model::grad(dL/d(state[t+1]), dL/d(spikes[t])),  dL/d(current) = its first row
//
// Spikes and the active set follow from the states and the window. Time step -1 carries the
// gradient to the initial state: its window is empty, so that no neuron has fired there. Workers
// take samples in turn. NeuronStepGradAhead keeps dL/d(current) of all time steps.
#pragma once
#include <poplar/Vertex.hpp>

#include "common/inlined.hpp"
#include "common/spike_records.hpp"
#include "neuron_model.hpp"

#ifdef __IPU__
#include "pairs_ipu.hpp"
#endif

namespace popsnn {

// The backward pass of a worker's samples, whose dL/d(current) goes to `current_grad`: what both
// vertices share.
template <class Model, Surrogate kind, class Vertex>
class NeuronSamplesGrad {
 public:
  POPSNN_INLINED static bool step(Vertex& x, unsigned worker,
                                  float* current_grad) {  // [batch, neurons]
    for (unsigned b = worker; b < x.batch; b += Vertex::numWorkers()) {
      const unsigned* record = &x.window[b * kWindowSize];
      // Usually no neuron was dropped, and none has to be looked for in the window.
      if (record[kFiredSpan] == x.layer_size && record[kSubthresholdSpan] == x.layer_size) {
#ifdef __IPU__
        if (pairs_back(x, current_grad, b)) continue;
#endif
        sample_back(x, current_grad, b, [](unsigned, bool) { return true; });
      } else {
        const unsigned first = x.first_neuron, size = x.layer_size, begin = record[kBegin];
        const unsigned fired = record[kFiredSpan], subthreshold = record[kSubthresholdSpan];
        sample_back(x, current_grad, b, [=](unsigned i, bool fired_now) {
          return in_window(first + i, size, begin, fired_now ? fired : subthreshold);
        });
      }
    }
    return true;
  }

 private:
#ifdef __IPU__
  // True where a loop in assembly took the sample.
  POPSNN_INLINED static bool pairs_back(Vertex& x, float* current_grad, unsigned b) {
    using Loops = ipu::Pairs<Model>;
    if constexpr (Loops::grads(kind)) {
      if (x.neurons % 2 != 0 || x.neurons / 2 > ipu::kMostRepeats || x.learnt != 0) return false;
      alignas(8) const float scalars[6] = {
          x.surrogate_parameter, x.surrogate_parameter, x.gain, x.gain, 1.0f, 1.0f};
      Loops::grad(Reset(x.reset), x.detach_reset == 0, &x.parameters[0], x.neurons,
                  &x.states[(history_row(*x.row) * x.batch + b) * x.neurons],
                  &x.spike_grad[b * x.neurons], &x.state_grad[b * x.neurons],
                  current_grad + b * x.neurons, x.neurons / 2, scalars);
      return true;
    }
    return false;
  }
#endif

  template <class WasKept>
  static void sample_back(Vertex& x, float* current_grad, unsigned b, WasKept was_kept) {
    const NeuronOptions options = {Reset(x.reset), x.detach_reset == 0 ? 1.0f : 0.0f,
                                   x.surrogate_parameter};
    with_reset(options, [&](auto options_of) {
      if (x.learnt != 0)
        neurons_back<true>(x, current_grad, b,
                           &x.parameter_grad[0][b * Model::kLearnable * x.neurons], was_kept,
                           options_of);
      else
        neurons_back<false>(x, current_grad, b, nullptr, was_kept, options_of);
    });
  }

  template <bool learns, class WasKept, class OptionsOf>
  static void neurons_back(Vertex& x, float* current_grad, unsigned b,
                           float* __restrict__ dp,  // [kLearnable, neurons]
                           WasKept was_kept, OptionsOf options_of) {
    constexpr unsigned kRow = Model::kStates;
    const NeuronOptions options = options_of();
    const unsigned n = x.neurons;
    const NeuronRows<Model::kParameters> parameter_rows(&x.parameters[0], n);
    const NeuronRows<kRow> state(&x.states[(history_row(*x.row) * x.batch + b) * kRow * n], n);
    const float* const ds = &x.spike_grad[b * n];
    float* __restrict__ const d = &x.state_grad[b * kRow * n];
    const NeuronRows<kRow> state_grads(d, n);
    float* __restrict__ const di = current_grad + b * n;
    const float scale = x.gain;
#pragma GCC ivdep
    for (unsigned i = 0; i < n; ++i) {
      const auto p = parameter_rows[i];
      const auto now = state[i];
      const bool fired_now = Model::fires(p.value, now.value);
      const bool kept = was_kept(i, fired_now);
      const bool active = kept & (fired_now | Model::near(p.value, now.value));
      auto grad = state_grads[i];
      float parameter[Model::kLearnable > 0 ? Model::kLearnable : 1] = {};
      Model::template grad<kind>(options, p.value, now.value, fired_now & kept, active, ds[i],
                                 grad.value, parameter);
      for (unsigned k = 0; k < kRow; ++k) (d + k * n)[i] = grad.value[k];
      di[i] = scale * grad.value[0];
      if (learns)
        for (unsigned k = 0; k < Model::kLearnable; ++k) (dp + k * n)[i] += parameter[k];
    }
  }
};

template <class Model, unsigned surrogate>  // popsnn::Surrogate
class NeuronStepGrad : public poplar::MultiVertex {
  static constexpr auto ONE_PTR = poplar::VectorLayout::ONE_PTR;

 public:
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>>
      spike_grad;  // [batch, neurons] dL/ds at this time step
  poplar::Input<poplar::Vector<unsigned, ONE_PTR, 4>> window;  // [batch, 3] at this time step
  poplar::Input<int> row;  // of the states before this time step; -1 before the first
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>> states;  // [1 + rows, batch, kStates, neurons]
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>> parameters;  // [kParameters, neurons]
  poplar::InOut<poplar::Vector<float, ONE_PTR, 8>>
      state_grad;  // [batch, kStates, neurons] of step + 1, of step
  poplar::Output<poplar::Vector<float, ONE_PTR, 8>>
      current_grad;  // [batch, neurons] dL/d(synaptic sum)
  // [1][batch, kLearnable, neurons], summed over the steps; else [1][1]
  poplar::Vector<poplar::InOut<poplar::Vector<float, ONE_PTR, 8>>> parameter_grad;
  const unsigned batch;
  const unsigned neurons;
  const unsigned learnt;  // 0 or 1: parameter_grad is summed
  const unsigned first_neuron;
  const unsigned layer_size;
  const unsigned reset;         // popsnn::Reset
  const unsigned detach_reset;  // 0 or 1
  const float surrogate_parameter;
  const float gain;

  bool compute(unsigned worker) {
    return NeuronSamplesGrad<Model, Surrogate(surrogate), NeuronStepGrad>::step(*this, worker,
                                                                                &current_grad[0]);
  }
};

template <class Model, unsigned surrogate>  // popsnn::Surrogate
class NeuronStepGradAhead : public poplar::MultiVertex {
  static constexpr auto ONE_PTR = poplar::VectorLayout::ONE_PTR;

 public:
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>>
      spike_grad;  // [batch, neurons] dL/ds at this time step
  poplar::Input<poplar::Vector<unsigned, ONE_PTR, 4>> window;  // [batch, 3] at this time step
  poplar::Input<int> row;  // of the states before this time step; -1 before the first
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>> states;  // [1 + rows, batch, kStates, neurons]
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>> parameters;  // [kParameters, neurons]
  poplar::InOut<poplar::Vector<float, ONE_PTR, 8>>
      state_grad;  // [batch, kStates, neurons] of step + 1, of step
  // [1 + rows + longest delay, batch, neurons] dL/d(synaptic sum) of every time step
  poplar::InOut<poplar::Vector<float, ONE_PTR, 8>> current_grad;
  // [1][batch, kLearnable, neurons], summed over the steps; else [1][1]
  poplar::Vector<poplar::InOut<poplar::Vector<float, ONE_PTR, 8>>> parameter_grad;
  const unsigned batch;
  const unsigned neurons;
  const unsigned learnt;  // 0 or 1: parameter_grad is summed
  const unsigned first_neuron;
  const unsigned layer_size;
  const unsigned reset;         // popsnn::Reset
  const unsigned detach_reset;  // 0 or 1
  const float surrogate_parameter;
  const float gain;

  bool compute(unsigned worker) {
    const unsigned first = history_row(*row) * batch;
    return NeuronSamplesGrad<Model, Surrogate(surrogate), NeuronStepGradAhead>::step(
        *this, worker, &current_grad[first * neurons]);
  }
};

}  // namespace popsnn
