// Backward pass of one time step of a layer's neurons on one tile.
//
//   dL/d(state[t]) = Model::grad(dL/d(state[t+1]), dL/d(spikes[t])),  dL/d(current) = its first row
//
// Spikes and the active set follow from the states and the window. Time step -1 carries the
// gradient to the initial state: its window is empty, so that no neuron has fired there. Workers
// take samples in turn.
#pragma once
#include <poplar/Vertex.hpp>

#include "ahead_model.hpp"
#include "common/inlined.hpp"
#include "common/spike_records.hpp"
#include "neuron_model.hpp"

#ifdef __IPU__
#include "pairs_ipu.hpp"
#endif

namespace popsnn {

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
  // [batch, neurons] dL/d(synaptic sum); of an AheadModel [1 + rows + most steps, batch, neurons]
  typename CurrentGrad<Model>::Field current_grad;
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
    for (unsigned b = worker; b < batch; b += numWorkers()) {
      const unsigned* record = &window[b * kWindowSize];
      // Usually no neuron was dropped, and none has to be looked for in the window.
      if (record[kFiredSpan] == layer_size && record[kSubthresholdSpan] == layer_size) {
#ifdef __IPU__
        if (pairs_back(b)) continue;
#endif
        sample_back(b, [](unsigned, bool) { return true; });
      } else {
        const unsigned first = first_neuron, size = layer_size, begin = record[kBegin];
        const unsigned fired = record[kFiredSpan], subthreshold = record[kSubthresholdSpan];
        sample_back(b, [=](unsigned i, bool fired_now) {
          return in_window(first + i, size, begin, fired_now ? fired : subthreshold);
        });
      }
    }
    return true;
  }

 private:
  static constexpr Surrogate kind = Surrogate(surrogate);

  // A sample's dL/d(synaptic sum): [neurons].
  POPSNN_INLINED float* grad_row(unsigned b) {
    const unsigned first = kAhead<Model> ? history_row(*row) * batch : 0;
    return &current_grad[(first + b) * neurons];
  }

#ifdef __IPU__
  // True where a loop in assembly took the sample.
  POPSNN_INLINED bool pairs_back(unsigned b) {
    using Loops = ipu::Pairs<Model>;
    if constexpr (Loops::grads(kind)) {
      if (neurons % 2 != 0 || neurons / 2 > ipu::kMostRepeats || learnt != 0) return false;
      alignas(8) const float scalars[6] = {
          surrogate_parameter, surrogate_parameter, gain, gain, 1.0f, 1.0f};
      Loops::grad(Reset(reset), detach_reset == 0, &parameters[0], neurons,
                  &states[(history_row(*row) * batch + b) * neurons], &spike_grad[b * neurons],
                  &state_grad[b * neurons], grad_row(b), neurons / 2, scalars);
      return true;
    }
    return false;
  }
#endif

  template <class WasKept>
  void sample_back(unsigned b, WasKept was_kept) {
    const NeuronOptions options = {Reset(reset), detach_reset == 0 ? 1.0f : 0.0f,
                                   surrogate_parameter};
    with_reset(options, [&](auto options_of) {
      if (learnt != 0)
        neurons_back<true>(b, &parameter_grad[0][b * Model::kLearnable * neurons], was_kept,
                           options_of);
      else
        neurons_back<false>(b, nullptr, was_kept, options_of);
    });
  }

  template <bool learns, class WasKept, class OptionsOf>
  void neurons_back(unsigned b,
                    float* __restrict__ dp,  // [kLearnable, neurons]
                    WasKept was_kept, OptionsOf options_of) {
    constexpr unsigned kRow = Model::kStates;
    const NeuronOptions options = options_of();
    const unsigned n = neurons;
    const NeuronRows<Model::kParameters> parameter_rows(&parameters[0], n);
    const NeuronRows<kRow> state(&states[(history_row(*row) * batch + b) * kRow * n], n);
    const float* const ds = &spike_grad[b * n];
    float* __restrict__ const d = &state_grad[b * kRow * n];
    const NeuronRows<kRow> state_grads(d, n);
    float* __restrict__ const di = grad_row(b);
    const float scale = gain;
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

}  // namespace popsnn
