// li_step: one time step of a leaky readout's units on one tile, from its compacted input.
//
//   v[t] = beta * v[t-1] + gain * (bias + sum of the fired inputs' weight rows)
#include <poplar/Vertex.hpp>

#include "neuron.hpp"
#include "rows.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class LiStep : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;           // [batch, slots] active inputs
  Input<Vector<unsigned, ONE_PTR, 4>> counts;  // [batch, 2]
  Input<int> step;
  Input<Vector<float, ONE_PTR, 8>> weights;   // [inputs, neurons]
  Input<Vector<float, ONE_PTR, 8>> bias;      // [neurons]
  Input<Vector<float, ONE_PTR, 8>> beta;      // [neurons]
  InOut<Vector<float, ONE_PTR, 8>> membrane;  // [steps, batch, neurons]
  const unsigned batch;
  const unsigned slots;
  const unsigned neurons;
  const float gain;

  bool compute(unsigned worker) {
    for (unsigned b = worker; b < batch; b += numWorkers()) {
      float* v = &membrane[(unsigned(*step) * batch + b) * neurons];
      for (unsigned i = 0; i < neurons; ++i) v[i] = bias[i];
      gather_rows(&weights[0], neurons, &ids[b * slots], counts[b * kCountSize + kFired], v);
      const float* previous = v - batch * neurons;
      if (*step > 0) {
        for (unsigned i = 0; i < neurons; ++i) v[i] = gain * v[i] + beta[i] * previous[i];
      } else {
        for (unsigned i = 0; i < neurons; ++i) v[i] *= gain;
      }
    }
    return true;
  }
};

template class LiStep<unsigned short>;
template class LiStep<unsigned>;

}  // namespace popsnn
