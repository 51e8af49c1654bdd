// weight_grad: the weight gradient of one time step, scattered to the tiles that have the weights.
//
//   weight_grad[id] += current_grad[b]  for every input id that fired
//   bias_grad += current_grad[b], of a layer's first source
//
// Each worker has a range of the inputs, and so a range of every list (list_ranges): no private
// copies, no races, and the order of summation does not depend on the schedule.
#include <poplar/Vertex.hpp>

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
#ifdef __IPU__
    for (unsigned range = worker; range < kWorkerRanges; range += numWorkers()) {
      if (!ipu::scatter_lists(&weight_grad[0], neurons, &ids[0], padded_capacity, &bounds[range],
                              &current_grad[0], batch))
        add_rows(range, range + 1);
      if (biased != 0) add_bias(range, range + 1);
    }
#else
    // A host runs a tile's workers one after another: the first takes whole lists.
    if (worker > 0) return true;
    add_rows(0, kWorkerRanges);
    if (biased != 0) add_bias(0, kWorkerRanges);
#endif
    return true;
  }

 private:
  // Adds the rows of the ranges [first, last).
  void add_rows(unsigned first, unsigned last) {
    const float* const grad = &current_grad[0];
    for (unsigned b = 0; b < batch; ++b) {
      const unsigned* row = &bounds[b * (kWorkerRanges + 1)];
      scatter_rows(&weight_grad[0], neurons, &ids[b * padded_capacity] + row[first],
                   row[last] - row[first], grad + b * neurons);
    }
  }

  // Adds to the biases in the ranges [first, last) of the neurons.
  void add_bias(unsigned first, unsigned last) {
    const unsigned begin = range_begin(neurons, first);
    for_blocks(range_begin(neurons, last) - begin, [&](auto width, unsigned j) {
      add_bias_block<width()>(&current_grad[begin + j], &bias_grad[0][begin + j]);
    });
  }

  template <unsigned Width>
  void add_bias_block(const float* grad,  // [batch, neurons] from the block's first column
                      float* sums) {      // [Width]
    float block[Width];
    for (unsigned j = 0; j < Width; ++j) block[j] = sums[j];
    for (unsigned b = 0; b < batch; ++b, grad += neurons)
      for (unsigned j = 0; j < Width; ++j) block[j] += grad[j];
    for (unsigned j = 0; j < Width; ++j) sums[j] = block[j];
  }
};

template class WeightGrad<unsigned short>;
template class WeightGrad<unsigned>;

}  // namespace popsnn
