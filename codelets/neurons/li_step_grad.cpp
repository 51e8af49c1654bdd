// li_step_grad: backward pass of one time step of a leaky readout's units on one tile.
//
//   dv[t] = dL/d(output[t]) + beta * dv[t+1]
//   dL/d(beta) += dv[t+1] * v[t]
//
// Time step -1 carries the gradient to the initial state. Workers take samples in turn.
// LiStepGradAhead keeps dL/d(current) of all time steps.
#include <poplar/Vertex.hpp>

#include "common/inlined.hpp"
#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

// The step of a worker's samples, whose dL/d(current) goes to `current_grad`.
template <class Vertex>
POPSNN_INLINED static inline bool li_samples_back(Vertex& x, unsigned worker,
                                                  float* current_grad) {  // [batch, neurons]
  const unsigned batch = x.batch, neurons = x.neurons;
  const int step = *x.first_step + *x.row;
  for (unsigned b = worker; b < batch; b += Vertex::numWorkers()) {
    float* const dv = &x.state_grad[b * neurons];
    if (x.learnt != 0) {
      const float* const v = &x.states[(history_row(step) * batch + b) * neurons];
      float* const beta_grad = &x.parameter_grad[0][b * neurons];
      for (unsigned i = 0; i < neurons; ++i) beta_grad[i] += dv[i] * v[i];
    }
    const float* const beta = &x.parameters[0];
    for (unsigned i = 0; i < neurons; ++i) dv[i] *= beta[i];
    if (step < 0) continue;
    const float* const out = &x.output_grad[(unsigned(step) * batch + b) * neurons];
    float* const di = current_grad + b * neurons;
    for (unsigned i = 0; i < neurons; ++i) {
      dv[i] += out[i];
      di[i] = x.gain * dv[i];
    }
  }
  return true;
}

class LiStepGrad : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> output_grad;    // [steps, batch, neurons]
  Input<int> row;                                  // of the states that the other layers store
  Input<int> first_step;                           // of those; a readout stores all time steps
  Input<Vector<float, ONE_PTR, 8>> states;         // [1 + steps, batch, neurons] membranes
  Input<Vector<float, ONE_PTR, 8>> parameters;     // [1, neurons] beta
  InOut<Vector<float, ONE_PTR, 8>> state_grad;     // [batch, neurons] dL/dv: of step + 1, of step
  Output<Vector<float, ONE_PTR, 8>> current_grad;  // [batch, neurons] gain * dL/dv
  // [1][batch, neurons], summed over the steps; else [1][1]
  Vector<InOut<Vector<float, ONE_PTR, 8>>> parameter_grad;
  const unsigned batch;
  const unsigned neurons;
  const unsigned learnt;  // 0 or 1: parameter_grad is summed
  const float gain;

  bool compute(unsigned worker) { return li_samples_back(*this, worker, &current_grad[0]); }
};

class LiStepGradAhead : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> output_grad;  // [steps, batch, neurons]
  Input<int> row;                                // of the states that the other layers store
  Input<int> first_step;                         // of those; a readout stores all time steps
  Input<Vector<float, ONE_PTR, 8>> states;       // [1 + steps, batch, neurons] membranes
  Input<Vector<float, ONE_PTR, 8>> parameters;   // [1, neurons] beta
  InOut<Vector<float, ONE_PTR, 8>> state_grad;   // [batch, neurons] dL/dv: of step + 1, of step
  // [1 + steps + longest delay, batch, neurons] gain * dL/dv
  InOut<Vector<float, ONE_PTR, 8>> current_grad;
  // [1][batch, neurons], summed over the steps; else [1][1]
  Vector<InOut<Vector<float, ONE_PTR, 8>>> parameter_grad;
  const unsigned batch;
  const unsigned neurons;
  const unsigned learnt;  // 0 or 1: parameter_grad is summed
  const float gain;

  bool compute(unsigned worker) {
    const unsigned first = history_row(*first_step + *row) * batch;
    return li_samples_back(*this, worker, &current_grad[first * neurons]);
  }
};

}  // namespace popsnn
