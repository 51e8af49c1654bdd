// merge_lists: merges the mask blocks of a sample to its list, and appends it to the history.
//
// A list has two sections: the fired neurons, then those only above the gradient threshold; ids
// ascend in each. A section that exceeds the capacity is filled in cyclic order from a position
// hashed from (seed, layer, step, sample), so that no neuron is favoured; the neurons dropped are
// counted. Each worker writes the ids of a block, in words, since the chip stores no less: a word
// is written with its first id, whose block may be another one than that of the second. Where the
// list is read late, its ids without a delay also go to a list of their own, which readers have
// behind that of take_spikes.
#include <poplar/Vertex.hpp>

#include "common/inlined.hpp"
#include "common/late_list.hpp"
#include "common/list_words.hpp"
#include "common/spike_records.hpp"

#ifdef __IPU__
#include "merge_ipu.hpp"
static_assert(popsnn::kMostReaders == 2, "steps of sum_numbers");
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
  // Of those who read the list late (common/late_list.hpp); without any, one row of each that is
  // not read.
  Vector<Input<Vector<unsigned, ONE_PTR, 4>>> delays;  // [readers][neurons]
  Vector<Input<Vector<unsigned, ONE_PTR, 4>>>
      undelayed_ids;                                      // [readers][blocks, undelayed_capacity]
  Vector<Input<Vector<unsigned, ONE_PTR, 4>>> undelayed;  // [1][blocks, kMostReaders]
  Vector<Output<Vector<Id, ONE_PTR, 8>>> at_once;         // [readers][padded] ids without a delay
  Vector<Output<Vector<unsigned, ONE_PTR, 4>>> at_once_counts;  // [readers][1]
  const unsigned readers;
  const unsigned blocks;
  const unsigned block_capacity;
  const unsigned undelayed_capacity;
  const unsigned padded_capacity;  // row length of ids, whole words
  const unsigned capacity;
  const unsigned sample;
  const unsigned layer;
  const unsigned layer_size;
  const unsigned usual_at_once;  // ids without a delay, for the vertex's estimate

  bool compute(unsigned worker) {
    const unsigned own = worker < blocks ? worker : blocks, stride = numWorkers();
    unsigned fired_before = 0, subthreshold_before = 0;
    add_counts(0, own, fired_before, subthreshold_before);
    unsigned all_fired = fired_before, all_subthreshold = subthreshold_before;
    add_counts(own, blocks, all_fired, all_subthreshold);
    const Section fired = select(kFiredMask, all_fired, 0, capacity);
    const Section subthreshold =
        select(kSubthresholdMask, all_subthreshold, fired.kept, capacity - fired.kept);
    if (readers > 0) write_at_once(worker, fired);
    if (worker == 0) write_counts(fired, subthreshold);
    if (worker == 1 % numWorkers()) write_window(fired, subthreshold);
    if (worker == 2 % numWorkers()) write_drops(fired, subthreshold);
    for (unsigned block = own; block < blocks; block += stride) {
      for (unsigned mask = 0; mask < kMaskKinds; ++mask)
        write_block(fired, subthreshold, mask == kFiredMask ? fired : subthreshold, block,
                    mask == kFiredMask ? fired_before : subthreshold_before);
      const unsigned next = block + stride;
      if (next < blocks) add_counts(block, next, fired_before, subthreshold_before);
    }
    return true;
  }

 private:
  static constexpr unsigned kWord = kIdsOfWord<Id>;

  // The ids of a section that are kept, from entry `begin` of the list on. The k-th of them has
  // rank k among all ids of the section, from `split` on rank k - split + second.
  struct Section {
    unsigned mask, total, begin, kept, split, second;
  };

  // Adds the counts of the blocks [first, end).
  POPSNN_INLINED void add_counts(unsigned first, unsigned end, unsigned& fired,
                                 unsigned& subthreshold) {
    const unsigned* const pairs = &block_counts[first * kMaskKinds];
#ifdef __IPU__
    ipu::sum_counts(pairs, end - first, fired, subthreshold);
#else
    for (unsigned k = 0; k < end - first; ++k) {
      fired += pairs[2 * k];
      subthreshold += pairs[2 * k + 1];
    }
#endif
  }

  unsigned begin_of_window() {
    return window_begin(sequence[0], layer, sequence[1] + unsigned(*step), sample, layer_size);
  }

  Section select(unsigned mask, unsigned total, unsigned begin, unsigned room) {
    if (total <= room) return {mask, total, begin, total, total, 0};
    const unsigned before = rank_of(mask, begin_of_window());  // ids below `begin` come last
    const unsigned high = total - before;
    return {mask, total, begin, room, high >= room ? 0 : room - high, before};
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

  unsigned* list_words() { return reinterpret_cast<unsigned*>(&ids[0]); }
  unsigned* saved_words() {
    return reinterpret_cast<unsigned*>(&ids_history[history_row(*step) * padded_capacity]);
  }

  // A block's ids of a section, the first of which has rank `before`.
  POPSNN_INLINED void write_block(const Section& fired, const Section& subthreshold,
                                  const Section& section, unsigned block, unsigned before) {
    const unsigned count = block_counts[block * kMaskKinds + section.mask], end = before + count;
    if (count == 0) return;
    if (before < section.split)
      write_run(fired, subthreshold, section, block, 0,
                (end < section.split ? end : section.split) - before, section.begin + before);
    if (section.kept > section.split)
      write_second_run(fired, subthreshold, section, block, before, end);
  }

  // Those that the cyclic order has last, of a section from which neurons are dropped.
  void write_second_run(const Section& fired, const Section& subthreshold, const Section& section,
                        unsigned block, unsigned before, unsigned end) {
    const unsigned low = before > section.second ? before : section.second;
    const unsigned last = section.second + section.kept - section.split;
    const unsigned high = end < last ? end : last;
    if (low < high)
      write_run(fired, subthreshold, section, block, low - before, high - low,
                section.begin + section.split + low - section.second);
  }

  // `size` ids of a section from the one at `first` in a block on, to the list's entries from `k`
  // on. The id before them writes the first one's word, if it is of the same.
  POPSNN_INLINED void write_run(const Section& fired, const Section& subthreshold,
                                const Section& section, unsigned block, unsigned first,
                                unsigned size, unsigned k) {
    const unsigned mask = section.mask;
    const unsigned left = block_counts[block * kMaskKinds + mask] - first;
    const unsigned* from = &block_ids[block * block_capacity + position(mask, left)];
    const int next = mask == kFiredMask ? 1 : -1;
    const unsigned skipped = k % kWord, words = (size - skipped) / kWord;
    if (skipped > 0) from += next;
    unsigned* list = list_words() + (k + skipped) / kWord;
    unsigned* saved = saved_words() + (k + skipped) / kWord;
    copy_words(from, next, words, list, saved);
    if (kWord == 1 || (size - skipped) % kWord == 0) return;
    const unsigned last = k + size;  // the word's second id, if there is any
    unsigned word = *from;
    if (last < subthreshold.begin + subthreshold.kept) {
      const unsigned count = block + 1 < blocks ? block_counts[(block + 1) * kMaskKinds + mask] : 0;
      const bool follows = count > 0 && section.kept == section.total;
      const unsigned id = follows ? entry(block + 1, mask, 0)
                                  : id_of(last < fired.kept ? fired : subthreshold, last);
      word |= id << kHigh<Id>;
    }
    *list = *saved = word;
  }

  // Of ids at `from` and every `next` words; the pointers go on.
  POPSNN_INLINED static void copy_words(const unsigned*& from, int next, unsigned words,
                                        unsigned*& list, unsigned*& saved) {  // [words]
#ifdef __IPU__
    if (kWord == 2 && words <= ipu::kMostRepeats) {
      if (words > 0) ipu::pack_words(from, next, words - 1, list, saved);
      return;
    }
#endif
    for (unsigned w = 0; w < words; ++w, from += int(kWord) * next)
      *list++ = *saved++ = kWord == 1 ? *from : *from | from[next] << kHigh<Id>;
  }

  // The id of entry `k` of a list, which is of this section.
  unsigned id_of(const Section& section, unsigned k) {
    const unsigned j = k - section.begin;
    const Cursor at =
        seek(section.mask, j < section.split ? j : j - section.split + section.second);
    return entry(at.block, section.mask, at.k);
  }

  // The ids without a delay of a list that is read late, of the neurons that are kept. Where none
  // was dropped, each worker has those of its blocks, else those of a reader.
  void write_at_once(unsigned worker, const Section& fired) {
    if (fired.kept < fired.total) {
      for (unsigned reader = worker; reader < readers; reader += numWorkers())
        write_kept(reader, fired);
      return;
    }
    for (unsigned block = worker; block < blocks; block += numWorkers()) {
      for (unsigned reader = 0; reader < readers; ++reader)
        write_undelayed(reader, block, undelayed_before(reader, block));
    }
  }

  // A reader's ids without a delay in the blocks before one.
  POPSNN_INLINED unsigned undelayed_before(unsigned reader, unsigned block) {
    const unsigned* const numbers = &undelayed[0][reader];
    unsigned before = 0;
#ifdef __IPU__
    ipu::sum_numbers(numbers, block, before);
#else
    for (unsigned k = 0; k < block; ++k) before += numbers[k * kMostReaders];
#endif
    return before;
  }

  unsigned undelayed_of(unsigned reader, unsigned block) {
    return undelayed[0][block * kMostReaders + reader];
  }
  unsigned* at_once_words(unsigned reader) {
    return reinterpret_cast<unsigned*>(&at_once[reader][0]);
  }

  // Those of a block, from entry `at` on. The id before them writes the first one's word, if it is
  // of the same.
  POPSNN_INLINED void write_undelayed(unsigned reader, unsigned block, unsigned at) {
    const unsigned count = undelayed_of(reader, block);
    if (block + 1 == blocks) at_once_counts[reader][0] = at + count;
    if (count == 0) return;
    const unsigned* const from = &undelayed_ids[reader][block * undelayed_capacity];
    unsigned* list = at_once_words(reader) + (at + kWord - 1) / kWord;
    unsigned k = at % kWord;
    for (; k + kWord <= count; k += kWord)
      *list++ = kWord == 1 ? from[k] : from[k] | from[k + 1] << kHigh<Id>;
    if (k < count) *list = from[k] | first_after(reader, block) << kHigh<Id>;
  }

  // The first id without a delay of the blocks after one, or 0.
  unsigned first_after(unsigned reader, unsigned block) {
    while (++block < blocks)
      if (undelayed_of(reader, block) > 0) return undelayed_ids[reader][block * undelayed_capacity];
    return 0;
  }

  // Of a list from which neurons were dropped.
  void write_kept(unsigned reader, const Section& fired) {
    const unsigned* const delays_of = &delays[reader][0];
    unsigned* const list = at_once_words(reader);
    unsigned count = 0;
    for (unsigned k = 0; k < fired.kept; ++k) {
      const unsigned id = id_of(fired, k);
      if (delays_of[id] != 0) continue;
      unsigned& word = list[count / kWord];
      word = count % kWord == 0 ? id : word | id << kHigh<Id>;
      ++count;
    }
    at_once_counts[reader][0] = count;
  }

  void write_counts(const Section& fired, const Section& subthreshold) {
    unsigned* const saved = &counts_history[history_row(*step) * kCountSize];
    counts[kFired] = saved[kFired] = fired.kept;
    counts[kActive] = saved[kActive] = fired.kept + subthreshold.kept;
  }

  // Where no neuron was dropped, the interval begins at 0.
  void write_window(const Section& fired, const Section& subthreshold) {
    const bool whole = fired.kept == fired.total && subthreshold.kept == subthreshold.total;
    const unsigned begin = whole ? 0 : begin_of_window();
    unsigned* const saved = &window_history[history_row(*step) * kWindowSize];
    window[kBegin] = saved[kBegin] = begin;
    window[kFiredSpan] = saved[kFiredSpan] = span(fired, begin);
    window[kSubthresholdSpan] = saved[kSubthresholdSpan] = span(subthreshold, begin);
  }

  void write_drops(const Section& fired, const Section& subthreshold) {
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
