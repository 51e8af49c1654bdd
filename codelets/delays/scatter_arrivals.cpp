// scatter_arrivals: adds the gradients of the spikes of time step t to dense rows dL/ds.
//
//   spike_grad[id] += waiting[k]                   for the list that fired: what arrived later
//   spike_grad[id] += sum over sources of sums[k]  for the list of arrivals, without a delay
//
// A neuron has one of the two, by its delay, and the ids of a list differ: no two workers add to
// one element. Each takes a range of both lists.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class ScatterArrivals : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, 1 + steps, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, 1 + steps, 2]
  Input<Vector<float, ONE_PTR, 8>> waiting;            // [samples, padded_capacity]
  Vector<Input<Vector<float, ONE_PTR, 8>>> sums;       // [sources][samples, sum_capacity]
  Input<Vector<Id, ONE_PTR, 4>> ids;                   // [samples, sum_capacity] of time step t
  Input<Vector<unsigned, ONE_PTR, 4>> counts;          // [samples, 2]
  Input<Vector<unsigned, ONE_PTR, 4>> delays;          // [neurons] in time steps
  Input<int> step;
  InOut<Vector<float, ONE_PTR, 8>> spike_grad;  // [samples, neurons]
  const unsigned samples;
  const unsigned steps;
  const unsigned padded_capacity;
  const unsigned sum_capacity;
  const unsigned neurons;
  const int offset;  // t is step + offset; before 0 there is nothing to do

  bool compute(unsigned worker) {
    const int t = *step + offset;
    if (t < 0) return true;
    for (unsigned b = 0; b < samples; ++b) {
      const unsigned row = b * (1 + steps) + history_row(t);
      const Id* list = &ids_history[row * padded_capacity];
      float* const grad = &spike_grad[b * neurons];
      each_of_worker(counts_history[row * kCountSize + kActive], worker, numWorkers(),
                     [&](unsigned k) {
                       if (delays[list[k]] != 0) grad[list[k]] += waiting[b * padded_capacity + k];
                     });
      list = &ids[b * sum_capacity];
      each_of_worker(counts[b * kCountSize + kActive], worker, numWorkers(), [&](unsigned k) {
        if (delays[list[k]] != 0) return;
        float sum = grad[list[k]];
        for (unsigned source = 0; source < sums.size(); ++source)
          sum += sums[source][b * sum_capacity + k];
        grad[list[k]] = sum;
      });
    }
    return true;
  }
};

template class ScatterArrivals<unsigned short>;
template class ScatterArrivals<unsigned>;

}  // namespace popsnn
