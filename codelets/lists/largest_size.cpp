// largest_size: the maximum of list_sizes' results for a time step, which selects the case of a
// Switch.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class LargestSize : public Vertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> sizes;  // [steps, kWorkerRanges]
  Input<int> step;
  Output<int> size;
  const int offset;  // the time step is step + offset; 0 before time step 0

  bool compute() {
    const int t = *step + offset;
    unsigned largest = 0;
    if (t >= 0)
      for (unsigned range = 0; range < kWorkerRanges; ++range) {
        const unsigned each = sizes[unsigned(t) * kWorkerRanges + range];
        largest = each > largest ? each : largest;
      }
    *size = int(largest);
    return true;
  }
};

}  // namespace popsnn
