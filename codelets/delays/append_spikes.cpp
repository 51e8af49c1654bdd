// append_spikes: appends the spikes that arrive at the time step at which they were fired to the
// list of those that arrive from earlier steps.
//
// The writers of merge_lists have found those ids. Each worker has what one of them has, and writes
// the words of the list of arrivals whose first id is among these, and the id that shares a word
// with the last one from earlier steps.
#include <poplar/Vertex.hpp>

#include "common/list_words.hpp"
#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class AppendSpikes : public MultiVertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> undelayed_ids;   // [samples, fired_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> fired_counts;    // [samples, 2]
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

  // A writer's ids, of a list that fired.
  const unsigned* ids_of(unsigned b, unsigned writer) {
    const WordRange range =
        writer_range<Id>(fired_counts[b * kCountSize + kActive], writer, numWorkers());
    return &undelayed_ids[b * fired_capacity + range.begin * kWord];
  }

  void append(unsigned b, unsigned writer) {
    const unsigned count = undelayed[b * kWorkerRanges + writer];
    if (count == 0) return;
    const unsigned* const from = ids_of(b, writer);
    unsigned* const list = reinterpret_cast<unsigned*>(&ids[b * padded_capacity]);
    unsigned at = begin_of(b, writer), k = 0;
    if (at % kWord != 0) {  // it shares a word with the id before
      if (at == earlier_counts[b * kCountSize + kFired])
        list[at / kWord] = (list[at / kWord] & kLow) | from[0] << kHigh<Id>;
      ++at;
      ++k;
    }
    for (; k + kWord <= count; k += kWord, at += kWord)
      list[at / kWord] = kWord == 1 ? from[k] : from[k] | from[k + 1] << kHigh<Id>;
    if (k < count) list[at / kWord] = from[k] | after(b, writer) << kHigh<Id>;
  }

  // The first id of the writers after one, or 0.
  unsigned after(unsigned b, unsigned writer) {
    while (++writer < numWorkers() - list_recorders(numWorkers()))
      if (undelayed[b * kWorkerRanges + writer] != 0) return *ids_of(b, writer);
    return 0;
  }
};

template class AppendSpikes<unsigned short>;
template class AppendSpikes<unsigned>;

}  // namespace popsnn
