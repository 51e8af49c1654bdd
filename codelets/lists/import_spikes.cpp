// import_spikes: copies a program's compacted spikes, with 32-bit ids, to the history that a
// network reads.
//
// Counts and ids are clamped to their range on the way: on a tile an id is an address. Workers take
// lists in turn; a list of 16-bit ids fills whole words.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class ImportSpikes : public MultiVertex {
 public:
  Input<Vector<int, ONE_PTR, 4>> ids;                  // [samples, steps, capacity]
  Input<Vector<int, ONE_PTR, 4>> counts;               // [samples, steps, 2]
  InOut<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, 1 + steps, padded_capacity]
  InOut<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  const unsigned samples;
  const unsigned steps;
  const unsigned capacity;
  const unsigned padded_capacity;  // row length of the history
  const unsigned size;             // neurons of the layer that the ids name

  bool compute(unsigned worker) {
    for (unsigned b = 0; b < samples; ++b)
      for (unsigned t = worker; t < steps; t += numWorkers()) {
        const unsigned from = b * steps + t, to = b * (1 + steps) + history_row(int(t));
        const unsigned active = most(counts[from * kCountSize + kActive], capacity);
        counts_history[to * kCountSize + kFired] = most(counts[from * kCountSize + kFired], active);
        counts_history[to * kCountSize + kActive] = active;
        for (unsigned k = 0; k < active; ++k)
          ids_history[to * padded_capacity + k] = Id(most(ids[from * capacity + k], size - 1));
      }
    return true;
  }

 private:
  static unsigned most(int value, unsigned bound) {
    return unsigned(value) < bound ? unsigned(value) : bound;
  }
};

template class ImportSpikes<unsigned short>;
template class ImportSpikes<unsigned>;

}  // namespace popsnn
