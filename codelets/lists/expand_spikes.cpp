// expand_spikes: scatters the active neurons' values to dense rows that are zero elsewhere. Workers
// take rows in turn.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class ExpandSpikes : public MultiVertex {
 public:
  Input<Vector<int, ONE_PTR, 4>> ids;       // [rows, capacity]
  Input<Vector<int, ONE_PTR, 4>> counts;    // [rows, 2]
  Input<Vector<float, ONE_PTR, 4>> values;  // [rows, capacity]
  Output<Vector<float, ONE_PTR, 8>> dense;  // [rows, size]
  const unsigned rows;
  const unsigned capacity;
  const unsigned size;

  bool compute(unsigned worker) {
    for (unsigned row = worker; row < rows; row += numWorkers()) {
      float* const to = &dense[row * size];
      for (unsigned i = 0; i < size; ++i) to[i] = 0.0f;
      const unsigned active = unsigned(counts[row * kCountSize + kActive]);
      for (unsigned k = 0; k < active && k < capacity; ++k) {
        const unsigned id = unsigned(ids[row * capacity + k]);
        if (id < size) to[id] = values[row * capacity + k];  // nothing is written past the row
      }
    }
    return true;
  }
};

}  // namespace popsnn
