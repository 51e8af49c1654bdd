// append_spikes: appends the spikes that arrive at the time step at which they were fired to the
// list of those that arrive from earlier steps.
//
// The workers of merge_lists have found those ids. Each worker has what one of them has, and writes
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
  Input<Vector<unsigned, ONE_PTR, 4>> undelayed;       // [samples, kWorkerRanges, 2] by writer
  Input<Vector<unsigned, ONE_PTR, 4>> earlier_counts;  // [samples, 2]
  InOut<Vector<Id, ONE_PTR, 8>> ids;                   // [samples, padded_capacity]
  Output<Vector<unsigned, ONE_PTR, 4>> counts;         // [samples, 2]
  const unsigned samples;
  const unsigned fired_capacity;
  const unsigned padded_capacity;

  bool compute(unsigned worker) {
    for (unsigned b = 0; b < samples; ++b) append(b, worker);
    return true;
  }

 private:
  static constexpr unsigned kWord = kIdsOfWord<Id>;
  static constexpr unsigned kLow = 0xFFFFFFFFu >> kHigh<Id>;

  unsigned record_of(unsigned b, unsigned writer, UndelayedEntry entry) {
    return undelayed[(b * kWorkerRanges + writer) * kUndelayedSize + entry];
  }

  // A writer's ids, of a list that fired.
  const unsigned* ids_of(unsigned b, unsigned writer) {
    return &undelayed_ids[b * fired_capacity + record_of(b, writer, kUndelayedBegin)];
  }

  void append(unsigned b, unsigned writer) {
    const unsigned earlier = earlier_counts[b * kCountSize + kFired];
    const unsigned count = record_of(b, writer, kUndelayedCount);
    unsigned at = earlier, k = 0;
    for (unsigned before = 0; before < writer; ++before)
      at += record_of(b, before, kUndelayedCount);
    if (writer + 1 == numWorkers())
      counts[b * kCountSize + kFired] = counts[b * kCountSize + kActive] = at + count;
    if (count == 0) return;
    const unsigned* const from = ids_of(b, writer);
    unsigned* const list = reinterpret_cast<unsigned*>(&ids[b * padded_capacity]);
    if (at % kWord != 0) {  // it shares a word with the id before
      if (at == earlier) list[at / kWord] = (list[at / kWord] & kLow) | from[0] << kHigh<Id>;
      ++at;
      ++k;
    }
    for (; k + kWord <= count; k += kWord, at += kWord)
      list[at / kWord] = kWord == 1 ? from[k] : from[k] | from[k + 1] << kHigh<Id>;
    if (k < count) list[at / kWord] = from[k] | after(b, writer) << kHigh<Id>;
  }

  // The first id of the writers after one, or 0.
  unsigned after(unsigned b, unsigned writer) {
    while (++writer < numWorkers())
      if (record_of(b, writer, kUndelayedCount) != 0) return *ids_of(b, writer);
    return 0;
  }
};

template class AppendSpikes<unsigned short>;
template class AppendSpikes<unsigned>;

}  // namespace popsnn
