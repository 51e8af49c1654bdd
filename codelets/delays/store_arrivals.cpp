// store_arrivals: stores the gradients of the spikes that arrived at time step t until the backward
// pass comes to the steps that fired them (gather_arrivals.cpp).
//
//   arrived[t, id] = sum over sources of sums[k]  for the arrivals at time step t
//
// The ids of a list differ, so that each worker takes a range of it.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"
#include "ring.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class StoreArrivals : public MultiVertex {
 public:
  Vector<Input<Vector<float, ONE_PTR, 8>>> sums;  // [sources][samples, padded_capacity]
  Input<Vector<Id, ONE_PTR, 4>> ids;              // [samples, padded_capacity] of time step t
  Input<Vector<unsigned, ONE_PTR, 4>> counts;     // [samples, 2]
  Input<int> step;
  InOut<Vector<float, ONE_PTR, 8>> arrived;  // [samples, slots, neurons]
  const unsigned samples;
  const unsigned padded_capacity;
  const unsigned slots;
  const unsigned neurons;
  const int offset;  // t is step + offset; before 0 there is nothing to do

  bool compute(unsigned worker) {
    const int t = *step + offset;
    if (t < 0) return true;
    const unsigned now = ring_slot(unsigned(t), slots);
    for (unsigned b = 0; b < samples; ++b) {
      float* const later = &arrived[(b * slots + now) * neurons];
      const unsigned active = counts[b * kCountSize + kActive];
      each_of_worker(active, worker, numWorkers(), [&](unsigned k) {
        float sum = 0.0f;
        for (unsigned source = 0; source < sums.size(); ++source)
          sum += sums[source][b * padded_capacity + k];
        later[ids[b * padded_capacity + k]] = sum;
      });
    }
    return true;
  }
};

template class StoreArrivals<unsigned short>;
template class StoreArrivals<unsigned>;

}  // namespace popsnn
