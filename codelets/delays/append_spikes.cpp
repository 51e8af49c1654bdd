// append_spikes: appends the spikes that arrive at the time step at which they were fired to the
// list of those that arrive from earlier steps.
//
// Each worker has the words of the list that fired which a writer of merge_lists has, that has
// counted the ids without a delay there. It writes the words of the list of arrivals whose first id
// is in its range, and the id that shares a word with the last one from earlier steps.
#include <poplar/Vertex.hpp>

#include "common/list_words.hpp"
#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class AppendSpikes : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> fired_ids;             // [samples, fired_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> fired_counts;    // [samples, 2]
  Input<Vector<unsigned, ONE_PTR, 4>> delays;          // [neurons] in time steps
  Input<Vector<unsigned, ONE_PTR, 4>> undelayed;       // [samples, kWorkerRanges] by writer
  Input<Vector<unsigned, ONE_PTR, 4>> earlier_counts;  // [samples, 2]
  InOut<Vector<Id, ONE_PTR, 8>> ids;                   // [samples, padded_capacity]
  Output<Vector<unsigned, ONE_PTR, 4>> counts;         // [samples, 2]
  const unsigned samples;
  const unsigned fired_capacity;
  const unsigned padded_capacity;

  bool compute(unsigned worker) {
    for (unsigned b = 0; b < samples; ++b) {
      const unsigned recorders = list_recorders(numWorkers());
      if (worker == 0)
        counts[b * kCountSize + kFired] = counts[b * kCountSize + kActive] =
            begin_of(b, numWorkers() - recorders);
      if (worker >= recorders) append(b, worker - recorders);
    }
    return true;
  }

 private:
  static constexpr unsigned kWord = kIdsOfWord<Id>;
  static constexpr unsigned kLow = 0xFFFFFFFFu >> kHigh<Id>;

  // Where a writer's ids begin.
  unsigned begin_of(unsigned b, unsigned writer) {
    unsigned begin = earlier_counts[b * kCountSize + kFired];
    for (unsigned before = 0; before < writer; ++before)
      begin += undelayed[b * kWorkerRanges + before];
    return begin;
  }

  void append(unsigned b, unsigned writer) {
    const Id* const fired = &fired_ids[b * fired_capacity];
    const unsigned size = fired_counts[b * kCountSize + kFired];
    const unsigned earlier = earlier_counts[b * kCountSize + kFired];
    const WordRange range =
        writer_range<Id>(fired_counts[b * kCountSize + kActive], writer, numWorkers());
    const unsigned end = range.end * kWord < size ? range.end * kWord : size;
    unsigned* const list = reinterpret_cast<unsigned*>(&ids[b * padded_capacity]);
    unsigned at = begin_of(b, writer);
    for (unsigned k = range.begin * kWord; k < end; ++k) {
      if (delays[fired[k]] != 0) continue;
      if (at % kWord == 0)
        list[at / kWord] = fired[k] | second(fired, size, k);
      else if (at == earlier)
        list[at / kWord] = (list[at / kWord] & kLow) | unsigned(fired[k]) << kHigh<Id>;
      ++at;
    }
  }

  // The second id of a word whose first one is entry `k`, if there is any.
  unsigned second(const Id* fired /* [size] */, unsigned size, unsigned k) {
    if (kWord == 1) return 0;
    while (++k < size)
      if (delays[fired[k]] == 0) return unsigned(fired[k]) << kHigh<Id>;
    return 0;
  }
};

template class AppendSpikes<unsigned short>;
template class AppendSpikes<unsigned>;

}  // namespace popsnn
