// li_step_grad: one step back through a leaky readout's units on one tile.
//
//   dv[t] = dL/d(output[t]) + beta * dv[t+1]
#include <poplar/Vertex.hpp>

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class LiStepGrad : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> output_grad;  // [steps, batch, neurons]
  Input<int> step;
  Input<Vector<float, ONE_PTR, 8>> beta;           // [neurons]
  InOut<Vector<float, ONE_PTR, 8>> membrane_grad;  // [batch, neurons] dL/dv: of step + 1, of step
  Output<Vector<float, ONE_PTR, 8>> current_grad;  // [batch, neurons] gain * dL/dv
  const unsigned batch;
  const unsigned neurons;
  const float gain;

  bool compute(unsigned worker) {
    for (unsigned b = worker; b < batch; b += numWorkers()) {
      const float* out = &output_grad[(unsigned(*step) * batch + b) * neurons];
      float* dv = &membrane_grad[b * neurons];
      float* di = &current_grad[b * neurons];
      for (unsigned i = 0; i < neurons; ++i) {
        dv[i] = out[i] + beta[i] * dv[i];
        di[i] = gain * dv[i];
      }
    }
    return true;
  }
};

}  // namespace popsnn
