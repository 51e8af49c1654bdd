// compact_spikes: compacts dense rows of spikes to lists of ids: first the fired neurons, then,
// where the silent ones need a gradient too, the others. Ids ascend in each section.
//
// A section that exceeds the capacity is filled in cyclic order from a position hashed from (seed,
// layer, step, sample), as in merge_lists; the neurons dropped are counted. Workers take rows in
// turn.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class CompactSpikes : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 4>> dense;    // [rows, size]
  Output<Vector<int, ONE_PTR, 4>> ids;       // [rows, capacity]
  Output<Vector<int, ONE_PTR, 4>> counts;    // [rows, 2]
  Output<Vector<float, ONE_PTR, 4>> values;  // [rows, capacity] 1 where a neuron fired
  Output<Vector<int, ONE_PTR, 4>> drops;     // [rows, 2]
  const unsigned rows;
  const unsigned size;
  const unsigned capacity;
  const unsigned batch;
  const unsigned step;    // of the first row
  const unsigned sample;  // of the first row; a time step's rows precede the next one's
  const unsigned silent;  // 1: neurons that did not fire are active too
  const unsigned seed;
  const unsigned layer;

  bool compute(unsigned worker) {
    unsigned t = step, b = sample, next = worker;
    for (unsigned row = 0; row < rows; ++row) {
      if (row == next) {
        compact(row, window_begin(seed, layer, t, b, size));
        next += numWorkers();
      }
      b = b + 1 < batch ? b + 1 : 0;
      t += b == 0;
    }
    return true;
  }

 private:
  void compact(unsigned row, unsigned begin) {
    const unsigned fired = write_section(row, true, begin, 0);
    const unsigned active = silent ? write_section(row, false, begin, fired) : fired;
    for (unsigned k = 0; k < capacity; ++k) {
      values[row * capacity + k] = k < fired ? 1.0f : 0.0f;
      if (k >= active) ids[row * capacity + k] = 0;
    }
    counts[row * kCountSize + kFired] = int(fired);
    counts[row * kCountSize + kActive] = int(active);
    if (!silent) drops[row * kDropSize + kSubthresholdDropped] = 0;
  }

  // Appends the neurons that fired, or those that did not, at position `k`; returns the new end.
  unsigned write_section(unsigned row, bool fires, unsigned begin, unsigned k) {
    const float* const x = &dense[row * size];
    int* const list = &ids[row * capacity];
    unsigned total = 0, before = 0;  // of the section, and those below `begin`
    for (unsigned i = 0; i < size; ++i) {
      const unsigned in_section = (x[i] != 0.0f) == fires;
      before += i < begin ? in_section : 0;
      total += in_section;
    }
    const unsigned room = capacity - k, high = total - before;
    const unsigned kept = total < room ? total : room;
    // Ranks in [first, last) are kept, and those below `wrapped`.
    const unsigned first = kept == total ? 0 : before;
    const unsigned last = kept == total ? total : before + (high < room ? high : room);
    const unsigned wrapped = kept == total || high >= room ? 0 : room - high;
    unsigned rank = 0;
    for (unsigned i = 0; i < size; ++i) {
      if ((x[i] != 0.0f) != fires) continue;
      if ((rank >= first && rank < last) || rank < wrapped) list[k++] = int(i);
      ++rank;
    }
    drops[row * kDropSize + (fires ? kFiredDropped : kSubthresholdDropped)] = int(total - kept);
    return k;
  }
};

}  // namespace popsnn
