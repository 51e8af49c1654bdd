// scatter_spike_grad: gradients of listed spikes, slot by slot, are added to dense rows dL/ds.
//
//   spike_grad[b, list[k]] += sum over sources of sums[b, k]  (+ the loss's own slot_grad[b, k])
//
// From a dense row each tile of the layer is sent its own neurons' values and nothing else. The ids
// of a list differ, so workers take stretches of it. Sums may come for as many slots as the longest
// of the step's lists takes.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class ScatterSpikeGrad : public MultiVertex {
 public:
  Vector<Input<Vector<float, ONE_PTR, 8>>> sums;       // [sources][samples, sum_slots]
  Vector<Input<Vector<float, ONE_PTR, 8>>> slot_grad;  // [0 or 1][samples, steps, slots]
  Input<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, 1 + steps, slots]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  Input<int> step;
  InOut<Vector<float, ONE_PTR, 8>> spike_grad;  // [samples, size]
  const unsigned samples;
  const unsigned steps;
  const unsigned slots;
  const unsigned sum_slots;
  const unsigned size;  // neurons of the layer that the lists tell of
  const int offset;     // the lists' step is step + offset; before step 0 nobody asks

  bool compute(unsigned worker) {
    const int t = *step + offset;
    if (t < 0) return true;
    for (unsigned b = 0; b < samples; ++b) {
      const unsigned at = b * (1 + steps) + history_row(t);
      const Id* const list = &ids_history[at * slots];
      float* const row = &spike_grad[b * size];
      const unsigned listed = counts_history[at * kCountSize + kListed];
      const unsigned begin = listed * worker / numWorkers();
      const unsigned end = listed * (worker + 1) / numWorkers();
      for (unsigned k = begin; k < end; ++k) {
        float sum = row[list[k]];
        for (unsigned source = 0; source < sums.size(); ++source)
          sum += sums[source][b * sum_slots + k];
        row[list[k]] = sum;
      }
      if (slot_grad.size() == 0) continue;
      const float* const values = &slot_grad[0][(b * steps + unsigned(t)) * slots];
      for (unsigned k = begin; k < end; ++k) row[list[k]] += values[k];
    }
    return true;
  }
};

template class ScatterSpikeGrad<unsigned short>;
template class ScatterSpikeGrad<unsigned>;

}  // namespace popsnn
