// set_spike_grad: the gradients of active neurons' spikes to a part of a sample's dense row dL/ds.
//
//   spike_grad[list[k] - first] = sum over sources of sums[source, k]  where the part has that
//   neuron
//
// A row is in parts on several tiles, since one tile would send it for as long as a layer's step
// takes. Entries that are not active keep what they have: a step back takes none of them. Workers
// take entries in turn, so that those of a part, which are close in the list, are divided.
#include <poplar/Vertex.hpp>

#include "common/inlined.hpp"
#include "common/spike_records.hpp"

#ifdef __IPU__
#include "common/part_ipu.hpp"
#endif

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
    const unsigned active = counts[kActive];
#ifdef __IPU__
    if constexpr (sizeof(Id) == sizeof(unsigned short)) {
      if (worker >= active) return true;
      const Id* entry = &ids[worker];
      for (unsigned more = quotient<kWorkerRanges>(active - worker - 1);; --more) {
        unsigned at;
        ipu::next_of_part(entry, more, first, size, at);
        if (at >= size) return true;
        set(at, unsigned(entry - &ids[0]) - kWorkerRanges);
        if (more == 0) return true;
      }
    }
#endif
    for (unsigned k = worker; k < active; k += numWorkers()) {
      const unsigned at = ids[k] - first;  // before the part: a number beyond any size
      if (at < size) set(at, k);
    }
    return true;
  }

 private:
  // The gradient of entry `k`.
  POPSNN_INLINED void set(unsigned at, unsigned k) {
#ifdef __IPU__
    ipu::sum_sources(&sums[k], sum_capacity, sources - 1, &spike_grad[at]);
#else
    float sum = 0.0f;
    for (unsigned source = 0; source < sources; ++source) sum += sums[source * sum_capacity + k];
    spike_grad[at] = sum;
#endif
  }
};

template class SetSpikeGrad<unsigned short>;
template class SetSpikeGrad<unsigned>;

}  // namespace popsnn
