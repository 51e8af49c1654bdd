// export_spikes: copies a network's history to compacted spikes as programs read them: 32-bit ids,
// zero past the active neurons, and values that are 1 where a neuron fired. Workers take lists in
// turn.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class ExportSpikes : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, 1 + steps, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  Output<Vector<int, ONE_PTR, 4>> ids;                 // [samples, steps, capacity]
  Output<Vector<float, ONE_PTR, 4>> values;            // [samples, steps, capacity]
  const unsigned samples;
  const unsigned steps;
  const unsigned capacity;
  const unsigned padded_capacity;  // row length of the history

  bool compute(unsigned worker) {
    for (unsigned b = 0; b < samples; ++b)
      for (unsigned t = worker; t < steps; t += numWorkers()) {
        const unsigned from = b * (1 + steps) + history_row(int(t)),
                       to = (b * steps + t) * capacity;
        const unsigned fired = counts_history[from * kCountSize + kFired];
        const unsigned active = counts_history[from * kCountSize + kActive];
        for (unsigned k = 0; k < capacity; ++k) {
          ids[to + k] = k < active ? int(ids_history[from * padded_capacity + k]) : 0;
          values[to + k] = k < fired ? 1.0f : 0.0f;
        }
      }
    return true;
  }
};

template class ExportSpikes<unsigned short>;
template class ExportSpikes<unsigned>;

}  // namespace popsnn
