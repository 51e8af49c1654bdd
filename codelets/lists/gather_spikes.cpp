// gather_spikes: gathers the active neurons' values from dense rows, zero past the last of them;
// the gradient of expand_spikes. Workers take rows in turn.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class GatherSpikes : public MultiVertex {
 public:
  Input<Vector<int, ONE_PTR, 4>> ids;        // [rows, capacity]
  Input<Vector<int, ONE_PTR, 4>> counts;     // [rows, 2]
  Input<Vector<float, ONE_PTR, 4>> dense;    // [rows, size]
  Output<Vector<float, ONE_PTR, 4>> values;  // [rows, capacity]
  const unsigned rows;
  const unsigned capacity;
  const unsigned size;

  bool compute(unsigned worker) {
    for (unsigned row = worker; row < rows; row += numWorkers()) {
      const unsigned active = unsigned(counts[row * kCountSize + kActive]);
      for (unsigned k = 0; k < capacity; ++k) {
        const unsigned id = unsigned(ids[row * capacity + k]);
        values[row * capacity + k] = k < active && id < size ? dense[row * size + id] : 0.0f;
      }
    }
    return true;
  }
};

}  // namespace popsnn
