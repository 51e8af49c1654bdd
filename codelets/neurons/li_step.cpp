// li_step: one time step of a leaky readout's units on one tile, from its compacted input.
//
//   v[t] = beta * v[t-1] + gain * (bias + sum of the fired inputs' weight rows)
//
// Workers take samples in turn. LiStepLate reads spikes that arrive late.
#include <poplar/Vertex.hpp>

#include "common/late_list.hpp"
#include "common/rows.hpp"
#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

// The step of a sample.
template <class Id, class Weight>
POPSNN_INLINED static inline void li_sample(const ReadIds<Id>& read,
                                            const Weight* weights,  // [inputs, neurons]
                                            const float* bias,      // [neurons]
                                            const float* beta,      // [neurons]
                                            const float* before,    // [neurons]
                                            unsigned neurons, float gain,
                                            float* v) {  // [neurons]
  for (unsigned i = 0; i < neurons; ++i) v[i] = bias[i];
  gather_rows(weights, neurons, read.ids, read.count, v);
  for (unsigned i = 0; i < neurons; ++i) v[i] = beta[i] * before[i] + gain * v[i];
}

template <class Id, class Weight>
class LiStep : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;                 // [batch, padded_capacity] active inputs
  Input<Vector<unsigned, ONE_PTR, 4>> counts;        // [batch, 2]
  Input<int> row;                                    // of the states that the other layers store
  Input<int> first_step;                             // of those; a readout stores all time steps
  Input<Vector<Weight, ONE_PTR, 16, true>> weights;  // [inputs, neurons] interleaved
  Input<Vector<float, ONE_PTR, 8>> bias;             // [neurons]
  Input<Vector<float, ONE_PTR, 8>> parameters;       // [1, neurons] beta
  InOut<Vector<float, ONE_PTR, 8>> states;           // [1 + steps, batch, neurons] membranes
  const unsigned batch;
  const unsigned padded_capacity;
  const unsigned neurons;
  const float gain;

  bool compute(unsigned worker) {
    const unsigned after = history_row(*first_step + *row);
    for (unsigned b = worker; b < batch; b += numWorkers()) {
      float* const v = &states[(after * batch + b) * neurons];
      const unsigned* const record = &counts[b * kCountSize];
      const Id* const list = &ids[b * padded_capacity];
      li_sample(ReadIds<Id>{list, record[kFired]}, &weights[0], &bias[0], &parameters[0],
                v - batch * neurons, neurons, gain, v);
    }
    return true;
  }
};

template <class Id, class Weight>
class LiStepLate : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;                 // [batch, padded_capacity] active inputs
  Input<Vector<unsigned, ONE_PTR, 4>> counts;        // [batch, 2]
  Input<int> row;                                    // of the states that the other layers store
  Input<int> first_step;                             // of those; a readout stores all time steps
  Input<Vector<Weight, ONE_PTR, 16, true>> weights;  // [inputs, neurons] interleaved
  Input<Vector<float, ONE_PTR, 8>> bias;             // [neurons]
  Input<Vector<float, ONE_PTR, 8>> parameters;       // [1, neurons] beta
  InOut<Vector<float, ONE_PTR, 8>> states;           // [1 + steps, batch, neurons] membranes
  const unsigned batch;
  const unsigned padded_capacity;
  const unsigned earlier;  // of it, the room of the ids of earlier steps
  const unsigned neurons;
  const float gain;

  bool compute(unsigned worker) {
    const unsigned after = history_row(*first_step + *row);
    for (unsigned b = worker; b < batch; b += numWorkers()) {
      float* const v = &states[(after * batch + b) * neurons];
      const unsigned* const record = &counts[b * kCountSize];
      const Id* const list = &ids[b * padded_capacity];
      li_sample(late_ids(list, earlier, record), &weights[0], &bias[0], &parameters[0],
                v - batch * neurons, neurons, gain, v);
    }
    return true;
  }
};

template class LiStep<unsigned short, float>;
template class LiStep<unsigned, float>;
template class LiStep<unsigned short, half>;
template class LiStep<unsigned, half>;

template class LiStepLate<unsigned short, float>;
template class LiStepLate<unsigned, float>;
template class LiStepLate<unsigned short, half>;
template class LiStepLate<unsigned, half>;

}  // namespace popsnn
