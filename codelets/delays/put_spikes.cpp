// put_spikes: enters the spikes of time step t in the history of bits, where they arrive.
//
//   bits[t + delays[id], kind] |= the bit of id  for the entries of a list, by its two sections
//   sizes[t + delays[id], kind, range] += 1
//
// Where the delays learn, an id that fired is also a neighbor one step before and one step after it
// arrives, of delays 0 to `longest`; unless it is in another section there.
//
// The list that arrives at time step t - 1 is complete by then: its lengths are recorded.
//
// The list itself is saved for the backward pass (gather_arrivals.cpp). Each worker has ranges of
// the words of bits, and so a range of each section, whose ids ascend; and a range of the list's
// words.
#include <poplar/Vertex.hpp>

#include "common/list_words.hpp"
#include "common/lower_bound.hpp"
#include "common/spike_records.hpp"
#include "sections.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class PutSpikes : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 8>> ids;                   // [samples, padded_capacity] of time step t
  Input<Vector<unsigned, ONE_PTR, 4>> counts;          // [samples, 2]
  Input<Vector<unsigned, ONE_PTR, 4>> delays;          // [neurons] in time steps
  Input<int> first_step;                               // of the interval
  Input<int> row;                                      // of the interval
  InOut<Vector<unsigned, ONE_PTR, 4>> bits;            // [samples, steps, sections, words]
  InOut<Vector<unsigned, ONE_PTR, 4>> sizes;           // [samples, steps, sections, kWorkerRanges]
  InOut<Vector<Id, ONE_PTR, 8>> fired_history;         // [samples, steps, padded_capacity]
  InOut<Vector<unsigned, ONE_PTR, 4>> lengths;         // [samples, steps, 2] of its lists
  InOut<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2] of arrivals
  const unsigned samples;
  const unsigned padded_capacity;
  const unsigned steps;
  const unsigned words;     // of a bit for each neuron
  const unsigned sections;  // 2 or 3
  const unsigned longest;   // delay
  const int offset;  // t is first_step + row + offset; before 0 there is nothing to do, after the
                     // last time step nothing to enter

  bool compute(unsigned worker) {
    const int t = *first_step + *row + offset;
    if (t < 0) return true;
    for (unsigned b = 0; b < samples; ++b) {
      if (worker == 0 && t > 0) record(b, unsigned(t) - 1);
      if (t >= int(steps)) continue;
      save(worker, b, b * steps + unsigned(t));
      const Id* const list = &ids[b * padded_capacity];
      const unsigned fired = counts[b * kCountSize + kFired];
      const unsigned active = counts[b * kCountSize + kActive];
      for (unsigned range = worker; range < kWorkerRanges; range += numWorkers()) {
        put(list, fired, unsigned(t), b, kFiredMask, range);
        put(list + fired, active - fired, unsigned(t), b, kSubthresholdMask, range);
      }
    }
    return true;
  }

 private:
  void record(unsigned b, unsigned t) {
    const unsigned* const size = &sizes[(b * steps + t) * sections * kWorkerRanges];
    unsigned fired = 0, active = 0;
    for (unsigned range = 0; range < sections * kWorkerRanges; ++range) {
      active += size[range];
      if (range < kWorkerRanges) fired = active;
    }
    unsigned* const row = &counts_history[(b * (1 + steps) + history_row(int(t))) * kCountSize];
    row[kFired] = fired;
    row[kActive] = active;
  }

  void save(unsigned worker, unsigned b, unsigned row) {
    const unsigned active = counts[b * kCountSize + kActive];
    const unsigned list_words = (active + kIdsOfWord<Id> - 1) / kIdsOfWord<Id>;
    if (worker == 0) {
      lengths[row * kCountSize + kFired] = counts[b * kCountSize + kFired];
      lengths[row * kCountSize + kActive] = active;
    }
    const unsigned* const from = reinterpret_cast<const unsigned*>(&ids[b * padded_capacity]);
    unsigned* const to = reinterpret_cast<unsigned*>(&fired_history[row * padded_capacity]);
    const unsigned end = worker_begin(list_words, worker + 1, numWorkers());
    for (unsigned k = worker_begin(list_words, worker, numWorkers()); k < end; ++k) to[k] = from[k];
  }

  void put(const Id* section /* [size] */, unsigned size, unsigned t, unsigned b, unsigned kind,
           unsigned range) {
    const unsigned high = range_begin(words, range + 1) * kMaskBits;
    unsigned k = lower_bound(section, size, range_begin(words, range) * kMaskBits);
    for (; k < size && section[k] < high; ++k) {
      const unsigned id = section[k], delay = delays[id], arrival = t + delay;
      const bool learns = sections == kLearntKinds;
      if (arrival < steps) {
        if (learns) remove_neighbor(b * steps + arrival, id, range);
        add(b * steps + arrival, kind, id, range);
      }
      if (!learns || kind != kFiredMask) continue;
      if (delay > 0) add_neighbor(b, arrival - 1, id, range);
      if (delay < longest) add_neighbor(b, arrival + 1, id, range);
    }
  }

  // `row`: of [samples, steps].
  unsigned& word_of(unsigned row, unsigned kind, unsigned id) {
    return bits[(row * sections + kind) * words + id / kMaskBits];
  }
  void add(unsigned row, unsigned kind, unsigned id, unsigned range) {
    word_of(row, kind, id) |= history_bit(id);
    ++sizes[(row * sections + kind) * kWorkerRanges + range];
  }
  void remove_neighbor(unsigned row, unsigned id, unsigned range) {
    unsigned& word = word_of(row, kNeighborMask, id);
    const unsigned bit = history_bit(id);
    if ((word & bit) == 0) return;
    word &= ~bit;
    --sizes[(row * sections + kNeighborMask) * kWorkerRanges + range];
  }
  void add_neighbor(unsigned b, unsigned t, unsigned id, unsigned range) {
    if (t >= steps) return;
    const unsigned row = b * steps + t;
    unsigned listed = 0;
    for (unsigned kind = 0; kind < kLearntKinds; ++kind) listed |= word_of(row, kind, id);
    if ((listed & history_bit(id)) == 0) add(row, kNeighborMask, id, range);
  }
};

template class PutSpikes<unsigned short>;
template class PutSpikes<unsigned>;

}  // namespace popsnn
