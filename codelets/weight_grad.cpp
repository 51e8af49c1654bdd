// weight_grad: the weight gradient of one step, scattered where the weights live.
//
//   weight_grad[id] += current_grad[b]  for every input id that fired;  bias_grad +=
//   current_grad[b]
//
// Each worker owns a range of inputs and, as lists ascend, finds its part of each by bisection:
// no private copies, no races, and the order of summation does not depend on the schedule.
#include <poplar/Vertex.hpp>

#include "neuron.hpp"
#include "rows.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class WeightGrad : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;              // [batch, slots]
  Input<Vector<unsigned, ONE_PTR, 4>> counts;     // [batch, 2]
  Input<Vector<float, ONE_PTR, 8>> current_grad;  // [batch, neurons]
  InOut<Vector<float, ONE_PTR, 8>> weight_grad;   // [inputs, neurons]
  InOut<Vector<float, ONE_PTR, 8>> bias_grad;     // [neurons]
  const unsigned batch;
  const unsigned slots;
  const unsigned inputs;
  const unsigned neurons;

  bool compute(unsigned worker) {
    const unsigned first_input = share(inputs, worker), last_input = share(inputs, worker + 1);
    const unsigned first_neuron = share(neurons, worker), last_neuron = share(neurons, worker + 1);
    for (unsigned b = 0; b < batch; ++b) {
      const Id* list = &ids[b * slots];
      const unsigned fired = counts[b * kCountSize + kFired];
      const unsigned begin = lower_bound(list, fired, first_input);
      const unsigned end = lower_bound(list, fired, last_input);
      const float* grad = &current_grad[b * neurons];
      scatter_rows(&weight_grad[0], neurons, list + begin, end - begin, grad);
      for (unsigned i = first_neuron; i < last_neuron; ++i) bias_grad[i] += grad[i];
    }
    return true;
  }

 private:
  static unsigned share(unsigned total, unsigned worker) { return total * worker / numWorkers(); }

  // The number of entries below `value` in an ascending list.
  static unsigned lower_bound(const Id* list,  // [size]
                              unsigned size, unsigned value) {
    unsigned low = 0, high = size;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (list[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

template class WeightGrad<unsigned short>;
template class WeightGrad<unsigned>;

}  // namespace popsnn
