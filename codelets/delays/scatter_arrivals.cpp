// scatter_arrivals: brings the gradients of the spikes that arrived at time step t back to the time
// steps at which their neurons fired.
//
//   arrived[t, id] = sum over sources of sums[k]        for the arrivals at time step t
//   spike_grad[id] += arrived[t + delays[id], id]       for the list of time step t
//
// A neuron of the list of step t arrives at step t + delays[id], which is behind the backward pass
// already, or at none of its time steps: then its value is zero still. Each worker has a range of
// the neurons, and so of each section of a list, whose ids ascend.
#include <poplar/Vertex.hpp>

#include "common/lower_bound.hpp"
#include "common/spike_records.hpp"
#include "ring.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class ScatterArrivals : public MultiVertex {
 public:
  Vector<Input<Vector<float, ONE_PTR, 8>>> sums;       // [sources][samples, sum_capacity]
  Input<Vector<Id, ONE_PTR, 8>> ids_history;           // [samples, entries], row after row
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  Input<Vector<unsigned, ONE_PTR, 4>> begins;          // [samples, 1 + steps] of rows
  Input<Vector<Id, ONE_PTR, 4>> fired_ids;             // [samples, 1 + steps, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> fired_counts;    // [samples, 1 + steps, 2]
  Input<Vector<unsigned, ONE_PTR, 4>> delays;          // [neurons] in time steps, below slots
  Input<int> step;
  InOut<Vector<float, ONE_PTR, 8>> arrived;     // [samples, slots, neurons]
  InOut<Vector<float, ONE_PTR, 8>> spike_grad;  // [samples, neurons]
  const unsigned samples;
  const unsigned steps;
  const unsigned padded_capacity;  // of the lists of those that fired
  const unsigned entries;
  const unsigned sum_capacity;
  const unsigned slots;
  const unsigned neurons;
  const int offset;  // the lists' time step is step + offset; before 0 there is nothing to do

  bool compute(unsigned worker) {
    const int t = *step + offset;
    if (t < 0) return true;
    const unsigned now = ring_slot(unsigned(t), slots);
    for (unsigned b = 0; b < samples; ++b) {
      const unsigned row = b * (1 + steps) + history_row(t);
      float* const slot_rows = &arrived[b * slots * neurons];
      const Id* list = &ids_history[b * entries + begins[b * (1 + steps) + unsigned(t)]];
      each(list, &counts_history[row * kCountSize], worker, [&](unsigned k, unsigned id) {
        float sum = 0.0f;
        for (unsigned source = 0; source < sums.size(); ++source)
          sum += sums[source][b * sum_capacity + k];
        slot_rows[now * neurons + id] = sum;
      });
      float* const grad = &spike_grad[b * neurons];
      list = &fired_ids[row * padded_capacity];
      each(list, &fired_counts[row * kCountSize], worker, [&](unsigned, unsigned id) {
        grad[id] += slot_rows[later_slot(now, delays[id], slots) * neurons + id];
      });
    }
    return true;
  }

 private:
  // Calls visit(position, id) for the worker's entries of both sections of a list.
  template <class Visit>
  void each(const Id* list, const unsigned* counts, unsigned worker, Visit visit) {
    const unsigned low = neurons * worker / numWorkers(),
                   high = neurons * (worker + 1) / numWorkers();
    const unsigned fired = counts[kFired], ends[] = {fired, counts[kActive]};
    for (unsigned section = 0, begin = 0; section < kMaskKinds; begin = ends[section++]) {
      const Id* const ids = list + begin;
      const unsigned size = ends[section] - begin, to = lower_bound(ids, size, high);
      for (unsigned k = lower_bound(ids, size, low); k < to; ++k) visit(begin + k, ids[k]);
    }
  }
};

template class ScatterArrivals<unsigned short>;
template class ScatterArrivals<unsigned>;

}  // namespace popsnn
