// take_lists: lists that a program brings, of 32-bit ids, become the history that a network reads.
//
// Counts and ids are brought into their range on the way: on a tile an id is an address. Lists are
// dealt to the workers; of 16-bit ids each fills whole words.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class TakeLists : public MultiVertex {
 public:
  Input<Vector<int, ONE_PTR, 4>> ids;                  // [samples, steps, places]
  Input<Vector<int, ONE_PTR, 4>> counts;               // [samples, steps, 2]
  InOut<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, 1 + steps, slots]
  InOut<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  const unsigned samples;
  const unsigned steps;
  const unsigned places;
  const unsigned slots;  // of a row of the history, >= places
  const unsigned size;   // neurons that the lists tell of

  bool compute(unsigned worker) {
    for (unsigned b = 0; b < samples; ++b)
      for (unsigned t = worker; t < steps; t += numWorkers()) {
        const unsigned from = b * steps + t, to = b * (1 + steps) + history_row(int(t));
        const unsigned listed = most(counts[from * kCountSize + kListed], places);
        counts_history[to * kCountSize + kFired] = most(counts[from * kCountSize + kFired], listed);
        counts_history[to * kCountSize + kListed] = listed;
        for (unsigned k = 0; k < listed; ++k)
          ids_history[to * slots + k] = Id(most(ids[from * places + k], size - 1));
      }
    return true;
  }

 private:
  static unsigned most(int value, unsigned bound) {
    return unsigned(value) < bound ? unsigned(value) : bound;
  }
};

template class TakeLists<unsigned short>;
template class TakeLists<unsigned>;

}  // namespace popsnn
