// set_spike_grad: the gradients of active neurons' spikes to a part of a sample's dense row dL/ds.
//
//   spike_grad[list[k] - first] = sum over sources of sums[source, k]  where the part has that
//   neuron
//
// A row is in parts on several tiles, since one tile would send it for as long as a layer's step
// takes. Entries that are not active keep what they have: a step back takes none of them. Workers
// take entries in turn.
#include <poplar/Vertex.hpp>

#include "common/part.hpp"
#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class SetSpikeGrad : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> sums;        // [sources, sum_capacity]
  Input<Vector<Id, ONE_PTR, 4>> ids;            // [sum_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts;   // [2]
  InOut<Vector<float, ONE_PTR, 8>> spike_grad;  // [size]
  const unsigned sources;
  const unsigned sum_capacity;
  const unsigned first;  // neuron of the part
  const unsigned size;
  const unsigned parts;  // of the row, for the vertex's estimate

  bool compute(unsigned worker) {
    visit_part(&ids[0], counts[kActive], first, size, worker, numWorkers(),
               [&](unsigned at, unsigned k) POPSNN_INLINED {
                 sum_sources(&sums[k], sum_capacity, sources, &spike_grad[at]);
               });
    return true;
  }
};

template class SetSpikeGrad<unsigned short>;
template class SetSpikeGrad<unsigned>;

}  // namespace popsnn
