// pick_spikes: of dense rows the values of listed neurons, zero in places that nobody has: the
// gradient of expand_spikes. Rows are dealt to the workers.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class PickSpikes : public MultiVertex {
 public:
  Input<Vector<int, ONE_PTR, 4>> ids;        // [rows, places]
  Input<Vector<int, ONE_PTR, 4>> counts;     // [rows, 2]
  Input<Vector<float, ONE_PTR, 4>> dense;    // [rows, size]
  Output<Vector<float, ONE_PTR, 4>> values;  // [rows, places]
  const unsigned rows;
  const unsigned places;
  const unsigned size;

  bool compute(unsigned worker) {
    for (unsigned row = worker; row < rows; row += numWorkers()) {
      const unsigned listed = unsigned(counts[row * kCountSize + kListed]);
      for (unsigned k = 0; k < places; ++k) {
        const unsigned id = unsigned(ids[row * places + k]);
        values[row * places + k] = k < listed && id < size ? dense[row * size + id] : 0.0f;
      }
    }
    return true;
  }
};

}  // namespace popsnn
