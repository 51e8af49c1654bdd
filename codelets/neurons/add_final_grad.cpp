// add_final_grad: adds the gradients of the states after the last time step. Workers take samples
// in turn.
#include <poplar/Vertex.hpp>

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class AddFinalGrad : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> final_grad;    // [batch, states, neurons]
  InOut<Vector<float, ONE_PTR, 8>> state_grad;    // [batch, states, neurons]
  InOut<Vector<float, ONE_PTR, 8>> current_grad;  // [batch, neurons], of the first state
  const unsigned batch;
  const unsigned states;
  const unsigned neurons;
  const float gain;

  bool compute(unsigned worker) {
    const unsigned row = states * neurons;
    for (unsigned b = worker; b < batch; b += numWorkers()) {
      for (unsigned i = 0; i < row; ++i) state_grad[b * row + i] += final_grad[b * row + i];
      for (unsigned i = 0; i < neurons; ++i)
        current_grad[b * neurons + i] = gain * state_grad[b * row + i];
    }
    return true;
  }
};

}  // namespace popsnn
