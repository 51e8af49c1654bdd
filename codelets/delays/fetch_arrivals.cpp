// fetch_arrivals: copies the list of a time step's arrivals from their history to the current list,
// and finds where each worker's range of it begins (list_ranges.cpp), if that is wanted.
//
// Outside of the history a list is empty. Each worker copies a range of a list's words.
#include <poplar/Vertex.hpp>

#include "arrivals.hpp"
#include "common/lower_bound.hpp"
#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class FetchArrivals : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 8>> ids_history;           // [samples, entries], row after row
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  Input<Vector<unsigned, ONE_PTR, 4>> begins;          // [samples, 1 + steps] of rows
  Input<int> step;
  Output<Vector<Id, ONE_PTR, 8>> ids;                   // [samples, padded_capacity]
  Output<Vector<unsigned, ONE_PTR, 4>> counts;          // [samples, 2]
  Vector<Output<Vector<unsigned, ONE_PTR, 4>>> bounds;  // [0 or 1][samples, kWorkerRanges + 1]
  const unsigned samples;
  const unsigned steps;
  const unsigned padded_capacity;
  const unsigned entries;
  const unsigned inputs;
  const int offset;  // the list's time step is step + offset

  bool compute(unsigned worker) {
    const int t = *step + offset;
    const bool inside = t >= 0 && t < int(steps);
    for (unsigned b = 0; b < samples; ++b) {
      const unsigned begin = inside ? begins[b * (1 + steps) + unsigned(t)] : 0;
      const unsigned* const record =
          &counts_history[(b * (1 + steps) + (inside ? history_row(t) : 0)) * kCountSize];
      const unsigned fired = inside ? record[kFired] : 0, active = inside ? record[kActive] : 0;
      if (worker == 0) {
        counts[b * kCountSize + kFired] = fired;
        counts[b * kCountSize + kActive] = active;
      }
      const Id* const list = &ids_history[b * entries + begin];
      const unsigned* const from = reinterpret_cast<const unsigned*>(list);
      unsigned* const to = reinterpret_cast<unsigned*>(&ids[b * padded_capacity]);
      const unsigned words = whole_words<Id>(active) / kIdsOfWord<Id>;
      const unsigned end = words * (worker + 1) / numWorkers();
      for (unsigned k = words * worker / numWorkers(); k < end; ++k) to[k] = from[k];
      if (bounds.size() == 0) continue;
      unsigned* const row = &bounds[0][b * (kWorkerRanges + 1)];
      for (unsigned range = worker; range < kWorkerRanges; range += numWorkers())
        row[range] = range == 0 ? 0 : lower_bound(list, fired, range_begin(inputs, range));
      if (worker == 0) row[kWorkerRanges] = fired;
    }
    return true;
  }
};

template class FetchArrivals<unsigned short>;
template class FetchArrivals<unsigned>;

}  // namespace popsnn
