// set_arrivals: the gradients of the spikes that arrived at time step t to a part of a sample's
// dense rows dL/ds, one row for each time step that fired them.
//
//   fired[t - delays[id], id] = sum over sources of sums[k]  where the part has that neuron
//
// A spike that arrived at once has its gradient in the row that the next backward step reads;
// next_spike_grad brings the others there. A neuron has one delay, so that an element is stored
// once before it is read. What a spike that arrived at none of the time steps has is zero: its
// element has not been stored yet. Elements that are not active have any values
// (set_spike_grad.cpp). Workers take entries in turn.
#include <poplar/Vertex.hpp>

#include "common/part.hpp"
#include "common/spike_records.hpp"
#include "ring.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class SetArrivals : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> sums;        // [sources, sum_capacity]
  Input<Vector<Id, ONE_PTR, 4>> ids;            // [sum_capacity] of time step t
  Input<Vector<unsigned, ONE_PTR, 4>> counts;   // [2]
  Input<Vector<unsigned, ONE_PTR, 4>> delays;   // [size] in time steps, below slots
  Input<int> slot;                              // of time step t; -1 before 0 (ring_slots.cpp)
  InOut<Vector<float, ONE_PTR, 8>> fired;       // [slots, row]
  InOut<Vector<float, ONE_PTR, 8>> spike_grad;  // [size] of the time step that is read next
  const unsigned sources;
  const unsigned sum_capacity;
  const unsigned first;  // neuron of the part
  const unsigned size;
  const unsigned row;  // length, even
  const unsigned slots;
  const unsigned parts;  // of the row, for the vertex's estimate

  bool compute(unsigned worker) {
    if (*slot < 0) return true;
    const unsigned now = unsigned(*slot);
    visit_part(&ids[0], counts[kActive], first, size, worker, numWorkers(),
               [&](unsigned at, unsigned k) POPSNN_INLINED {
                 sum_sources(&sums[k], sum_capacity, sources, gradient_of(now, at));
               });
    return true;
  }

 private:
  // Where the gradient of a spike is that arrived at time step `now` of the ring.
  POPSNN_INLINED float* gradient_of(unsigned now, unsigned at) {
    const unsigned delay = delays[at];
    return delay == 0 ? &spike_grad[at] : &fired[later_slot(now, slots - delay, slots) * row + at];
  }
};

template class SetArrivals<unsigned short>;
template class SetArrivals<unsigned>;

}  // namespace popsnn
