// fetch_step: one time step's rows of a history become current; rows before its start are zero.
//
// The history lies beside the current rows on one tile, so a fetch is local and costs no exchange.
#include <poplar/Vertex.hpp>

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class T>
class FetchStep : public MultiVertex {
 public:
  Input<Vector<T, ONE_PTR, 4>> history;  // [samples, steps, row]
  Input<int> step;
  Output<Vector<T, ONE_PTR, 4>> current;  // [samples, row]
  const unsigned samples;
  const unsigned steps;
  const unsigned row;  // even where T is short: workers share no word
  const int offset;  // the row fetched is step + offset

  bool compute(unsigned worker) {
    const int t = *step + offset;
    const bool inside = t >= 0 && unsigned(t) < steps;
    for (unsigned b = worker; b < samples; b += numWorkers()) {
      T* to = &current[b * row];
      const T* from = &history[(b * steps + (inside ? unsigned(t) : 0u)) * row];
      for (unsigned k = 0; k < row; ++k) to[k] = inside ? from[k] : T(0);
    }
    return true;
  }
};

template class FetchStep<unsigned short>;
template class FetchStep<unsigned>;

}  // namespace popsnn
