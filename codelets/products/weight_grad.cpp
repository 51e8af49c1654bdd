// weight_grad: the weight gradient of one time step, scattered to the tiles that have the weights.
//
//   weight_grad[id] += current_grad[b]  for every input id that fired
//   bias_grad += current_grad[b], of a layer's first source
//
// Each worker has a range of the inputs, and so a range of every list (list_ranges): no private
// copies, no races, and the order of summation does not depend on the schedule.
//
// WeightGradAhead takes the gradient of the time step at which an input's spikes arrive.
#include <poplar/Vertex.hpp>

#include "common/ahead.hpp"
#include "common/rows.hpp"
#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

// scatter_ipu.hpp loads from a row and from the vector in one bundle, and stores to the row.
#ifdef __IPU__
#define POPSNN_APART [[poplar::constraint("elem(*weight_grad) != elem(*current_grad)")]]
#else
#define POPSNN_APART
#endif

template <unsigned Width>
static inline void add_bias_block(const float* grad,  // [batch, neurons] from the first column
                                  unsigned batch, unsigned neurons,
                                  float* sums) {  // [Width]
  float block[Width];
  for (unsigned j = 0; j < Width; ++j) block[j] = sums[j];
  for (unsigned b = 0; b < batch; ++b, grad += neurons)
    for (unsigned j = 0; j < Width; ++j) block[j] += grad[j];
  for (unsigned j = 0; j < Width; ++j) sums[j] = block[j];
}

// Adds to the biases in the ranges [first, last) of the neurons.
template <class Vertex>
static inline void add_bias(Vertex& x, unsigned first, unsigned last,
                            const float* grad) {  // [batch, neurons]
  const unsigned begin = range_begin(x.neurons, first);
  for_blocks(range_begin(x.neurons, last) - begin, [&](auto width, unsigned j) {
    add_bias_block<width()>(grad + begin + j, x.batch, x.neurons, &x.bias_grad[0][begin + j]);
  });
}

// Of the ranges that are the worker's: add_rows(first, last) and the biases, by the present time
// step's gradient.
template <class Vertex, class AddRows>
POPSNN_INLINED static inline bool add_ranges(Vertex& x, unsigned worker,
                                             const float* grad,  // [batch, neurons]
                                             AddRows add_rows) {
#ifdef __IPU__
  for (unsigned range = worker; range < kWorkerRanges; range += Vertex::numWorkers()) {
    add_rows(range, range + 1);
    if (x.biased != 0) add_bias(x, range, range + 1, grad);
  }
#else
  // A host runs a tile's workers one after another: the first takes whole lists.
  if (worker > 0) return true;
  add_rows(0, kWorkerRanges);
  if (x.biased != 0) add_bias(x, 0, kWorkerRanges, grad);
#endif
  return true;
}

template <class Id>
class POPSNN_APART WeightGrad : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;                    // [batch, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> bounds;           // [batch, kWorkerRanges + 1]
  Input<Vector<float, ONE_PTR, 8>> current_grad;        // [batch, neurons]
  InOut<Vector<float, ONE_PTR, 16, true>> weight_grad;  // [inputs, neurons] interleaved
  Vector<InOut<Vector<float, ONE_PTR, 8>>> bias_grad;   // [1][neurons], or [1][1]
  const unsigned batch;
  const unsigned padded_capacity;
  const unsigned neurons;
  const unsigned biased;  // 0 or 1: bias_grad is summed

  bool compute(unsigned worker) {
    const float* const grad = &current_grad[0];
    return add_ranges(*this, worker, grad, [&](unsigned first, unsigned last) POPSNN_INLINED {
#ifdef __IPU__
      if (ipu::scatter_lists(&weight_grad[0], neurons, &ids[0], padded_capacity, &bounds[first],
                             grad, batch))
        return;
#endif
      for (unsigned b = 0; b < batch; ++b) {
        const unsigned* of_list = &bounds[b * (kWorkerRanges + 1)];
        scatter_rows(&weight_grad[0], neurons, &ids[b * padded_capacity] + of_list[first],
                     of_list[last] - of_list[first], grad + b * neurons);
      }
    });
  }
};

template <class Id>
class POPSNN_APART WeightGradAhead : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;              // [batch, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> bounds;     // [batch, kWorkerRanges + 1]
  Input<Vector<unsigned, ONE_PTR, 4>> delays;     // [inputs] in time steps after the present one
  Input<int> row;                                 // of this time step's gradient
  Input<Vector<float, ONE_PTR, 8>> current_grad;  // [1 + rows + longest delay, batch, neurons]
  InOut<Vector<float, ONE_PTR, 16, true>> weight_grad;  // [inputs, neurons] interleaved
  Vector<InOut<Vector<float, ONE_PTR, 8>>> bias_grad;   // [1][neurons], or [1][1]
  const unsigned batch;
  const unsigned padded_capacity;
  const unsigned neurons;
  const unsigned biased;  // 0 or 1: bias_grad is summed

  bool compute(unsigned worker) {
    const unsigned stride = batch * neurons;
    const float* const grad = &current_grad[history_row(*row) * stride];
    return add_ranges(*this, worker, grad, [&](unsigned first, unsigned last) POPSNN_INLINED {
#ifdef __IPU__
      if (ipu::scatter_lists_ahead(&weight_grad[0], neurons, &ids[0], padded_capacity,
                                   &bounds[first], &delays[0], grad, stride, batch))
        return;
#endif
      for (unsigned b = 0; b < batch; ++b) {
        const unsigned* of_list = &bounds[b * (kWorkerRanges + 1)];
        scatter_rows_ahead(&weight_grad[0], neurons, &ids[b * padded_capacity] + of_list[first],
                           of_list[last] - of_list[first], &delays[0], grad + b * neurons, stride);
      }
    });
  }
};

template class WeightGrad<unsigned short>;
template class WeightGrad<unsigned>;

template class WeightGradAhead<unsigned short>;
template class WeightGradAhead<unsigned>;

}  // namespace popsnn
