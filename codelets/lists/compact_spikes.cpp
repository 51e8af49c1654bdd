// compact_spikes: dense rows of spikes become lists: first who fired, then, where the gradient of
// the silent is wanted too, who did not; ids ascend in each part.
//
// Where a part does not fit its places they go in cyclic order from a position hashed from (seed,
// layer, step, sample), as in merge_lists, and what is left over is counted. Rows are dealt to the
// workers.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class CompactSpikes : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 4>> dense;    // [rows, size]
  Output<Vector<int, ONE_PTR, 4>> ids;       // [rows, places]
  Output<Vector<int, ONE_PTR, 4>> counts;    // [rows, 2]
  Output<Vector<float, ONE_PTR, 4>> values;  // [rows, places] 1 where a neuron fired
  Output<Vector<int, ONE_PTR, 4>> drops;     // [rows, 2]
  const unsigned rows;
  const unsigned size;
  const unsigned places;
  const unsigned batch;
  const unsigned step;    // of the first row
  const unsigned sample;  // of the first row; rows are those of a step, then those of the next
  const unsigned silent;  // 1: who did not fire is listed too
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
    const unsigned fired = write_part(row, true, begin, 0);
    const unsigned listed = silent ? write_part(row, false, begin, fired) : fired;
    for (unsigned k = 0; k < places; ++k) {
      values[row * places + k] = k < fired ? 1.0f : 0.0f;
      if (k >= listed) ids[row * places + k] = 0;
    }
    counts[row * kCountSize + kFired] = int(fired);
    counts[row * kCountSize + kListed] = int(listed);
    if (!silent) drops[row * kDropSize + kAboveLost] = 0;
  }

  // Lists who fired, or who did not, from place `k` on; returns where the list ends then.
  unsigned write_part(unsigned row, bool fires, unsigned begin, unsigned k) {
    const float* const x = &dense[row * size];
    int* const list = &ids[row * places];
    unsigned total = 0, before = 0;  // of the part, and those below `begin`
    for (unsigned i = 0; i < size; ++i) {
      const unsigned in_part = (x[i] != 0.0f) == fires;
      before += i < begin ? in_part : 0;
      total += in_part;
    }
    const unsigned room = places - k, high = total - before;
    const unsigned kept = total < room ? total : room;
    // By rank: [first, last) keep their place, and those below `wrapped`.
    const unsigned first = kept == total ? 0 : before;
    const unsigned last = kept == total ? total : before + (high < room ? high : room);
    const unsigned wrapped = kept == total || high >= room ? 0 : room - high;
    unsigned rank = 0;
    for (unsigned i = 0; i < size; ++i) {
      if ((x[i] != 0.0f) != fires) continue;
      if ((rank >= first && rank < last) || rank < wrapped) list[k++] = int(i);
      ++rank;
    }
    drops[row * kDropSize + (fires ? kFiredLost : kAboveLost)] = int(total - kept);
    return k;
  }
};

}  // namespace popsnn
