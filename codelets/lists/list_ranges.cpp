// list_ranges: where each worker's range of a list begins, for a range of samples.
//
// weight_grad gives each worker a range of the inputs. Lists ascend, so that this is a range of the
// list too: it is computed here, once, instead of on every tile that receives the list. Bisection
// finds the begin of a range; workers take ranges in turn.
#include <poplar/Vertex.hpp>

#include "common/lower_bound.hpp"
#include "common/spike_records.hpp"

#ifdef __IPU__
#include "ranges_ipu.hpp"
#endif

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class ListRanges : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, 1 + steps, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  Input<int> step;
  Output<Vector<unsigned, ONE_PTR, 4>>
      bounds;  // [samples, kWorkerRanges + 1] positions in the list
  const unsigned samples;
  const unsigned steps;
  const unsigned padded_capacity;
  const unsigned inputs;
  const int offset;  // the list's time step is step + offset; before -1 there is none

  bool compute(unsigned worker) {
    const int t = *step + offset;
    for (unsigned b = 0; b < samples; ++b) {
      const bool inside = t >= -1;
      const unsigned at = b * (1 + steps) + (inside ? history_row(t) : 0u);
      const Id* const list = &ids_history[at * padded_capacity];
      const unsigned fired = !inside ? 0u : counts_history[at * kCountSize + kFired];
      unsigned* const row = &bounds[b * (kWorkerRanges + 1)];
      for (unsigned range = worker; range < kWorkerRanges; range += numWorkers())
        row[range] = range == 0 ? 0 : search(list, fired, range_begin(inputs, range));
      if (worker == 0) row[kWorkerRanges] = fired;
    }
    return true;
  }

 private:
  POPSNN_INLINED static unsigned search(const Id* list,  // [size]
                                        unsigned size, unsigned id) {
#ifdef __IPU__
    if constexpr (sizeof(Id) == sizeof(unsigned short)) {
      unsigned low = 0;
      if (size > 0)
        ipu::count_below(list, size, size > 1 ? kMaskBits - unsigned(__builtin_clz(size - 1)) : 0,
                         id, low);
      return low;
    }
#endif
    return lower_bound(list, size, id);
  }
};

template class ListRanges<unsigned short>;
template class ListRanges<unsigned>;

}  // namespace popsnn
