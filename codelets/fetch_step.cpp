// fetch_step: one time step's rows of a history become current; rows outside of it are zero.
//
// The history lies beside the current rows on one tile, so a fetch is local and costs no exchange.
// Each worker copies its stretch of every row, in words: rows of 16-bit ids fill whole words.
#include <poplar/Vertex.hpp>

#include "neuron.hpp"

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
    constexpr unsigned kWord = sizeof(unsigned) / sizeof(T);
    const int t = *step + offset;
    const bool inside = t >= -1 && t < int(steps);
    const unsigned words = row / kWord;
    const unsigned begin = words * worker / numWorkers() * kWord;
    const unsigned end = words * (worker + 1) / numWorkers() * kWord;
    for (unsigned b = 0; b < samples; ++b) {
      T* to = &current[b * row];
      const T* from = &history[(b * (1 + steps) + (inside ? history_row(t) : 0u)) * row];
      for (unsigned k = begin; k < end; ++k) to[k] = inside ? from[k] : T(0);
    }
    return true;
  }
};

template class FetchStep<unsigned short>;
template class FetchStep<unsigned>;

}  // namespace popsnn
