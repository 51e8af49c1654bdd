// largest_size: of a step's answers by list_sizes the largest, which a Switch then takes.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class LargestSize : public Vertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> sizes;  // [steps, kShares]
  Input<int> step;
  Output<int> size;
  const int offset;  // the step asked for is step + offset; before step 0 nobody branches

  bool compute() {
    const int t = *step + offset;
    unsigned largest = 0;
    if (t >= 0)
      for (unsigned share = 0; share < kShares; ++share) {
        const unsigned each = sizes[unsigned(t) * kShares + share];
        largest = each > largest ? each : largest;
      }
    *size = int(largest);
    return true;
  }
};

}  // namespace popsnn
