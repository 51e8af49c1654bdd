// synaptic_grad: gradients of a source with delays of each weight, at time step t, from
// dL/d(current) of this step and later ones.
//
//   weight_grad[i, j] += sum over samples of ring[t + steps[i, j], j]  for every input i that fired
//   steps_grad[i, j] += weights[i, j] (ring[t + steps[i, j] + 1, j] - ring[t + steps[i, j] - 1, j])
//     / 2, likewise, where the delays learn: the derivative of linear interpolation at a whole
//     delay, the mean of both sides, of taps 0 to `longest`
//   partial[b, k] = sum over j of weights[i, j] ring[t + steps[i, j], j]  for the active input i at
//   k
//
// Each worker has a range of the inputs (list_ranges), and takes samples in turn for the partial
// sums.
#include <poplar/HalfFloat.hpp>
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"
#include "ring.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id, class Weight>
class SynapticGrad : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;                    // [batch, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts;           // [batch, 2]
  Input<Vector<unsigned, ONE_PTR, 4>> bounds;           // [batch, kWorkerRanges + 1]
  Input<Vector<Weight, ONE_PTR, 8>> weights;            // [inputs, neurons]
  Input<Vector<unsigned short, ONE_PTR, 4>> steps;      // [inputs, neurons], at most `longest`
  Input<Vector<float, ONE_PTR, 8>> ring;                // [slots, batch, neurons]
  Input<int> row;                                       // of the interval's states before this step
  Input<int> first_step;                                // of the interval
  InOut<Vector<float, ONE_PTR, 8>> weight_grad;         // [inputs, neurons]
  Vector<InOut<Vector<float, ONE_PTR, 8>>> steps_grad;  // [1][inputs, neurons], or [1][1]
  Vector<Output<Vector<float, ONE_PTR, 8>>> partial;    // [1][batch, padded_capacity], or [1][1]
  const unsigned batch;
  const unsigned padded_capacity;
  const unsigned neurons;
  const unsigned slots;
  const unsigned longest;
  const unsigned learns;  // 0 or 1: steps_grad is summed
  const unsigned sends;   // 0 or 1: partial is written

  bool compute(unsigned worker) {
    const unsigned now = ring_slot(unsigned(*first_step + *row), slots);
    for (unsigned b = 0; b < batch; ++b)
      for (unsigned range = worker; range < kWorkerRanges; range += numWorkers()) {
        const unsigned* const bound = &bounds[b * (kWorkerRanges + 1) + range];
        for (unsigned k = bound[0]; k < bound[1]; ++k)
          add_rows(now, b, ids[b * padded_capacity + k] * neurons);
      }
    if (sends != 0)
      for (unsigned b = worker; b < batch; b += numWorkers()) {
        const unsigned active = counts[b * kCountSize + kActive];
        for (unsigned k = 0; k < active; ++k)
          partial[0][b * padded_capacity + k] = dot(now, b, ids[b * padded_capacity + k] * neurons);
      }
    return true;
  }

 private:
  const float* later(unsigned now, unsigned steps_later, unsigned b) {
    return &ring[(later_slot(now, steps_later, slots) * batch + b) * neurons];
  }

  // `first`: the element of an input's first weight.
  void add_rows(unsigned now, unsigned b, unsigned first) {
    for (unsigned i = 0; i < neurons; ++i) {
      const unsigned at = first + i, delay = steps[at];
      weight_grad[at] += later(now, delay, b)[i];
      if (learns == 0) continue;
      float difference = 0.0f;
      if (delay < longest) difference += later(now, delay + 1, b)[i];
      if (delay > 0) difference -= later(now, delay - 1, b)[i];
      steps_grad[0][at] += 0.5f * float(weights[at]) * difference;
    }
  }

  float dot(unsigned now, unsigned b, unsigned first) {
    float sum = 0.0f;
    for (unsigned i = 0; i < neurons; ++i)
      sum += float(weights[first + i]) * later(now, steps[first + i], b)[i];
    return sum;
  }
};

template class SynapticGrad<unsigned short, float>;
template class SynapticGrad<unsigned, float>;
template class SynapticGrad<unsigned short, half>;
template class SynapticGrad<unsigned, half>;

}  // namespace popsnn
