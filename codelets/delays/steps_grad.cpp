// steps_grad: adds the gradients of axonal delays that the spikes of time step t have, of which
// what arrives at steps t to t + slots - 1 has its gradient.
//
//   steps_grad[id] += (arrived[t + delays[id] + 1, id] - arrived[t + delays[id] - 1, id]) / 2
//
// for the ids that fired: the derivative of linear interpolation at a whole delay, the mean of both
// sides. There is no tap before step t, and none after t + slots - 1. Each worker has a range of a
// list, whose ids differ.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"
#include "ring.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class StepsGrad : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 8>> fired_history;  // [samples, steps, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> lengths;  // [samples, steps, 2] of its lists
  Input<Vector<unsigned, ONE_PTR, 4>> delays;   // [neurons] in time steps, below slots
  Input<Vector<float, ONE_PTR, 8>> arrived;     // [samples, slots, neurons]
  Input<int> step;
  InOut<Vector<float, ONE_PTR, 8>> steps_grad;  // [samples, neurons]
  const unsigned samples;
  const unsigned steps;
  const unsigned padded_capacity;
  const unsigned slots;
  const unsigned neurons;
  const int offset;  // t is step + offset; outside of the steps there is nothing to do

  bool compute(unsigned worker) {
    const int t = *step + offset;
    if (t < 0 || t >= int(steps)) return true;
    const unsigned now = ring_slot(unsigned(t), slots);
    for (unsigned b = 0; b < samples; ++b) {
      const unsigned row = b * steps + unsigned(t);
      const Id* const list = &fired_history[row * padded_capacity];
      const float* const later = &arrived[b * slots * neurons];
      each_of_worker(lengths[row * kCountSize + kFired], worker, numWorkers(), [&](unsigned k) {
        const unsigned id = list[k], delay = delays[id];
        float grad = 0.0f;
        if (delay + 1 < slots) grad += later[later_slot(now, delay + 1, slots) * neurons + id];
        if (delay > 0) grad -= later[later_slot(now, delay - 1, slots) * neurons + id];
        steps_grad[b * neurons + id] += 0.5f * grad;
      });
    }
    return true;
  }
};

template class StepsGrad<unsigned short>;
template class StepsGrad<unsigned>;

}  // namespace popsnn
