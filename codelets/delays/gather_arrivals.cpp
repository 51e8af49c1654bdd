// gather_arrivals: zeroes the active neurons' values in the dense rows dL/ds after time step t has
// read them, and brings those of time step t - 1 from where their spikes arrived later.
//
//   spike_grad[id] = 0                                 for the list of time step t
//   spike_grad[id] += arrived[t - 1 + delays[id], id]  for the list of time step t - 1
//
// A neuron without a delay is left to scatter_arrivals. A spike that arrived at none of the time
// steps has a value of zero. Each worker has a range of the neurons, and so of each section of a
// list, whose ids ascend.
#include <poplar/Vertex.hpp>

#include "common/lower_bound.hpp"
#include "common/spike_records.hpp"
#include "ring.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class GatherArrivals : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, 1 + steps, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  Input<int> step;                                     // t, of the lists; not before the first
  Vector<Input<Vector<unsigned, ONE_PTR, 4>>> delays;  // [readers][neurons], below slots
  Vector<Input<Vector<float, ONE_PTR, 8>>> arrived;    // [readers][samples, slots, neurons]
  Vector<unsigned> slots;                              // [readers]
  InOut<Vector<float, ONE_PTR, 8>> spike_grad;         // [samples, neurons]
  const unsigned samples;
  const unsigned steps;
  const unsigned padded_capacity;
  const unsigned neurons;

  bool compute(unsigned worker) {
    const unsigned t = unsigned(*step);
    for (unsigned b = 0; b < samples; ++b) {
      float* const grad = &spike_grad[b * neurons];
      each(b, t, worker, [&](unsigned id) { grad[id] = 0.0f; });
      for (unsigned reader = 0; reader < slots.size() && t > 0; ++reader) {
        const unsigned rows = slots[reader], fired = ring_slot(t - 1, rows);
        const float* const later = &arrived[reader][b * rows * neurons];
        each(b, t - 1, worker, [&](unsigned id) {
          const unsigned delay = delays[reader][id];
          if (delay > 0) grad[id] += later[later_slot(fired, delay, rows) * neurons + id];
        });
      }
    }
    return true;
  }

 private:
  // Calls visit(id) for the worker's entries of both sections of a list.
  template <class Visit>
  void each(unsigned b, unsigned t, unsigned worker, Visit visit) {
    const unsigned at = b * (1 + steps) + history_row(int(t));
    const Id* const list = &ids_history[at * padded_capacity];
    const unsigned fired = counts_history[at * kCountSize + kFired];
    const unsigned active = counts_history[at * kCountSize + kActive];
    visit_range(list, fired, worker, visit);
    visit_range(list + fired, active - fired, worker, visit);
  }

  template <class Visit>
  void visit_range(const Id* section, unsigned size, unsigned worker, Visit visit) {
    const unsigned high = neurons * (worker + 1) / numWorkers();
    for (unsigned k = lower_bound(section, size, neurons * worker / numWorkers());
         k < size && section[k] < high; ++k)
      visit(section[k]);
  }
};

template class GatherArrivals<unsigned short>;
template class GatherArrivals<unsigned>;

}  // namespace popsnn
