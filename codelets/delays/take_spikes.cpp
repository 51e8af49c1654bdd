// take_spikes: makes the list of the spikes that arrive at time step t of their bits.
//
// A list has two sections, the neurons that fired and those only above the gradient threshold, and
// a third where delays learn (sections.hpp); ids ascend in each. The forward pass takes the first
// one alone, while the spikes of time step t are not known yet, which merge_lists then puts behind
// it (common/late_list.hpp). The backward pass takes all, and finds where each worker's range of
// the list begins.
//
// Outside of the history a list is empty. Each worker has ranges of the words of bits, and writes
// the words of the list that begin there: their second id may be of another range.
#include <poplar/Vertex.hpp>

#include "common/inlined.hpp"
#include "common/list_words.hpp"
#include "common/spike_records.hpp"
#include "sections.hpp"

#ifdef __IPU__
#include "take_ipu.hpp"
#endif

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class TakeSpikes : public MultiVertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> bits;   // [samples, steps, sections, words]
  Input<Vector<unsigned, ONE_PTR, 4>> sizes;  // [samples, steps, sections, kWorkerRanges]
  Input<int> step;
  Output<Vector<Id, ONE_PTR, 8>> ids;           // [samples, padded_capacity]
  Output<Vector<unsigned, ONE_PTR, 4>> counts;  // [samples, 2] of the sections that are taken
  // What is not asked for is [1][1].
  Vector<Output<Vector<unsigned, ONE_PTR, 4>>> bounds;  // [1][samples, kWorkerRanges + 1]
  // [1][samples, 2] of the first two sections
  Vector<Output<Vector<unsigned, ONE_PTR, 4>>> real_counts;
  const unsigned samples;
  const unsigned steps;
  const unsigned padded_capacity;
  const unsigned words;     // of a bit for each neuron
  const unsigned taken;     // of the sections, the first
  const unsigned sections;  // 2 or 3
  const unsigned counted;   // 0 or 1: real_counts are written
  // 0 or 1: of a forward step, where the list ends where its row ends (common/late_list.hpp); of
  // others bounds are written.
  const unsigned forward;
  const int offset;  // t is step + offset

  bool compute(unsigned worker) {
    const int t = *step + offset;
    for (unsigned b = 0; b < samples; ++b) {
      const bool inside = t >= 0 && t < int(steps);
      const unsigned* const size = inside ? sizes_of(b, unsigned(t)) : nullptr;
      const bool counts_here = inside && (forward != 0 || worker == 0);
      const unsigned fired = counts_here ? total(size, kWorkerRanges) : 0;
      if (inside)
        write_list(worker, b, unsigned(t), size, forward != 0 ? padded_capacity - fired : 0);
      if (worker == 0) write_records(b, size, fired);
    }
    return true;
  }

 private:
  static constexpr unsigned kWord = kIdsOfWord<Id>;

  const unsigned* sizes_of(unsigned b, unsigned t) {
    return &sizes[(b * steps + t) * sections * kWorkerRanges];
  }

  static unsigned total(const unsigned* size /* [ranges] */, unsigned ranges) {
    unsigned sum = 0;
#ifdef __IPU__
    ipu::sum_sizes(size, ranges, sum);
#else
    for (unsigned range = 0; range < ranges; ++range) sum += size[range];
#endif
    return sum;
  }

  // `size`: [sections * kWorkerRanges], or null outside of the history. `fired`: the ids of the
  // first section.
  void write_records(unsigned b, const unsigned* size, unsigned fired) {
    const unsigned others = size ? total(size + kWorkerRanges, (taken - 1) * kWorkerRanges) : 0;
    counts[b * kCountSize + kFired] = fired;
    counts[b * kCountSize + kActive] = fired + others;
    if (counted != 0) {
      real_counts[0][b * kCountSize + kFired] = counts[b * kCountSize + kFired];
      real_counts[0][b * kCountSize + kActive] = size ? total(size, kMaskKinds * kWorkerRanges) : 0;
    }
    if (forward != 0) return;
    unsigned* const bound = &bounds[0][b * (kWorkerRanges + 1)];
    bound[0] = 0;
    for (unsigned range = 0; range < kWorkerRanges; ++range)
      bound[range + 1] = bound[range] + (size ? size[range] : 0);
  }

  // The list begins at entry `start` of its row.
  void write_list(unsigned worker, unsigned b, unsigned t,
                  const unsigned* size,  // [sections * kWorkerRanges]
                  unsigned start) {
    const unsigned* const row = &bits[(b * steps + t) * sections * words];
    unsigned* const list = reinterpret_cast<unsigned*>(&ids[b * padded_capacity]);
    for (unsigned kind = 0; kind < taken; ++kind)
      for (unsigned range = worker; range < kWorkerRanges; range += numWorkers()) {
        const unsigned at = kind * kWorkerRanges + range;
        if (size[at] == 0) continue;
        const unsigned first = range_begin(words, range), end = range_begin(words, range + 1);
        write(row, kind * words + first, end - first, first * kMaskBits, start,
              start + total(size, at), list);
      }
  }

  // The list's words that begin with a bit of the words [w, w + own) of a row, of which the first
  // bit has id `base` and the first that is set entry `begin` of the list, which has none before
  // entry `start`.
  POPSNN_INLINED void write(const unsigned* row,  // [sections, words]
                            unsigned w, unsigned own, unsigned base, unsigned start, unsigned begin,
                            unsigned* list) {  // [padded_capacity] ids as words
    const unsigned* next = row + w + 1;
    unsigned mask = row[w], more = own - 1;
    list += begin / kWord;
    if (begin % kWord != 0) {  // the id before has its word
      if (mask == 0) {
        const unsigned* const from = next;
        mask = first_word(next, more - 1);
        more -= unsigned(next - from);
        base += kMaskBits * unsigned(next - from);
      }
      const unsigned bit = unsigned(__builtin_clz(mask));
      if (begin == start) *list = (base + bit) << kHigh<Id>;
      mask ^= history_bit(bit);
      ++list;
    }
    unsigned low;
    if (!take(next, more, mask, base, list, low)) return;
    const unsigned left = taken * words - unsigned(next - row);
    mask = left == 0 ? 0 : first_word(next, left - 1);
    if (mask != 0) low |= id_of(unsigned(next - row) - 1, mask) << kHigh<Id>;
    *list = low;
  }

  // All of a range's bits; returns whether `low` has a last one, whose word another one ends.
  POPSNN_INLINED static bool take(const unsigned*& next,  // [more]
                                  unsigned more, unsigned mask, unsigned base, unsigned*& list,
                                  unsigned& low) {
#ifdef __IPU__
    if constexpr (kWord == 2) {
      unsigned alone;
      ipu::take_words(next, more, mask, base, list, low, alone);
      return alone != 0;
    }
#endif
    bool alone = false;
    for (;; --more, mask = *next++, base += kMaskBits) {
      while (mask != 0) {
        const unsigned bit = unsigned(__builtin_clz(mask)), id = base + bit;
        mask ^= history_bit(bit);
        if (alone || kWord == 1)
          *list++ = kWord == 1 ? id : low | id << kHigh<Id>;
        else
          low = id;
        alone = kWord == 2 && !alone;
      }
      if (more == 0) return alone;
    }
  }

  // Steps past the first word that is not 0, of one and `more` after it; 0 without any.
  POPSNN_INLINED static unsigned first_word(const unsigned*& next /* [1 + more] */, unsigned more) {
#ifdef __IPU__
    unsigned mask;
    ipu::next_word(next, more, mask);
    return mask;
#else
    for (;; --more) {
      const unsigned mask = *next++;
      if (mask != 0 || more == 0) return mask;
    }
#endif
  }

  // The id of the first bit of word `w` of a row.
  unsigned id_of(unsigned w, unsigned mask) {
    while (w >= words) w -= words;
    return w * kMaskBits + unsigned(__builtin_clz(mask));
  }
};

template class TakeSpikes<unsigned short>;
template class TakeSpikes<unsigned>;

}  // namespace popsnn
