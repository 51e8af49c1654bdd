// sgd_update: updates parameters by their gradients, on the tile that has both.
//
//   g = gradient + weight_decay * p
//   m = mu * m + scale * g
//   p -= gradient_rate * g + momentum_rate * m
//
// as torch.optim.SGD, whose variants are settings that the host computes:
//
//   plain      mu 1, scale 0, gradient_rate lr, momentum_rate 0: as in torch, an earlier momentum
//              stays as it is
//   momentum   mu its factor, scale 1 - dampening, gradient_rate 0, momentum_rate lr; the first
//              gradient enters undampened, scale 1
//   Nesterov   as momentum, with gradient_rate lr, momentum_rate lr * mu
//
// Each worker updates a range of pairs; the last one also takes an odd element.
#include <poplar/Vertex.hpp>

#include "masters.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Weight>
class SgdUpdate : public MultiVertex {
 public:
  // [5] mu, scale, gradient rate, momentum rate, weight decay
  Input<Vector<float, ONE_PTR, 8>> settings;
  Input<Vector<float, ONE_PTR, 8>> gradient;     // [size]
  InOut<Vector<float, ONE_PTR, 8>> momentum;     // [size]
  InOut<Vector<Weight, ONE_PTR, 8>> parameter;   // [size]
  Vector<InOut<Vector<half, ONE_PTR, 8>>> rest;  // [1][size] of halves; of floats [1][1], not read
  const unsigned size;

  bool compute(unsigned worker) {
    const float mu = settings[0], scale = settings[1];
    const float gradient_rate = settings[2], momentum_rate = settings[3], decay = settings[4];
    const float* const grad = &gradient[0];
    float* const m = &momentum[0];
    for_masters(&parameter[0], rest, size, worker, numWorkers(),
                [=](unsigned begin, unsigned end, float* p) {  // p: of `begin`
                  for (unsigned i = begin; i < end; ++i) {
                    float& weight = p[i - begin];
                    const float g = grad[i] + decay * weight;
                    m[i] = mu * m[i] + scale * g;
                    weight -= gradient_rate * g + momentum_rate * m[i];
                  }
                });
    return true;
  }
};

template class SgdUpdate<float>;
template class SgdUpdate<half>;

}  // namespace popsnn
