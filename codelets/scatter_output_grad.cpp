// scatter_output_grad: the loss's gradient of a layer's listed spikes at one step, slot by slot as
// the host sent it, becomes dense rows dL/ds. Samples are dealt to the workers in turn.
#include <poplar/Vertex.hpp>

#include "neuron.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class ScatterOutputGrad : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> output_grad;        // [samples, steps, slots]
  Input<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, steps, slots]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, steps, 2]
  Input<int> step;
  Output<Vector<float, ONE_PTR, 8>> spike_grad;  // [samples, size]
  const unsigned samples;
  const unsigned steps;
  const unsigned slots;
  const unsigned size;
  const int offset;  // the step spread is step + offset; before the first there is none

  bool compute(unsigned worker) {
    const int t = *step + offset;
    for (unsigned b = worker; b < samples; b += numWorkers()) {
      float* row = &spike_grad[b * size];
      for (unsigned i = 0; i < size; ++i) row[i] = 0.0f;
      if (t < 0) continue;
      const unsigned at = b * steps + unsigned(t);
      const unsigned listed = counts_history[at * kCountSize + kListed];
      for (unsigned k = 0; k < listed; ++k)
        row[ids_history[at * slots + k]] = output_grad[at * slots + k];
    }
    return true;
  }
};

template class ScatterOutputGrad<unsigned short>;
template class ScatterOutputGrad<unsigned>;

}  // namespace popsnn
