// input_spike_grad: this tile's partial sums of dL/ds, one for each active input of a range of a
// list.
//
//   partial[b, k] = dot(weights[ids[b, first + k]], current_grad[b])
//
// Workers take samples in turn. InputSpikeGradAhead takes the gradient of the time step at which an
// input's spikes arrive.
#include <poplar/Vertex.hpp>

#include "common/ahead.hpp"
#include "common/rows.hpp"
#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

// dot_ipu.hpp loads from a row and from the vector in one bundle.
#ifdef __IPU__
#define POPSNN_APART [[poplar::constraint("elem(*weights) != elem(*current_grad)")]]
#else
#define POPSNN_APART
#endif

// Calls dots(sample, its ids of the range, their number) for the worker's samples that have any.
template <class Vertex, class Dots>
POPSNN_INLINED static inline bool range_products(Vertex& x, unsigned worker, Dots dots) {
  for (unsigned b = worker; b < x.batch; b += Vertex::numWorkers()) {
    const unsigned active = x.counts[b * kCountSize + kActive];
    if (active <= x.first) continue;
    const unsigned count = active - x.first < x.entries ? active - x.first : x.entries;
    dots(b, &x.ids[b * x.padded_capacity + x.first], count);
  }
  return true;
}

template <class Id, class Weight>
class POPSNN_APART InputSpikeGrad : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;              // [batch, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts;     // [batch, 2]
  Input<Vector<Weight, ONE_PTR, 8>> weights;      // [inputs, neurons]
  Input<Vector<float, ONE_PTR, 8>> current_grad;  // [batch, neurons]
  Output<Vector<float, ONE_PTR, 8>> partial;      // [batch, entries]
  const unsigned batch;
  const unsigned padded_capacity;
  const unsigned first;  // of the entries
  const unsigned entries;
  const unsigned neurons;

  bool compute(unsigned worker) {
    return range_products(*this, worker,
                          [&](unsigned b, const Id* list, unsigned count) POPSNN_INLINED {
                            dot_rows(&weights[0], neurons, list, count, &current_grad[b * neurons],
                                     &partial[b * entries]);
                          });
  }
};

template <class Id>
class POPSNN_APART InputSpikeGradAhead : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;              // [batch, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts;     // [batch, 2]
  Input<Vector<unsigned, ONE_PTR, 4>> delays;     // [inputs] in time steps after the present one
  Input<int> row;                                 // of this time step's gradient
  Input<Vector<float, ONE_PTR, 8>> weights;       // [inputs, neurons]
  Input<Vector<float, ONE_PTR, 8>> current_grad;  // [1 + rows + longest delay, batch, neurons]
  Output<Vector<float, ONE_PTR, 8>> partial;      // [batch, entries]
  const unsigned batch;
  const unsigned padded_capacity;
  const unsigned first;  // of the entries
  const unsigned entries;
  const unsigned neurons;

  bool compute(unsigned worker) {
    const unsigned stride = batch * neurons;
    const float* const grad = &current_grad[history_row(*row) * stride];
    return range_products(*this, worker,
                          [&](unsigned b, const Id* list, unsigned count) POPSNN_INLINED {
                            dot_rows_ahead(&weights[0], neurons, list, count, &delays[0],
                                           grad + b * neurons, stride, &partial[b * entries]);
                          });
  }
};

template class InputSpikeGrad<unsigned short, float>;
template class InputSpikeGrad<unsigned, float>;
template class InputSpikeGrad<unsigned short, half>;
template class InputSpikeGrad<unsigned, half>;

template class InputSpikeGradAhead<unsigned short>;
template class InputSpikeGradAhead<unsigned>;

}  // namespace popsnn
