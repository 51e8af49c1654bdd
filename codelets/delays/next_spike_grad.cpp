// next_spike_grad: brings a part of the row dL/ds of the time step that is read next from the rows
// of set_arrivals. Spikes that arrive at once are missing in it.
//
//   spike_grad[:] = fired[slot], or 0 before time step 0
//
// Six vertices of a tile copy a range of the part each: a MultiVertex would find its workers'
// ranges.
#include <poplar/Vertex.hpp>

#include "common/inlined.hpp"

#ifdef __IPU__
#include "common/copy_ipu.hpp"
#endif

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class NextSpikeGrad : public Vertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> fired;        // [slots, row]
  Output<Vector<float, ONE_PTR, 8>> spike_grad;  // [size] of the part, from `first` on
  Input<int> slot;                               // of the time step; -1 before 0 (ring_slots.cpp)
  const unsigned first;                          // even
  const unsigned size;
  const unsigned row;  // length, even

  bool compute() {
    if (*slot < 0) {
      for (unsigned at = 0; at < size; ++at) spike_grad[at] = 0.0f;
      return true;
    }
    const float* const from = &fired[unsigned(*slot) * row + first];
    copy(from, size / 2, &spike_grad[0]);
    if (size % 2 != 0) spike_grad[size - 1] = from[size - 1];
    return true;
  }

 private:
  POPSNN_INLINED static void copy(const float* from /* [2 * pairs] */, unsigned pairs,
                                  float* to /* [2 * pairs] */) {
#ifdef __IPU__
    ipu::copy_pairs(from, pairs, to);
#else
    for (unsigned k = 0; k < 2 * pairs; ++k) to[k] = from[k];
#endif
  }
};

}  // namespace popsnn
