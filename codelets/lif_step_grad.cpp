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
    const bool through_reset = detach_reset == 0;
    for (unsigned b = worker; b < batch; b += numWorkers()) {
      const float* v = &membrane[(unsigned(*step) * batch + b) * neurons];
      const float* ds = &spike_grad[b * neurons];
      const unsigned* kept = &window[b * kWindowSize];
      const bool nobody_lost = kept[kFiredSpan] == layer_size && kept[kAboveSpan] == layer_size;
      float* dv = &membrane_grad[b * neurons];
      float* di = &current_grad[b * neurons];
      for (unsigned i = 0; i < neurons; ++i) {
        const float x = v[i] - threshold[i];
        const bool reached = v[i] >= threshold[i];
        const bool has_place =
            nobody_lost || in_window(first_neuron + i, layer_size, kept[kBegin],
                                     reached ? kept[kFiredSpan] : kept[kAboveSpan]);
        const bool listed = has_place && v[i] >= grad_threshold[i];
        const bool spiked = has_place && reached;
        const float carry = beta[i] * dv[i];
        float to_spike = ds[i];
        if (through_reset && reset_mode == Reset::Zero) to_spike -= carry * v[i];
        if (through_reset && reset_mode == Reset::Subtract) to_spike -= carry * threshold[i];
        float grad = reset_mode == Reset::Zero && spiked ? 0.0f : carry;
        if (listed) grad += surrogate_derivative<kind>(x, surrogate_parameter) * to_spike;
        dv[i] = grad;
        di[i] = gain * grad;
      }
    }
    return true;
  }
};

}  // namespace popsnn
