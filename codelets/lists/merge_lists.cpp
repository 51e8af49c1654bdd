// merge_lists: merges the mask blocks of a sample to its list, and appends it to the history.
//
// A list has two sections: the fired neurons, then those only above the gradient threshold; ids
// ascend in each. A section that exceeds the capacity is filled in cyclic order from a position
// hashed from (seed, layer, step, sample), so that no neuron is favoured; the neurons dropped are
// counted. One worker writes the records; each other one finds its range of the list's words and
// writes it: the chip stores no less than a word, and has no integer division.
#include <poplar/Vertex.hpp>

#include "common/inlined.hpp"
#include "common/list_words.hpp"
#include "common/spike_records.hpp"

#ifdef __IPU__
#include "merge_ipu.hpp"
#endif

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class MergeLists : public MultiVertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> block_ids;     // [blocks, block_capacity] of scan_masks
  Input<Vector<unsigned, ONE_PTR, 4>> block_counts;  // [blocks, 2] fired, subthreshold
  Input<Vector<unsigned, ONE_PTR, 4>> sequence;      // [2] its seed, and its steps before this run
  Input<int> step;
  Output<Vector<Id, ONE_PTR, 8>> ids;                  // [padded_capacity] this time step's list
  Output<Vector<unsigned, ONE_PTR, 4>> counts;         // [2]
  Output<Vector<unsigned, ONE_PTR, 4>> window;         // [3]
  InOut<Vector<Id, ONE_PTR, 8>> ids_history;           // [1 + steps, padded_capacity]
  InOut<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [1 + steps, 2]
  InOut<Vector<unsigned, ONE_PTR, 4>> window_history;  // [1 + steps, 3]
  InOut<Vector<unsigned, ONE_PTR, 4>> drop_history;    // [steps, 2]
  // Of those who read the list late (delays/append_spikes.cpp);
  // one row that is not read without any.
  Vector<Input<Vector<unsigned, ONE_PTR, 4>>> delays;      // [readers][neurons]
  Vector<Output<Vector<unsigned, ONE_PTR, 4>>> undelayed;  // [readers][kWorkerRanges] by writer
  // Their ids, a writer's from the first entry of its words on.
  Vector<Output<Vector<unsigned, ONE_PTR, 4>>> undelayed_ids;  // [readers][padded_capacity]
  const unsigned readers;
  const unsigned blocks;
  const unsigned block_capacity;
  const unsigned padded_capacity;  // row length of ids, whole words
  const unsigned capacity;
  const unsigned sample;
  const unsigned layer;
  const unsigned layer_size;

  bool compute(unsigned worker) {
    unsigned all_fired = 0, all_subthreshold = 0;
#ifdef __IPU__
    ipu::sum_counts(&block_counts[0], blocks, all_fired, all_subthreshold);
#else
    for (unsigned s = 0; s < blocks; ++s) {
      all_fired += block_counts[s * kMaskKinds + kFiredMask];
      all_subthreshold += block_counts[s * kMaskKinds + kSubthresholdMask];
    }
#endif
    const Section fired = select(kFiredMask, all_fired, capacity);
    const Section subthreshold = select(kSubthresholdMask, all_subthreshold, capacity - fired.kept);
    if (worker == 0) write_record(fired, subthreshold);
    if (worker < list_recorders(numWorkers())) return true;
    const unsigned writer = worker - list_recorders(numWorkers());
    const WordRange range = writer_range<Id>(fired.kept + subthreshold.kept, writer, numWorkers());
    write_words(fired, subthreshold, range.begin, range.end);
    const unsigned end = range.end * kWord < fired.kept ? range.end * kWord : fired.kept;
    for (unsigned reader = 0; reader < readers; ++reader) {
      unsigned* const first = &undelayed_ids[reader][range.begin * kWord];
      unsigned* next = first;
      for (unsigned k = range.begin * kWord; k < end; ++k) {
        const unsigned id = id_at(k);
        if (delays[reader][id] == 0) *next++ = id;
      }
      undelayed[reader][writer] = unsigned(next - first);
    }
    return true;
  }

 private:
  static constexpr unsigned kWord = kIdsOfWord<Id>;

  // Entry `k` of the list, which has been written as words.
  unsigned id_at(unsigned k) {
    const unsigned word = reinterpret_cast<const unsigned*>(&ids[0])[k / kWord];
    return kWord == 1 ? word : k % 2 == 1 ? word >> kHigh<Id> : word & ((1u << kHigh<Id>)-1);
  }

  // The ids of a section that are kept. The k-th of them has rank k among all ids of the section,
  // from `split` on rank k - split + second.
  struct Section {
    unsigned mask, total, kept, split, second;
  };

  unsigned begin_of_window() {
    return window_begin(sequence[0], layer, sequence[1] + unsigned(*step), sample, layer_size);
  }

  Section select(unsigned mask, unsigned total, unsigned room) {
    if (total <= room) return {mask, total, total, total, 0};
    const unsigned before = rank_of(mask, begin_of_window());  // ids below `begin` come last
    const unsigned high = total - before;
    return {mask, total, room, high >= room ? 0 : room - high, before};
  }

  // Ids of a section below `begin`.
  unsigned rank_of(unsigned mask, unsigned begin) {
    unsigned rank = 0;
    for (unsigned s = 0; s < blocks; ++s) {
      const unsigned count = block_counts[s * kMaskKinds + mask];
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

  // Entry `k` of a section in a block.
  unsigned entry(unsigned block, unsigned mask, unsigned k) {
    const unsigned left = block_counts[block * kMaskKinds + mask] - k;
    return block_ids[block * block_capacity + position(mask, left)];
  }

  // Where a section's id is in a block that has so many from it on: fired neurons ascend to the
  // block's end, others to its begin.
  unsigned position(unsigned mask, unsigned left) const {
    return mask == kFiredMask ? block_capacity - left : left - 1;
  }

  // The block that has a section's id of some rank, and its position there.
  struct Cursor {
    unsigned block, k;
  };

  POPSNN_INLINED Cursor seek(unsigned mask, unsigned rank) {
#ifdef __IPU__
    const unsigned* const counts_of = &block_counts[mask];
    const unsigned* at = counts_of;
    ipu::seek_block(at, rank);
    return {unsigned(at - counts_of) / kMaskKinds - 1, rank};
#else
    unsigned block = 0, count = block_counts[mask];
    while (rank >= count) {
      rank -= count;
      count = block_counts[++block * kMaskKinds + mask];
    }
    return {block, rank};
#endif
  }

  // The list's words [first, end).
  POPSNN_INLINED void write_words(const Section& fired, const Section& subthreshold, unsigned first,
                                  unsigned end) {
    unsigned* const list = reinterpret_cast<unsigned*>(&ids[0]);
    unsigned* const saved =
        reinterpret_cast<unsigned*>(&ids_history[history_row(*step) * padded_capacity]);
    const unsigned active = fired.kept + subthreshold.kept;
    const unsigned last = end * kWord < active ? end * kWord : active;
    unsigned word = 0;
    unsigned k = first * kWord;
    while (k < last) {
      // A run of ids that follow each other in one section.
      const Section& section = k < fired.kept ? fired : subthreshold;
      const unsigned base = k < fired.kept ? 0 : fired.kept;
      const unsigned j = k - base;
      const bool wraps = j >= section.split;
      const unsigned run = base + (wraps ? section.kept : section.split);
      const unsigned stop = run < last ? run : last;
      Cursor at = seek(section.mask, wraps ? j - section.split + section.second : j);
      for (; k < stop; at = {at.block + 1, 0}) {
        const unsigned left = block_counts[at.block * kMaskKinds + section.mask] - at.k;
        const unsigned pause = left < stop - k ? k + left : stop;
        const unsigned* from = &block_ids[at.block * block_capacity + position(section.mask, left)];
        const int next = section.mask == kFiredMask ? 1 : -1;
        if (kWord == 2 && k % 2 == 1 && k < pause) {
          list[k / 2] = saved[k / 2] = word | *from << kHigh<Id>;
          from += next;
          ++k;
        }
        for (; k + kWord <= pause; k += kWord, from += int(kWord) * next)
          list[k / kWord] = saved[k / kWord] = kWord == 1 ? *from : *from | from[next] << kHigh<Id>;
        if (kWord == 2 && k < pause) {
          word = *from;
          ++k;
        }
      }
    }
    if (kWord == 2 && k % 2 == 1) list[k / kWord] = saved[k / kWord] = word;
  }

  void write_record(const Section& fired, const Section& subthreshold) {
    const unsigned begin = begin_of_window();
    const unsigned row = history_row(*step);
    counts[kFired] = fired.kept;
    counts[kActive] = fired.kept + subthreshold.kept;
    window[kBegin] = begin;
    window[kFiredSpan] = span(fired, begin);
    window[kSubthresholdSpan] = span(subthreshold, begin);
    for (unsigned k = 0; k < kCountSize; ++k) counts_history[row * kCountSize + k] = counts[k];
    for (unsigned k = 0; k < kWindowSize; ++k) window_history[row * kWindowSize + k] = window[k];
    unsigned* const dropped = &drop_history[unsigned(*step) * kDropSize];
    dropped[kFiredDropped] = fired.total - fired.kept;
    dropped[kSubthresholdDropped] = subthreshold.total - subthreshold.kept;
  }

  // The window's span for a section: layer_size where no neuron was dropped.
  unsigned span(const Section& section, unsigned begin) {
    if (section.kept == section.total) return layer_size;
    if (section.kept == 0) return 0;
    const unsigned last_rank =
        section.split > 0 ? section.split - 1 : section.second + section.kept - 1;
    const Cursor at = seek(section.mask, last_rank);
    const unsigned last = entry(at.block, section.mask, at.k);  // in cyclic order
    return (last >= begin ? last - begin : last + layer_size - begin) + 1;
  }
};

template class MergeLists<unsigned short>;
template class MergeLists<unsigned>;

}  // namespace popsnn
