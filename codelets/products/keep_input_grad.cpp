// keep_input_grad: the gradient of the network's listed inputs at one step enters its history.
// Workers take stretches of a list.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class KeepInputGrad : public MultiVertex {
 public:
  Vector<Input<Vector<float, ONE_PTR, 8>>> sums;       // [sources][samples, slots]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  Input<int> step;
  InOut<Vector<float, ONE_PTR, 8>> input_grad;  // [samples, steps, slots]
  const unsigned samples;
  const unsigned steps;
  const unsigned slots;
  const int offset;  // the input's step is step + offset; nobody asks before step 0

  bool compute(unsigned worker) {
    const int t = *step + offset;
    if (t < 0) return true;
    for (unsigned b = 0; b < samples; ++b) {
      float* const row = &input_grad[(b * steps + unsigned(t)) * slots];
      const unsigned at = b * (1 + steps) + history_row(t);
      const unsigned listed = counts_history[at * kCountSize + kListed];
      const unsigned end = listed * (worker + 1) / numWorkers();
      for (unsigned k = listed * worker / numWorkers(); k < end; ++k) {
        float sum = 0.0f;
        for (unsigned source = 0; source < sums.size(); ++source)
          sum += sums[source][b * slots + k];
        row[k] = sum;
      }
    }
    return true;
  }
};

}  // namespace popsnn
