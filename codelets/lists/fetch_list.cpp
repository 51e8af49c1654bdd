// fetch_list: replaces the current lists by those of one time step of a history, empty ones outside
// of it, and the window by that of the step before `step`; the lists that were there are kept for
// vertices that still read them.
//
// A list, its counts and a layer's window are fetched by one vertex, whose prologue counts as much
// as a list's words. Workers copy ranges of the words, and a word of the records each.
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
  Input<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, 1 + steps, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  Input<int> step;
  InOut<Vector<Id, ONE_PTR, 4>> ids;           // [samples, padded_capacity], whole words
  InOut<Vector<unsigned, ONE_PTR, 4>> counts;  // [samples, 2]
  // Each has one row, which nothing reads or writes where its flag is 0.
  Vector<Output<Vector<Id, ONE_PTR, 4>>> ids_before;           // [1][samples, padded_capacity]
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
    const int t = *step + offset;
    const unsigned words = padded_capacity * unsigned(sizeof(Id)) / unsigned(sizeof(unsigned));
    const unsigned begin = worker_begin(words, worker, numWorkers());
    const unsigned end = worker_begin(words, worker + 1, numWorkers());
    for (unsigned b = 0; b < samples; ++b) {
      unsigned* const to = reinterpret_cast<unsigned*>(&ids[b * padded_capacity]);
      unsigned* const before =
          keeps != 0 ? reinterpret_cast<unsigned*>(&ids_before[0][b * padded_capacity]) : to;
      if (in_history(t, steps)) {
        const unsigned at = (b * (1 + steps) + history_row(t)) * padded_capacity;
        move(reinterpret_cast<const unsigned*>(&ids_history[at]), begin, end, to, before);
      } else {
        for (unsigned k = begin; k < end; ++k) {
          before[k] = to[k];
          to[k] = 0;
        }
      }
      for (unsigned k = worker; k < kCountSize + kWindowSize; k += numWorkers())
        k < kCountSize ? fetch_count(b, k, t) : fetch_window(b, k - kCountSize);
    }
    return true;
  }

 private:
  // Of the words [begin, end): before = to, unless they are the same, and to = from.
  POPSNN_INLINED static void move(const unsigned* from, unsigned begin, unsigned end, unsigned* to,
                                  unsigned* before) {
#ifdef __IPU__
    ipu::for_repeats(end - begin, [=](unsigned first, unsigned words) POPSNN_INLINED {
      const unsigned at = begin + first;
      if (before == to)
        ipu::copy_words(from + at, words, to + at);
      else
        ipu::move_words(from + at, words, to + at, before + at);
    });
#else
    for (unsigned k = begin; k < end; ++k) {
      before[k] = to[k];
      to[k] = from[k];
    }
#endif
  }

  void fetch_count(unsigned b, unsigned entry, int t) {
    unsigned& count = counts[b * kCountSize + entry];
    if (keeps != 0) counts_before[0][b * kCountSize + entry] = count;
    count = in_history(t, steps)
                ? counts_history[(b * (1 + steps) + history_row(t)) * kCountSize + entry]
                : 0u;
  }

  void fetch_window(unsigned b, unsigned entry) {
    if (windowed == 0) return;
    const int t = *step - 1;
    window[0][b * kWindowSize + entry] =
        in_history(t, steps)
            ? window_history[0][(b * (1 + steps) + history_row(t)) * kWindowSize + entry]
            : 0u;
  }
};

template class FetchList<unsigned short>;
template class FetchList<unsigned>;

}  // namespace popsnn
