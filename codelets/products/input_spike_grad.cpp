// input_spike_grad: this tile's partial sums of dL/ds, one for each active input of a range of a
// list.
//
//   partial[b, k] = dot(weights[ids[b, first + k]], current_grad[b])
//
// Workers take samples in turn.
#include <poplar/Vertex.hpp>

#include "common/rows.hpp"
#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

// dot_ipu.hpp loads from a row and from the vector in one bundle.
#ifdef __IPU__
#define POPSNN_APART [[poplar::constraint("elem(*weights) != elem(*current_grad)")]]
#else
#define POPSNN_APART
#endif

template <class Id, class Weight>
class POPSNN_APART InputSpikeGrad : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;              // [batch, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts;     // [batch, 2]
  Input<Vector<Weight, ONE_PTR, 8>> weights;      // [inputs, neurons]
  Input<Vector<float, ONE_PTR, 8>> current_grad;  // [batch, neurons]
  Output<Vector<float, ONE_PTR, 8>> partial;      // [batch, entries]
  const unsigned batch;
  const unsigned padded_capacity;
  const unsigned first;  // of the entries
  const unsigned entries;
  const unsigned neurons;

  bool compute(unsigned worker) {
    for (unsigned b = worker; b < batch; b += numWorkers()) {
      const unsigned active = counts[b * kCountSize + kActive];
      if (active <= first) continue;
      const unsigned count = active - first < entries ? active - first : entries;
      dot_rows(&weights[0], neurons, &ids[b * padded_capacity + first], count,
               &current_grad[b * neurons], &partial[b * entries]);
    }
    return true;
  }
};

template class InputSpikeGrad<unsigned short, float>;
template class InputSpikeGrad<unsigned, float>;
template class InputSpikeGrad<unsigned short, half>;
template class InputSpikeGrad<unsigned, half>;

}  // namespace popsnn
