// li_step: one time step of a leaky readout's units on one tile, from its compacted input.
//
//   v[t] = beta * v[t-1] + gain * (bias + sum of the fired inputs' weight rows)
//
// Workers take samples in turn. LiStepLate reads spikes that arrive late; LiStepAhead adds weight
// rows to the sums of later time steps, which the rows of the states hold.
#include <poplar/Vertex.hpp>

#include "common/ahead.hpp"
#include "common/copy.hpp"
#include "common/late_list.hpp"
#include "common/rows.hpp"
#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

// The step of a worker's samples; `add_current` leaves the synaptic sum in its row of the states.
template <class Vertex, class AddCurrent>
POPSNN_INLINED static inline bool li_samples(Vertex& x, unsigned worker, AddCurrent add_current) {
  const unsigned after = history_row(*x.first_step + *x.row);
  for (unsigned b = worker; b < x.batch; b += Vertex::numWorkers()) {
    float* const v = &x.states[(after * x.batch + b) * x.neurons];
    const float* const before = v - x.batch * x.neurons;
    add_current(&x.ids[b * x.padded_capacity], &x.counts[b * kCountSize], v);
    for (unsigned i = 0; i < x.neurons; ++i) v[i] = x.parameters[i] * before[i] + x.gain * v[i];
  }
  return true;
}

// The same with the sum of one list; `read_of` returns the ids that a sample reads of it.
template <class Vertex, class ReadOf>
POPSNN_INLINED static inline bool li_lists(Vertex& x, unsigned worker, ReadOf read_of) {
  return li_samples(x, worker, [&](auto list, const unsigned* record, float* v) POPSNN_INLINED {
    const auto read = read_of(list, record);
    for (unsigned i = 0; i < x.neurons; ++i) v[i] = x.bias[i];
    gather_rows(&x.weights[0], x.neurons, read.ids, read.count, v);
  });
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
    return li_lists(*this, worker, [](const Id* list, const unsigned* record) POPSNN_INLINED {
      return ReadIds<Id>{list, record[kFired]};
    });
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
    return li_lists(*this, worker, [&](const Id* list, const unsigned* record) POPSNN_INLINED {
      return late_ids(list, earlier, record);
    });
  }
};

// ahead_ipu.hpp loads from a row of weights and one of the states in one bundle, and stores to it.
#ifdef __IPU__
#define POPSNN_APART [[poplar::constraint("elem(*weights) != elem(*states)")]]
#else
#define POPSNN_APART
#endif

template <class Id>
class POPSNN_APART LiStepAhead : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;            // [batch, padded_capacity] active inputs
  Input<Vector<unsigned, ONE_PTR, 4>> counts;   // [batch, 2]
  Input<Vector<unsigned, ONE_PTR, 4>> delays;   // [inputs] in time steps after the present one
  Input<int> row;                               // of the states that the other layers store
  Input<int> first_step;                        // of those; a readout stores all time steps
  Input<Vector<float, ONE_PTR, 8>> weights;     // [inputs, neurons]
  Input<Vector<float, ONE_PTR, 8>> bias;        // [neurons]
  Input<Vector<float, ONE_PTR, 8>> parameters;  // [1, neurons] beta
  // [1 + all time steps + longest_delay, batch, neurons] membranes, then sums; interleaved
  InOut<Vector<float, ONE_PTR, 16, true>> states;
  const unsigned batch;
  const unsigned padded_capacity;
  const unsigned longest_delay;
  const unsigned neurons;
  const float gain;

  bool compute(unsigned worker) {
    // Sums begin with the bias at the first time step that may add to them.
    const unsigned begin = *first_step + *row == 0 ? 0 : longest_delay, stride = batch * neurons;
    const auto add = [&](const Id* list, const unsigned* record, float* v) POPSNN_INLINED {
      for (unsigned step = begin; step <= longest_delay; ++step)
        copy_row(&bias[0], neurons, v + step * stride);
      add_rows_ahead(&weights[0], neurons, list, record[kFired], &delays[0], v, stride);
    };
    return li_samples(*this, worker, add);
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

template class LiStepAhead<unsigned short>;
template class LiStepAhead<unsigned>;

}  // namespace popsnn
