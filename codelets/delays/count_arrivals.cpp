// count_arrivals: the bucket of an exchange that holds the spikes that arrive at time step t from
// the steps before it.
//
// The sizes of the bits' ranges have their number before take_spikes has made the list. Buckets are
// numbered from the smallest; largest_bucket takes the largest of all lists, of which each is as
// many bits.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class CountArrivals : public MultiVertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> sizes;  // [samples, steps, sections, kWorkerRanges]
  Input<int> step;
  Output<Vector<unsigned, ONE_PTR, 4>> buckets;  // [samples] the lowest bits, as many
  Vector<unsigned> limits;                       // [buckets but the largest] ascending
  const unsigned samples;
  const unsigned steps;
  const unsigned sections;

  bool compute(unsigned worker) {
    const unsigned t = unsigned(*step);
    for (unsigned b = worker; b < samples; b += numWorkers()) {
      const unsigned* const size = &sizes[(b * steps + t) * sections * kWorkerRanges];
      unsigned fired = 0;
      for (unsigned range = 0; range < kWorkerRanges; ++range) fired += size[range];
      unsigned bucket = 0;
      while (bucket < limits.size() && fired > limits[bucket]) ++bucket;
      buckets[b] = (1u << bucket) - 1;
    }
    return true;
  }
};

}  // namespace popsnn
