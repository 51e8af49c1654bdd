// scatter_spike_grad: adds the gradients of active neurons' spikes to dense rows dL/ds.
//
//   spike_grad[b, list[k]] += sum over sources of sums[b, k]  (+ value_grad[b, k], the loss's)
//
// Where nothing else adds to the rows it sets these entries, and a row keeps all others: a step
// back takes none of them. Each tile of the layer receives only its neurons' values of a dense row.
// The ids of a list differ, so that each worker takes a range of it. Sums have a row length of
// their own, the bucket size that the longest list of the time step takes.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class ScatterSpikeGrad : public MultiVertex {
 public:
  Vector<Input<Vector<float, ONE_PTR, 8>>> sums;  // [sources][samples, sum_capacity], or [1][1]
  Vector<Input<Vector<float, ONE_PTR, 8>>> value_grad;  // [1][samples, steps, padded_capacity]
  Input<Vector<Id, ONE_PTR, 4>> ids_history;            // [samples, 1 + steps, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;   // [samples, 1 + steps, 2]
  Input<int> step;
  InOut<Vector<float, ONE_PTR, 8>> spike_grad;  // [samples, size]
  const unsigned sources;
  const unsigned observed;  // 0 or 1: value_grad is added, else it is [1][1]
  const unsigned sets;      // 0 or 1: entries are set
  const unsigned samples;
  const unsigned steps;
  const unsigned padded_capacity;
  const unsigned sum_capacity;
  const unsigned size;  // neurons of the layer that the ids name
  const int offset;  // the lists' time step is step + offset; nothing is added before time step 0

  bool compute(unsigned worker) {
    const int t = *step + offset;
    if (t < 0) return true;
    for (unsigned b = 0; b < samples; ++b) {
      const unsigned at = b * (1 + steps) + history_row(t);
      const Id* const list = &ids_history[at * padded_capacity];
      float* const row = &spike_grad[b * size];
      const unsigned active = counts_history[at * kCountSize + kActive];
      const unsigned begin = worker_begin(active, worker, numWorkers());
      const unsigned end = worker_begin(active, worker + 1, numWorkers());
      for (unsigned k = begin; k < end; ++k) {
        float sum = sets != 0 ? 0.0f : row[list[k]];
        for (unsigned source = 0; source < sources; ++source)
          sum += sums[source][b * sum_capacity + k];
        row[list[k]] = sum;
      }
      if (observed == 0) continue;
      const float* const values = &value_grad[0][(b * steps + unsigned(t)) * padded_capacity];
      for (unsigned k = begin; k < end; ++k) row[list[k]] += values[k];
    }
    return true;
  }
};

template class ScatterSpikeGrad<unsigned short>;
template class ScatterSpikeGrad<unsigned>;

}  // namespace popsnn
