// list_shares: where each worker's share of a list begins, for a range of samples.
//
// weight_grad gives each worker a range of the inputs. As lists ascend, a share is one stretch of
// a list: found once, here, instead of on every tile that the list is sent to. A share's beginning
// is found by bisection; they are dealt to the workers in turn.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"
#include "first_from.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class ListShares : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, 1 + steps, slots]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  Input<int> step;
  Output<Vector<unsigned, ONE_PTR, 4>> shares;  // [samples, kShares + 1] positions in the list
  const unsigned samples;
  const unsigned steps;
  const unsigned slots;
  const unsigned inputs;
  const int offset;  // the list's step is step + offset; before -1 there is none

  bool compute(unsigned worker) {
    const int t = *step + offset;
    for (unsigned b = 0; b < samples; ++b) {
      const bool inside = t >= -1;
      const unsigned at = b * (1 + steps) + (inside ? history_row(t) : 0u);
      const Id* const list = &ids_history[at * slots];
      const unsigned fired = !inside ? 0u : counts_history[at * kCountSize + kFired];
      unsigned* const bounds = &shares[b * (kShares + 1)];
      for (unsigned share = worker; share < kShares; share += numWorkers())
        bounds[share] = share == 0 ? 0 : first_from(list, fired, share_begin(inputs, share));
      if (worker == 0) bounds[kShares] = fired;
    }
    return true;
  }
};

template class ListShares<unsigned short>;
template class ListShares<unsigned>;

}  // namespace popsnn
