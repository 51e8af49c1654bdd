// fetch_step: copies one time step's rows of a history to the current rows; rows outside of the
// history are zero.
//
// Both lie on the same tile, so that a fetch costs no exchange. Each worker copies its range of
// every row, in words: rows of 16-bit ids fill whole words.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class T>
class FetchStep : public MultiVertex {
 public:
  Input<Vector<T, ONE_PTR, 4>> history;  // [samples, 1 + steps, row]
  Input<int> step;
  Output<Vector<T, ONE_PTR, 4>> current;  // [samples, row]
  const unsigned samples;
  const unsigned steps;  // of the history
  const unsigned row;    // a whole number of words
  const int offset;      // the row fetched is step + offset

  bool compute(unsigned worker) {
    const int t = *step + offset;
    const bool inside = in_history(t, steps);
    const unsigned words = row * unsigned(sizeof(T)) / unsigned(sizeof(unsigned));
    const unsigned begin = worker_begin(words, worker, numWorkers());
    const unsigned end = worker_begin(words, worker + 1, numWorkers());
    for (unsigned b = 0; b < samples; ++b) {
      unsigned* const to = reinterpret_cast<unsigned*>(&current[b * row]);
      if (inside) {
        const unsigned at = (b * (1 + steps) + history_row(t)) * row;
        const unsigned* const from = reinterpret_cast<const unsigned*>(&history[at]);
        for (unsigned k = begin; k < end; ++k) to[k] = from[k];
      } else {
        for (unsigned k = begin; k < end; ++k) to[k] = 0;
      }
    }
    return true;
  }
};

template class FetchStep<unsigned short>;
template class FetchStep<unsigned>;

}  // namespace popsnn
