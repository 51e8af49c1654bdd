// take_spikes: makes the list of the spikes that arrive at time step t of their bits in the ring,
// and appends it to the history.
//
// A list has two sections, the neurons that fired and those only above the gradient threshold; ids
// ascend in each. As many may arrive at a time step as fired over several: rows of the history have
// their own lengths. One worker writes the records; all write ranges of the list's words.
#include <poplar/Vertex.hpp>

#include "arrivals.hpp"
#include "common/spike_records.hpp"
#include "ring.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class TakeSpikes : public MultiVertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> ring;  // [samples, slots, 2, words]
  Input<int> step;
  Output<Vector<Id, ONE_PTR, 8>> ids;                  // [samples, padded_capacity] of this step
  Output<Vector<unsigned, ONE_PTR, 4>> counts;         // [samples, 2]
  InOut<Vector<Id, ONE_PTR, 8>> ids_history;           // [samples, entries], row after row
  InOut<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  InOut<Vector<unsigned, ONE_PTR, 4>> begins;          // [samples, 1 + steps] of rows
  const unsigned samples;
  const unsigned steps;
  const unsigned padded_capacity;
  const unsigned entries;
  const unsigned slots;
  const unsigned words;  // of a bit for each neuron

  bool compute(unsigned worker) {
    const unsigned t = unsigned(*step), now = ring_slot(t, slots);
    for (unsigned b = 0; b < samples; ++b) {
      const unsigned* const row = &ring[(b * slots + now) * kMaskKinds * words];
      const unsigned fired = bits_of(row), active = fired + bits_of(row + words);
      const unsigned begin = begins[b * (1 + steps) + t];
      if (worker == 0) {
        unsigned* const saved =
            &counts_history[(b * (1 + steps) + history_row(int(t))) * kCountSize];
        counts[b * kCountSize + kFired] = saved[kFired] = fired;
        counts[b * kCountSize + kActive] = saved[kActive] = active;
        begins[b * (1 + steps) + t + 1] = begin + whole_words<Id>(active);
      }
      const unsigned list_words = whole_words<Id>(active) / kIdsOfWord<Id>;
      write(row, active, list_words * worker / numWorkers(),
            list_words * (worker + 1) / numWorkers(),
            reinterpret_cast<unsigned*>(&ids[b * padded_capacity]),
            reinterpret_cast<unsigned*>(&ids_history[b * entries + begin]));
    }
    return true;
  }

 private:
  unsigned bits_of(const unsigned* row) const {  // [words]
    unsigned bits = 0;
    for (unsigned w = 0; w < words; ++w) bits += unsigned(__builtin_popcount(row[w]));
    return bits;
  }

  // The list's words [first, end), of the bits of both sections in a row.
  void write(const unsigned* row,  // [2, words]
             unsigned active, unsigned first, unsigned end, unsigned* list, unsigned* saved) {
    if (first == end) return;
    constexpr unsigned kWord = kIdsOfWord<Id>;
    unsigned rank = first * kWord, w = 0, bits = row[0];
    for (unsigned count; (count = unsigned(__builtin_popcount(bits))) <= rank; bits = row[++w])
      rank -= count;
    for (; rank > 0; --rank) bits &= bits - 1;
    const unsigned last = end * kWord < active ? end * kWord : active;
    unsigned word = 0;
    for (unsigned k = first * kWord; k < last; ++k) {
      while (bits == 0) bits = row[++w];
      const unsigned id = (w < words ? w : w - words) * kMaskBits + unsigned(__builtin_ctz(bits));
      bits &= bits - 1;
      word = k % kWord == 0 ? id : word | id << (kMaskBits / 2);
      list[k / kWord] = saved[k / kWord] = word;
    }
  }
};

template class TakeSpikes<unsigned short>;
template class TakeSpikes<unsigned>;

}  // namespace popsnn
