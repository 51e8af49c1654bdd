// sgd_update: parameters follow their gradient, on the tile that holds both.
//
//   g = gradient + weight_decay * p;  m = momentum * m + g;  p -= learning_rate * m
//
// as torch.optim.SGD without dampening or Nesterov's step. Workers take ranges.
#include <poplar/Vertex.hpp>

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class SgdUpdate : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> settings;   // [3] learning rate, momentum, weight decay
  Input<Vector<float, ONE_PTR, 8>> gradient;   // [size]
  InOut<Vector<float, ONE_PTR, 8>> momentum;   // [size]
  InOut<Vector<float, ONE_PTR, 8>> parameter;  // [size]
  const unsigned size;

  bool compute(unsigned worker) {
    const float learning_rate = settings[0], keep = settings[1], decay = settings[2];
    const unsigned end = size * (worker + 1) / numWorkers();
    for (unsigned i = size * worker / numWorkers(); i < end; ++i) {
      momentum[i] = keep * momentum[i] + gradient[i] + decay * parameter[i];
      parameter[i] -= learning_rate * momentum[i];
    }
    return true;
  }
};

}  // namespace popsnn
