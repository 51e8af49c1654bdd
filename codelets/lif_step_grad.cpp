// lif_step_grad: one step back through a layer's neurons on one tile.
//
//   dv[t] = h(v[t] - threshold) * ds[t]  (listed neurons only)  +  beta * dv[t+1] * dr/dv
//
// with ds[t] from the spikes' readers and, unless the reset is detached, through the reset:
// beta * dv[t+1] * dr/ds. Spikes and list membership follow from the membrane and the window.
// Samples are dealt to the workers in turn.
#include <poplar/Vertex.hpp>

#include "neuron.hpp"
#include "surrogate.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

// What the neurons of a tile share in one step.
struct StepBack {
  float surrogate_parameter, gain;
  float after_spike;                // dr/dv of a neuron that fired: 0 for "zero", else 1
  float by_membrane, by_threshold;  // -dr/ds = by_membrane * v + by_threshold * threshold
};

// One sample's neurons, without a branch so that they go through in vectors.
template <Surrogate kind, class HasPlace>
inline void neurons_back(const StepBack& shared, HasPlace has_place, unsigned neurons,
                         const float* v,            // [neurons]
                         const float* ds,           // [neurons]
                         const float* theta,        // [neurons]
                         const float* theta_grad,   // [neurons]
                         const float* decay,        // [neurons]
                         float* __restrict__ dv,    // [neurons]
                         float* __restrict__ di) {  // [neurons]
  const StepBack k = shared;
  for (unsigned i = 0; i < neurons; ++i) {
    const bool reached = v[i] >= theta[i];
    const bool placed = has_place(i, reached);
    const float carry = decay[i] * dv[i];
    const float to_spike = ds[i] - carry * (k.by_membrane * v[i] + k.by_threshold * theta[i]);
    const float through_spike =
        surrogate_derivative<kind>(v[i] - theta[i], k.surrogate_parameter) * to_spike;
    const float through_reset = reached && placed ? k.after_spike * carry : carry;
    dv[i] = through_reset + (v[i] < theta_grad[i] || !placed ? 0.0f : through_spike);
    di[i] = k.gain * dv[i];
  }
}

class LifStepGrad : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> spike_grad;  // [batch, neurons] dL/ds at this step
  Input<Vector<unsigned, ONE_PTR, 4>> window;   // [batch, 3] at this step
  Input<int> step;
  Input<Vector<float, ONE_PTR, 8>> membrane;        // [steps, batch, neurons]
  Input<Vector<float, ONE_PTR, 8>> beta;            // [neurons]
  Input<Vector<float, ONE_PTR, 8>> threshold;       // [neurons]
  Input<Vector<float, ONE_PTR, 8>> grad_threshold;  // [neurons]
  InOut<Vector<float, ONE_PTR, 8>> membrane_grad;   // [batch, neurons] dL/dv: of step + 1, of step
  Output<Vector<float, ONE_PTR, 8>> current_grad;   // [batch, neurons] gain * dL/dv
  const unsigned batch;
  const unsigned neurons;
  const unsigned first_neuron;
  const unsigned layer_size;
  const unsigned reset;         // popsnn::Reset
  const unsigned detach_reset;  // 0 or 1
  const unsigned surrogate;     // popsnn::Surrogate
  const float surrogate_parameter;
  const float gain;

  bool compute(unsigned worker) {
    switch (Surrogate(surrogate)) {
      case Surrogate::SuperSpike:
        return step_back<Surrogate::SuperSpike>(worker);
      case Surrogate::Sigmoid:
        return step_back<Surrogate::Sigmoid>(worker);
      case Surrogate::ATan:
        return step_back<Surrogate::ATan>(worker);
      case Surrogate::Triangle:
        return step_back<Surrogate::Triangle>(worker);
      case Surrogate::Rectangle:
        return step_back<Surrogate::Rectangle>(worker);
    }
    return false;
  }

 private:
  template <Surrogate kind>
  bool step_back(unsigned worker) {
    const auto reset_mode = Reset(reset);
    const float attached = detach_reset == 0 ? 1.0f : 0.0f;
    const StepBack shared = {surrogate_parameter, gain, reset_mode == Reset::Zero ? 0.0f : 1.0f,
                             reset_mode == Reset::Zero ? attached : 0.0f,
                             reset_mode == Reset::Subtract ? attached : 0.0f};
    for (unsigned b = worker; b < batch; b += numWorkers()) {
      const unsigned* kept = &window[b * kWindowSize];
      // Usually nobody lost its place: then no neuron has to look for itself in the window.
      if (kept[kFiredSpan] == layer_size && kept[kAboveSpan] == layer_size) {
        sample_back<kind>(b, shared, [](unsigned, bool) { return true; });
      } else {
        sample_back<kind>(b, shared, [&](unsigned i, bool reached) {
          return in_window(first_neuron + i, layer_size, kept[kBegin],
                           reached ? kept[kFiredSpan] : kept[kAboveSpan]);
        });
      }
    }
    return true;
  }

  template <Surrogate kind, class HasPlace>
  void sample_back(unsigned b, const StepBack& shared, HasPlace has_place) {
    neurons_back<kind>(shared, has_place, neurons,
                       &membrane[(unsigned(*step) * batch + b) * neurons], &spike_grad[b * neurons],
                       &threshold[0], &grad_threshold[0], &beta[0], &membrane_grad[b * neurons],
                       &current_grad[b * neurons]);
  }
};

}  // namespace popsnn
