// give_lists: a network's lists of all steps as programs take them: ids of 32 bits, zero where
// nobody is listed, and values that are 1 where a neuron fired. Lists are dealt to the workers.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class GiveLists : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, 1 + steps, slots]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  Output<Vector<int, ONE_PTR, 4>> ids;                 // [samples, steps, places]
  Output<Vector<float, ONE_PTR, 4>> values;            // [samples, steps, places]
  const unsigned samples;
  const unsigned steps;
  const unsigned places;
  const unsigned slots;  // of a row of the history, >= places

  bool compute(unsigned worker) {
    for (unsigned b = 0; b < samples; ++b)
      for (unsigned t = worker; t < steps; t += numWorkers()) {
        const unsigned from = b * (1 + steps) + history_row(int(t)), to = (b * steps + t) * places;
        const unsigned fired = counts_history[from * kCountSize + kFired];
        const unsigned listed = counts_history[from * kCountSize + kListed];
        for (unsigned k = 0; k < places; ++k) {
          ids[to + k] = k < listed ? int(ids_history[from * slots + k]) : 0;
          values[to + k] = k < fired ? 1.0f : 0.0f;
        }
      }
    return true;
  }
};

template class GiveLists<unsigned short>;
template class GiveLists<unsigned>;

}  // namespace popsnn
