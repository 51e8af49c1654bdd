// fetch_list: replaces the current lists by those of one time step of a history, empty ones outside
// of it, and the window by that of the step before `step`; the lists that were there are kept for
// vertices that still read them.
//
// A list, its counts and a layer's window are fetched by one vertex, whose prologue counts as much
// as a list's words. One worker copies counts, one windows; the others take pairs of words in turn.
#include <poplar/Vertex.hpp>

#include "common/inlined.hpp"
#include "common/spike_records.hpp"

#ifdef __IPU__
#include "common/repeats_ipu.hpp"
#include "fetch_ipu.hpp"
#endif

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class FetchList : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 8>> ids_history;           // [samples, 1 + steps, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  Input<int> step;
  InOut<Vector<Id, ONE_PTR, 8>> ids;           // [samples, padded_capacity], whole pairs of words
  InOut<Vector<unsigned, ONE_PTR, 4>> counts;  // [samples, 2]
  // Each has one row, which nothing reads or writes where its flag is 0.
  Vector<Output<Vector<Id, ONE_PTR, 8>>> ids_before;           // [1][samples, padded_capacity]
  Vector<Output<Vector<unsigned, ONE_PTR, 4>>> counts_before;  // [1][samples, 2]
  Vector<Input<Vector<unsigned, ONE_PTR, 4>>> window_history;  // [1][samples, 1 + steps, 3]
  Vector<Output<Vector<unsigned, ONE_PTR, 4>>> window;         // [1][samples, 3]
  const unsigned samples;
  const unsigned steps;  // of the history
  const unsigned padded_capacity;
  const int offset;         // the lists fetched are those of time step + offset
  const unsigned keeps;     // 0 or 1: ids_before and counts_before are written
  const unsigned windowed;  // 0 or 1: window is written

  bool compute(unsigned worker) {
    const unsigned recorders = numWorkers() > 2 ? 2 : numWorkers() - 1;
    if (worker == 0) fetch_counts();
    if (worker == (recorders > 0 ? 1 : 0)) fetch_windows();
    if (worker >= recorders) fetch_ids(worker - recorders, numWorkers() - recorders);
    return true;
  }

 private:
  static constexpr unsigned kPair = 2;  // words

  void fetch_ids(unsigned writer, unsigned writers) {
    const unsigned words = padded_capacity * unsigned(sizeof(Id)) / unsigned(sizeof(unsigned));
    const unsigned turns = (words / kPair + writers - 1 - writer) / writers;
    const unsigned row = history_row(*step + offset), first = writer * kPair;
    const bool inside = row <= steps;
    const unsigned* from = reinterpret_cast<const unsigned*>(&ids_history[0]) + first;
    if (inside) from += row * words;
    unsigned* to = reinterpret_cast<unsigned*>(&ids[0]) + first;
    unsigned* before = keeps != 0 ? reinterpret_cast<unsigned*>(&ids_before[0][0]) + first : to;
    for (unsigned b = 0; b < samples; ++b) {
      move(inside ? from : nullptr, turns, writers, to, before);
      from += (1 + steps) * words;
      to += words;
      before += words;
    }
  }

  // Every so many pairs: before = to, unless they are the same, and to = from, or 0 without any.
  POPSNN_INLINED static void move(const unsigned* from, unsigned turns, unsigned writers,
                                  unsigned* to, unsigned* before) {
#ifdef __IPU__
    static_assert(CTXT_WORKERS == ipu::kPairWriters + 2, "two workers copy records");
    if (from != nullptr && (sizeof(Id) == sizeof(unsigned short) || turns <= ipu::kMostRepeats)) {
      if (before == to)
        ipu::copy_fourths(from, turns, to);
      else
        ipu::move_fourths(from, turns, to, before);
      return;
    }
#endif
    for (unsigned turn = 0; turn < turns; ++turn)
      for (unsigned i = 0; i < kPair; ++i) {
        const unsigned k = turn * writers * kPair + i;
        before[k] = to[k];
        to[k] = from != nullptr ? from[k] : 0u;
      }
  }

  void fetch_counts() {
    const unsigned row = history_row(*step + offset);
    for (unsigned b = 0; b < samples; ++b)
      for (unsigned k = 0; k < kCountSize; ++k) {
        unsigned& count = counts[b * kCountSize + k];
        if (keeps != 0) counts_before[0][b * kCountSize + k] = count;
        count = row <= steps ? counts_history[(b * (1 + steps) + row) * kCountSize + k] : 0u;
      }
  }

  void fetch_windows() {
    if (windowed == 0) return;
    const unsigned row = history_row(*step - 1);
    for (unsigned b = 0; b < samples; ++b) {
      const unsigned at = (b * (1 + steps) + row) * kWindowSize;
      for (unsigned k = 0; k < kWindowSize; ++k)
        window[0][b * kWindowSize + k] = row <= steps ? window_history[0][at + k] : 0u;
    }
  }
};

template class FetchList<unsigned short>;
template class FetchList<unsigned>;

}  // namespace popsnn
