// expand_spikes: values of listed neurons become dense rows that are zero elsewhere. Rows are dealt
// to the workers.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class ExpandSpikes : public MultiVertex {
 public:
  Input<Vector<int, ONE_PTR, 4>> ids;       // [rows, places]
  Input<Vector<int, ONE_PTR, 4>> counts;    // [rows, 2]
  Input<Vector<float, ONE_PTR, 4>> values;  // [rows, places]
  Output<Vector<float, ONE_PTR, 8>> dense;  // [rows, size]
  const unsigned rows;
  const unsigned places;
  const unsigned size;

  bool compute(unsigned worker) {
    for (unsigned row = worker; row < rows; row += numWorkers()) {
      float* const to = &dense[row * size];
      for (unsigned i = 0; i < size; ++i) to[i] = 0.0f;
      const unsigned listed = unsigned(counts[row * kCountSize + kListed]);
      for (unsigned k = 0; k < listed && k < places; ++k) {
        const unsigned id = unsigned(ids[row * places + k]);
        if (id < size) to[id] = values[row * places + k];  // nothing is written past the row
      }
    }
    return true;
  }
};

}  // namespace popsnn
