// gather_arrivals: the gradients of the spikes of time step t that arrived later, in the order of
// their list.
//
//   waiting[k] = arrived[t + delays[id], id]  for entry k of the list of time step t
//
// A neuron without a delay has none: scatter_arrivals has its gradient. That of a spike that
// arrived at none of the time steps is zero. Each worker has a range of the list.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"
#include "ring.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class GatherArrivals : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 8>> fired_history;  // [samples, steps, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> lengths;  // [samples, steps, 2] of its lists
  Input<Vector<unsigned, ONE_PTR, 4>> delays;   // [neurons] in time steps, below slots
  Input<Vector<float, ONE_PTR, 8>> arrived;     // [samples, slots, neurons]
  Input<int> step;
  Output<Vector<float, ONE_PTR, 8>> waiting;  // [samples, padded_capacity]
  const unsigned samples;
  const unsigned steps;
  const unsigned padded_capacity;
  const unsigned slots;
  const unsigned neurons;
  const int offset;  // t is step + offset; before 0 there is nothing to do

  bool compute(unsigned worker) {
    const int t = *step + offset;
    if (t < 0) return true;
    const unsigned now = ring_slot(unsigned(t), slots);
    for (unsigned b = 0; b < samples; ++b) {
      const unsigned row = b * steps + unsigned(t), length = lengths[row * kCountSize + kActive];
      const Id* const list = &fired_history[row * padded_capacity];
      const float* const later = &arrived[b * slots * neurons];
      each_of_worker(length, worker, numWorkers(), [&](unsigned k) {
        const unsigned id = list[k], delay = delays[id];
        if (delay == 0) return;
        waiting[b * padded_capacity + k] = later[later_slot(now, delay, slots) * neurons + id];
      });
    }
    return true;
  }
};

template class GatherArrivals<unsigned short>;
template class GatherArrivals<unsigned>;

}  // namespace popsnn
