// take_spikes: makes the list of the spikes that arrive at time step t of their bits.
//
// A list has two sections, the neurons that fired and those only above the gradient threshold, and
// a third where delays learn (sections.hpp); ids ascend in each. The forward pass takes the first
// one alone, while the spikes of time step t are not known yet. The backward pass takes all, and
// finds where each worker's range of the list begins.
//
// Outside of the history a list is empty. Each worker has ranges of the words of bits, and writes
// the words of the list that begin there: their second id may be of another range.
#include <poplar/Vertex.hpp>

#include "common/inlined.hpp"
#include "common/list_words.hpp"
#include "common/spike_records.hpp"

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
  const unsigned ranges;    // 0 or 1: bounds are written
  const unsigned counted;   // 0 or 1: real_counts are written
  const int offset;         // t is step + offset

  bool compute(unsigned worker) {
    const int t = *step + offset;
    for (unsigned b = 0; b < samples; ++b) {
      const bool inside = t >= 0 && t < int(steps);
      if (inside) write_list(worker, b, unsigned(t));
      if (worker == 0) write_records(b, inside ? sizes_of(b, unsigned(t)) : nullptr);
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
    for (unsigned range = 0; range < ranges; ++range) sum += size[range];
    return sum;
  }

  // `size`: [sections * kWorkerRanges], or null outside of the history.
  void write_records(unsigned b, const unsigned* size) {
    const unsigned fired = size ? total(size, kWorkerRanges) : 0;
    const unsigned others = size ? total(size + kWorkerRanges, (taken - 1) * kWorkerRanges) : 0;
    counts[b * kCountSize + kFired] = fired;
    counts[b * kCountSize + kActive] = fired + others;
    if (counted != 0) {
      real_counts[0][b * kCountSize + kFired] = counts[b * kCountSize + kFired];
      real_counts[0][b * kCountSize + kActive] = size ? total(size, kMaskKinds * kWorkerRanges) : 0;
    }
    if (ranges == 0) return;
    unsigned* const bound = &bounds[0][b * (kWorkerRanges + 1)];
    bound[0] = 0;
    for (unsigned range = 0; range < kWorkerRanges; ++range)
      bound[range + 1] = bound[range] + (size ? size[range] : 0);
  }

  void write_list(unsigned worker, unsigned b, unsigned t) {
    const unsigned* const size = sizes_of(b, t);
    const unsigned* const row = &bits[(b * steps + t) * sections * words];
    unsigned* const list = reinterpret_cast<unsigned*>(&ids[b * padded_capacity]);
    for (unsigned kind = 0; kind < taken; ++kind)
      for (unsigned range = worker; range < kWorkerRanges; range += numWorkers()) {
        const unsigned at = kind * kWorkerRanges + range, begin = total(size, at);
        write(row, kind * words + range_begin(words, range), begin, begin + size[at], list);
      }
  }

  // Ids in a row of bits, from word `w` on.
  struct Bits {
    const unsigned* const row;  // [sections, words]
    unsigned w, left;

    // Whether there is another one before word `end`, from which on there are none.
    POPSNN_INLINED bool find(unsigned end) {
      while (left == 0) {
        if (++w == end) return false;
        left = row[w];
      }
      return true;
    }
    POPSNN_INLINED unsigned take(unsigned words) {
      const unsigned bit = unsigned(__builtin_ctz(left));
      left &= left - 1;
      unsigned of_section = w;
      while (of_section >= words) of_section -= words;
      return of_section * kMaskBits + bit;
    }
  };

  // The list's words that begin in [begin, end), of the bits from word `w` of a row on.
  POPSNN_INLINED void write(const unsigned* row,  // [sections, words]
                            unsigned w, unsigned begin, unsigned end,
                            unsigned* list) {  // [padded_capacity] ids as words
    if (begin == end) return;
    const unsigned last = taken * words;
    Bits bits_left = {row, w, row[w]};
    if (begin % kWord != 0) {
      bits_left.find(last);
      bits_left.take(words);
    }
    for (unsigned k = (begin + kWord - 1) / kWord * kWord; k < end; k += kWord) {
      bits_left.find(last);
      unsigned word = bits_left.take(words);
      if (kWord == 2 && bits_left.find(last)) word |= bits_left.take(words) << kHigh<Id>;
      list[k / kWord] = word;
    }
  }
};

template class TakeSpikes<unsigned short>;
template class TakeSpikes<unsigned>;

}  // namespace popsnn
