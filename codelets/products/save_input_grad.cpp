// save_input_grad: stores the gradient of the network's active inputs at one time step in its
// history. Each worker takes a range of a list.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class SaveInputGrad : public MultiVertex {
 public:
  Vector<Input<Vector<float, ONE_PTR, 8>>> sums;       // [sources][samples, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  Input<int> step;
  InOut<Vector<float, ONE_PTR, 8>> input_grad;  // [samples, steps, padded_capacity]
  const unsigned samples;
  const unsigned steps;
  const unsigned padded_capacity;
  const int offset;  // the input's time step is step + offset; nothing is stored before time step 0

  bool compute(unsigned worker) {
    const int t = *step + offset;
    if (t < 0) return true;
    for (unsigned b = 0; b < samples; ++b) {
      float* const row = &input_grad[(b * steps + unsigned(t)) * padded_capacity];
      const unsigned at = b * (1 + steps) + history_row(t);
      const unsigned active = counts_history[at * kCountSize + kActive];
      const unsigned end = worker_begin(active, worker + 1, numWorkers());
      for (unsigned k = worker_begin(active, worker, numWorkers()); k < end; ++k) {
        float sum = 0.0f;
        for (unsigned source = 0; source < sums.size(); ++source)
          sum += sums[source][b * padded_capacity + k];
        row[k] = sum;
      }
    }
    return true;
  }
};

}  // namespace popsnn
