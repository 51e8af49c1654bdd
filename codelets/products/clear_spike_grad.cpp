// clear_spike_grad: zeroes the active neurons' values in the dense rows dL/ds after a time step has
// read them; the others are zero already. Each worker takes a range of a list.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class ClearSpikeGrad : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, 1 + steps, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  Input<int> step;                                     // of the lists; not before the first
  InOut<Vector<float, ONE_PTR, 8>> spike_grad;         // [samples, size]
  const unsigned samples;
  const unsigned steps;
  const unsigned padded_capacity;
  const unsigned size;

  bool compute(unsigned worker) {
    for (unsigned b = 0; b < samples; ++b) {
      const unsigned at = b * (1 + steps) + history_row(*step);
      const Id* const list = &ids_history[at * padded_capacity];
      float* const row = &spike_grad[b * size];
      const unsigned active = counts_history[at * kCountSize + kActive];
      const unsigned end = worker_begin(active, worker + 1, numWorkers());
      for (unsigned k = worker_begin(active, worker, numWorkers()); k < end; ++k)
        row[list[k]] = 0.0f;
    }
    return true;
  }
};

template class ClearSpikeGrad<unsigned short>;
template class ClearSpikeGrad<unsigned>;

}  // namespace popsnn
