// merge_lists: the segments of a sample's neurons become its list, and enter the history.
//
// The list: the fired neurons that keep their place, ascending, then those that are only above the
// gradient's threshold, ascending. Where a part does not fit its places, they go in cyclic order
// from a position hashed from (seed, layer, step, sample), so that no neuron is favoured; what is
// left over is counted.
#include <poplar/Vertex.hpp>

#include "neuron.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class MergeLists : public Vertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> segments;              // [parts, segment_slots], ids ascending
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
  const unsigned slots;     // row length of ids, >= capacity
  const unsigned capacity;  // places
  const unsigned sample;
  const unsigned layer;
  const unsigned layer_size;

  bool compute() {
    const unsigned begin =
        window_begin(sequence[0], layer, sequence[1] + unsigned(*step), sample, layer_size);
    const unsigned row = history_row(*step);
    unsigned* const lost = &drop_history[unsigned(*step) * kDropSize];
    Id* const list = &ids[0];
    window[kBegin] = begin;
    const unsigned fired =
        list_part(kFiredMask, capacity, begin, list, &window[kFiredSpan], lost + kFiredLost);
    const unsigned listed = fired + list_part(kAboveMask, capacity - fired, begin, list + fired,
                                              &window[kAboveSpan], lost + kAboveLost);
    counts[kFired] = fired;
    counts[kListed] = listed;
    Id* const kept = &ids_history[row * slots];
    for (unsigned k = 0; k < listed; ++k) kept[k] = list[k];
    for (unsigned k = 0; k < kCountSize; ++k) counts_history[row * kCountSize + k] = counts[k];
    for (unsigned k = 0; k < kWindowSize; ++k) window_history[row * kWindowSize + k] = window[k];
    return true;
  }

 private:
  // Entry `k` of a part in one segment.
  Id entry(unsigned segment, unsigned part, unsigned k) {
    const unsigned at = part == kFiredMask ? k : segment_slots - 1 - k;
    return segments[segment * segment_slots + at];
  }

  // Writes the ids of one part that keep their place, `room` at most; returns how many they are.
  unsigned list_part(unsigned part, unsigned room, unsigned begin,
                     Id* list,          // [room]
                     unsigned* span,    // [1] the window's length: layer_size where all keep it
                     unsigned* lost) {  // [1]
    unsigned total = 0;
    for (unsigned s = 0; s < parts; ++s) total += segment_counts[s * kMaskParts + part];
    *lost = 0;
    *span = layer_size;
    if (total <= room) return copy_ranks(part, 0, total, list);
    *lost = total - room;
    *span = 0;
    if (room == 0) return 0;
    const unsigned before = rank_of(part, begin);  // those whose id is below `begin` come last
    const unsigned high = total - before;
    unsigned last;  // the last id in cyclic order that keeps its place
    if (high >= room) {
      copy_ranks(part, before, before + room, list);
      last = list[room - 1];
    } else {
      copy_ranks(part, 0, room - high, list);
      last = list[room - high - 1];
      copy_ranks(part, before, total, list + room - high);
    }
    *span = (last >= begin ? last - begin : last + layer_size - begin) + 1;
    return room;
  }

  // How many ids of a part are below `begin`.
  unsigned rank_of(unsigned part, unsigned begin) {
    unsigned rank = 0;
    for (unsigned s = 0; s < parts; ++s) {
      const unsigned count = segment_counts[s * kMaskParts + part];
      if (count == 0) continue;
      if (entry(s, part, count - 1) < begin) {
        rank += count;
        continue;
      }
      for (unsigned k = 0; entry(s, part, k) < begin; ++k) ++rank;
      break;
    }
    return rank;
  }

  // Copies the entries [from, to) of a part; returns how many they are.
  unsigned copy_ranks(unsigned part, unsigned from, unsigned to,
                      Id* list) {     // [to - from]
    unsigned written = 0, first = 0;  // rank of the segment's first entry
    for (unsigned s = 0; s < parts && first < to; ++s) {
      const unsigned count = segment_counts[s * kMaskParts + part];
      const unsigned end = first + count < to ? count : to - first;
      for (unsigned k = from > first ? from - first : 0; k < end; ++k)
        list[written++] = entry(s, part, k);
      first += count;
    }
    return written;
  }
};

template class MergeLists<unsigned short>;
template class MergeLists<unsigned>;

}  // namespace popsnn
