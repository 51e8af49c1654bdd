// reduce_spike_grad: the tiles' shares of dL/ds are summed for a range of samples, slot by slot,
// and spread to a dense row, so that each tile of the layer below is sent its own neurons' values
// and nothing else. Samples are dealt to the workers in turn.
#include <poplar/Vertex.hpp>

#include "neuron.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class ReduceSpikeGrad : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> partials;           // [tiles, samples, slots]
  Input<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, steps, slots]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, steps, 2]
  Input<int> step;
  Output<Vector<float, ONE_PTR, 8>> spike_grad;  // [samples, size]
  const unsigned tiles;
  const unsigned samples;
  const unsigned slots;
  const unsigned steps;
  const unsigned size;  // neurons of the layer below
  const int offset;     // the lists' step is step + offset; before the first there is none

  bool compute(unsigned worker) {
    const int t = *step + offset;
    for (unsigned b = worker; b < samples; b += numWorkers()) {
      float* row = &spike_grad[b * size];
      for (unsigned i = 0; i < size; ++i) row[i] = 0.0f;
      if (t < 0) continue;
      const unsigned at = b * steps + unsigned(t);
      const Id* list = &ids_history[at * slots];
      const unsigned listed = counts_history[at * kCountSize + kListed];
      for (unsigned tile = 0; tile < tiles; ++tile) {
        const float* part = &partials[(tile * samples + b) * slots];
        for (unsigned k = 0; k < listed; ++k) row[list[k]] += part[k];
      }
    }
    return true;
  }
};

template class ReduceSpikeGrad<unsigned short>;
template class ReduceSpikeGrad<unsigned>;

}  // namespace popsnn
