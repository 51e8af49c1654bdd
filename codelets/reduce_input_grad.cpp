// reduce_input_grad: the tiles' shares of the gradient of the network's input are summed for a
// range of samples and kept, slot by slot, in the history of the step that they belong to.
// Samples are dealt to the workers in turn.
#include <poplar/Vertex.hpp>

#include "neuron.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class ReduceInputGrad : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> partials;           // [tiles, samples, slots]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, steps, 2]
  Input<int> step;
  InOut<Vector<float, ONE_PTR, 8>> input_grad;  // [samples, steps, slots]
  const unsigned tiles;
  const unsigned samples;
  const unsigned slots;
  const unsigned steps;
  const int offset;  // the input's step is step + offset; before the first there is no input

  bool compute(unsigned worker) {
    const int t = *step + offset;
    if (t < 0) return true;
    for (unsigned b = worker; b < samples; b += numWorkers()) {
      const unsigned at = b * steps + unsigned(t);
      float* row = &input_grad[at * slots];
      const unsigned listed = counts_history[at * kCountSize + kListed];
      for (unsigned k = 0; k < listed; ++k) {
        float sum = 0.0f;
        for (unsigned tile = 0; tile < tiles; ++tile)
          sum += partials[(tile * samples + b) * slots + k];
        row[k] = sum;
      }
    }
    return true;
  }
};

}  // namespace popsnn
