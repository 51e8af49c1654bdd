// list_shares: where each worker's share of a list begins, for a range of samples.
//
// weight_grad gives each worker a range of the inputs. As lists ascend, a share is one stretch of
// a list: found once, here, instead of on every tile that the list is sent to. Samples are dealt
// to the workers in turn.
#include <poplar/Vertex.hpp>

#include "neuron.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class ListShares : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, steps, slots]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, steps, 2]
  Input<int> step;
  Output<Vector<unsigned, ONE_PTR, 4>> shares;  // [samples, kShares + 1] positions in the list
  const unsigned samples;
  const unsigned steps;
  const unsigned slots;
  const unsigned inputs;
  const int offset;  // the list's step is step + offset; before the first there is none

  bool compute(unsigned worker) {
    const int t = *step + offset;
    for (unsigned b = worker; b < samples; b += numWorkers()) {
      const unsigned at = b * steps + (t < 0 ? 0u : unsigned(t));
      const Id* list = &ids_history[at * slots];
      const unsigned fired = t < 0 ? 0u : counts_history[at * kCountSize + kFired];
      unsigned* begin = &shares[b * (kShares + 1)];
      unsigned k = 0;
      for (unsigned share = 0; share <= kShares; ++share) {
        while (k < fired && list[k] < share_begin(inputs, share)) ++k;
        begin[share] = k;
      }
    }
    return true;
  }
};

template class ListShares<unsigned short>;
template class ListShares<unsigned>;

}  // namespace popsnn
