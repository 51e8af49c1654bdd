// count_arrivals: counts the spikes that arrive at time step t from the steps before it.
//
// The sizes of the bits' ranges have the counts before take_spikes has made the list: the bucket of
// the exchange is chosen meanwhile.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class CountArrivals : public MultiVertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> sizes;  // [samples, steps, sections, kWorkerRanges]
  Input<int> step;
  Output<Vector<unsigned, ONE_PTR, 4>> counts;  // [samples, 2] both of those that fired
  const unsigned samples;
  const unsigned steps;
  const unsigned sections;

  bool compute(unsigned worker) {
    const unsigned t = unsigned(*step);
    for (unsigned b = worker; b < samples; b += numWorkers()) {
      const unsigned* const size = &sizes[(b * steps + t) * sections * kWorkerRanges];
      unsigned fired = 0;
      for (unsigned range = 0; range < kWorkerRanges; ++range) fired += size[range];
      counts[b * kCountSize + kFired] = counts[b * kCountSize + kActive] = fired;
    }
    return true;
  }
};

}  // namespace popsnn
