// merge_lists: the segments of a sample's neurons become its list, and enter the history.
//
// The list: the fired neurons that keep their place, ascending, then those that are only above the
// gradient's threshold, ascending. Where a part does not fit its places, they go in cyclic order
// from a position hashed from (seed, layer, step, sample), so that no neuron is favoured; what is
// left over is counted. One worker keeps the records; each other finds out where its share of the
// list's words begins and writes it: the chip stores no less than a word, and has no integer
// division.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class MergeLists : public MultiVertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> segments;        // [parts, segment_slots], ids ascending
  Input<Vector<unsigned, ONE_PTR, 4>> segment_counts;  // [parts, 2] fired, and only above
  Input<Vector<unsigned, ONE_PTR, 4>> sequence;  // [2] its seed, and its steps before this run
  Input<int> step;
  Output<Vector<Id, ONE_PTR, 8>> ids;                  // [slots] this step's list
  Output<Vector<unsigned, ONE_PTR, 4>> counts;         // [2]
  Output<Vector<unsigned, ONE_PTR, 4>> window;         // [3]
  InOut<Vector<Id, ONE_PTR, 8>> ids_history;           // [1 + steps, slots]
  InOut<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [1 + steps, 2]
  InOut<Vector<unsigned, ONE_PTR, 4>> window_history;  // [1 + steps, 3]
  InOut<Vector<unsigned, ONE_PTR, 4>> drop_history;    // [steps, 2]
  const unsigned parts;
  const unsigned segment_slots;
  const unsigned slots;     // row length of ids, >= capacity, whole words
  const unsigned capacity;  // places
  const unsigned sample;
  const unsigned layer;
  const unsigned layer_size;

  bool compute(unsigned worker) {
    const Part fired = places(kFiredMask, capacity);
    const Part above = places(kAboveMask, capacity - fired.kept);
    if (worker == 0) write_record(fired, above);
    const unsigned keepers = numWorkers() > 1 ? 1 : 0, writers = numWorkers() - keepers;
    if (worker < keepers) return true;
    const unsigned words = (fired.kept + above.kept + kWord - 1) / kWord, share = worker - keepers;
    write_words(fired, above, words * share / writers, words * (share + 1) / writers);
    return true;
  }

 private:
  static constexpr unsigned kWord = sizeof(unsigned) / sizeof(Id);
  static constexpr unsigned kHigh = kMaskBits / kWord % kMaskBits;  // shift of a word's last id

  // Which of a part's ids keep their place. The k-th of them has rank k among all of the part's
  // ids, from `split` on rank k - split + second.
  struct Part {
    unsigned mask, total, kept, split, second;
  };

  unsigned begin_of_window() {
    return window_begin(sequence[0], layer, sequence[1] + unsigned(*step), sample, layer_size);
  }

  Part places(unsigned mask, unsigned room) {
    unsigned total = 0;
    for (unsigned s = 0; s < parts; ++s) total += segment_counts[s * kMaskParts + mask];
    if (total <= room) return {mask, total, total, total, 0};
    const unsigned before =
        rank_of(mask, begin_of_window());  // those whose id is below `begin` come last
    const unsigned high = total - before;
    return {mask, total, room, high >= room ? 0 : room - high, before};
  }

  // How many ids of a part are below `begin`.
  unsigned rank_of(unsigned mask, unsigned begin) {
    unsigned rank = 0;
    for (unsigned s = 0; s < parts; ++s) {
      const unsigned count = segment_counts[s * kMaskParts + mask];
      if (count == 0) continue;
      if (entry(s, mask, count - 1) < begin) {
        rank += count;
        continue;
      }
      for (unsigned k = 0; entry(s, mask, k) < begin; ++k) ++rank;
      break;
    }
    return rank;
  }

  // Entry `k` of a part in one segment.
  unsigned entry(unsigned segment, unsigned mask, unsigned k) {
    return segments[segment * segment_slots + place(mask, k)];
  }

  unsigned place(unsigned mask, unsigned k) const {
    return mask == kFiredMask ? k : segment_slots - 1 - k;
  }

  // The segment of a part's id of some rank, and its place there.
  struct Cursor {
    unsigned segment, k;
  };

  Cursor seek(unsigned mask, unsigned rank) {
    unsigned segment = 0, count = segment_counts[mask];
    while (rank >= count) {
      rank -= count;
      count = segment_counts[++segment * kMaskParts + mask];
    }
    return {segment, rank};
  }

  // The list's words [first, end).
  void write_words(const Part& fired, const Part& above, unsigned first, unsigned end) {
    unsigned* const list = reinterpret_cast<unsigned*>(&ids[0]);
    unsigned* const kept = reinterpret_cast<unsigned*>(&ids_history[history_row(*step) * slots]);
    const unsigned listed = fired.kept + above.kept;
    const unsigned last = end * kWord < listed ? end * kWord : listed;
    unsigned word = 0;
    unsigned k = first * kWord;
    while (k < last) {
      // A run of ids that follow each other in one part.
      const Part& part = k < fired.kept ? fired : above;
      const unsigned base = k < fired.kept ? 0 : fired.kept;
      const unsigned j = k - base;
      const bool wraps = j >= part.split;
      const unsigned run = base + (wraps ? part.kept : part.split);
      const unsigned stop = run < last ? run : last;
      Cursor at = seek(part.mask, wraps ? j - part.split + part.second : j);
      for (; k < stop; at = {at.segment + 1, 0}) {
        const unsigned left = segment_counts[at.segment * kMaskParts + part.mask] - at.k;
        const unsigned pause = left < stop - k ? k + left : stop;
        const unsigned* from = &segments[at.segment * segment_slots + place(part.mask, at.k)];
        const int next = part.mask == kFiredMask ? 1 : -1;
        for (; k < pause; ++k, from += next) {
          if (kWord == 1 || k % 2 == 1)
            list[k / kWord] = kept[k / kWord] = word | *from << kHigh;
          else
            word = *from;
        }
      }
    }
    if (kWord == 2 && k % 2 == 1) list[k / kWord] = kept[k / kWord] = word;
  }

  void write_record(const Part& fired, const Part& above) {
    const unsigned begin = begin_of_window();
    const unsigned row = history_row(*step);
    counts[kFired] = fired.kept;
    counts[kListed] = fired.kept + above.kept;
    window[kBegin] = begin;
    window[kFiredSpan] = span(fired, begin);
    window[kAboveSpan] = span(above, begin);
    for (unsigned k = 0; k < kCountSize; ++k) counts_history[row * kCountSize + k] = counts[k];
    for (unsigned k = 0; k < kWindowSize; ++k) window_history[row * kWindowSize + k] = window[k];
    unsigned* const lost = &drop_history[unsigned(*step) * kDropSize];
    lost[kFiredLost] = fired.total - fired.kept;
    lost[kAboveLost] = above.total - above.kept;
  }

  // The window's length for a part: layer_size where all keep their place.
  unsigned span(const Part& part, unsigned begin) {
    if (part.kept == part.total) return layer_size;
    if (part.kept == 0) return 0;
    const unsigned last_rank = part.split > 0 ? part.split - 1 : part.second + part.kept - 1;
    const Cursor at = seek(part.mask, last_rank);
    const unsigned last = entry(at.segment, part.mask, at.k);  // in cyclic order
    return (last >= begin ? last - begin : last + layer_size - begin) + 1;
  }
};

template class MergeLists<unsigned short>;
template class MergeLists<unsigned>;

}  // namespace popsnn
