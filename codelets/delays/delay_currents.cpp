// delay_currents: the delayed input of a layer's neurons on one tile at time step t.
//
//   product[s] = sum of the weight rows of the inputs of source s that fired
//   ring[t + k] += taps[k] * product[s]  for the taps k of source s
//   ring[t + steps[s][i, j]] += weights[s][i, j]  for the inputs i of a source with delays of each
//     weight
//   current = ring[t], whose slot is zero then, for step t + slots
//
// The neurons' step reads `current` as one row of weights for each sample. Products are saved where
// taps learn. Workers take samples in turn.
#include <poplar/Vertex.hpp>

#include "common/late_list.hpp"
#include "common/rows.hpp"
#include "common/spike_records.hpp"
#include "ring.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id, class Weight>
class DelayCurrents : public MultiVertex {
 public:
  Vector<Input<Vector<Id, ONE_PTR, 4>>> ids;           // [sources][batch, padded_capacity[source]]
  Vector<Input<Vector<unsigned, ONE_PTR, 4>>> counts;  // [sources][batch, 2]
  Vector<Input<Vector<Weight, ONE_PTR, 16, true>>>
      weights;                       // [sources][inputs, neurons] interleaved
  Vector<unsigned> padded_capacity;  // [sources]
  // [sources] of a list that is read late, the room of the ids of earlier steps; else 0
  Vector<unsigned> earlier;
  Vector<unsigned> tap_rows;  // [sources]
  // A field of what no source has is one row of one element, which is not touched.
  Vector<Input<Vector<float, ONE_PTR, 8>>> taps;               // [1][sum of tap_rows, neurons]
  Vector<Input<Vector<unsigned short, ONE_PTR, 4>>> synapses;  // [such sources][inputs, neurons]
  Input<int> row;                                     // of the interval's states before this step
  Input<int> first_step;                              // of the interval
  InOut<Vector<float, ONE_PTR, 8>> ring;              // [slots, batch, neurons]
  Vector<InOut<Vector<float, ONE_PTR, 8>>> products;  // [learnt sources][rows, batch, neurons]
  Output<Vector<float, ONE_PTR, 8>> current;          // [batch, neurons]
  const unsigned batch;
  const unsigned neurons;
  const unsigned slots;
  const unsigned learnt;    // bit s: the taps of source s learn
  const unsigned synaptic;  // bit s: source s has delays of each weight

  bool compute(unsigned worker) {
    const unsigned now = ring_slot(unsigned(*first_step + *row), slots);
    for (unsigned b = worker; b < batch; b += numWorkers()) {
      float* const out = &current[b * neurons];
      const float* of_source = &taps[0][0];
      unsigned saved = 0, of_weights = 0;
      for (unsigned source = 0; source < padded_capacity.size(); ++source) {
        if ((synaptic >> source & 1) != 0) {
          add_rows(now, b, source, &synapses[of_weights++][0]);
          continue;
        }
        for (unsigned i = 0; i < neurons; ++i) out[i] = 0.0f;
        const ReadIds<Id> list = list_of(source, b);
        gather_rows(&weights[source][0], neurons, list.ids, list.count, out);
        if ((learnt >> source & 1) != 0) {
          float* const product = &products[saved++][(unsigned(*row) * batch + b) * neurons];
          for (unsigned i = 0; i < neurons; ++i) product[i] = out[i];
        }
        distribute(now, b, of_source, tap_rows[source], out);
        of_source += tap_rows[source] * neurons;
      }
      float* const slot = slot_of(now, b);
      for (unsigned i = 0; i < neurons; ++i) {
        out[i] = slot[i];
        slot[i] = 0.0f;
      }
    }
    return true;
  }

 private:
  float* slot_of(unsigned slot, unsigned b) { return &ring[(slot * batch + b) * neurons]; }

  POPSNN_INLINED ReadIds<Id> list_of(unsigned source, unsigned b) {
    const Id* const row = &ids[source][b * padded_capacity[source]];
    const unsigned* const record = &counts[source][b * kCountSize];
    if (earlier[source] > 0) return late_ids(row, earlier[source], record);
    return {row, record[kFired]};
  }

  void add_rows(unsigned now, unsigned b, unsigned source,
                const unsigned short* steps) {  // [inputs, neurons]
    const ReadIds<Id> list = list_of(source, b);
    for (unsigned k = 0; k < list.count; ++k) {
      const unsigned row_of_id = list.ids[k] * neurons;
      for (unsigned i = 0; i < neurons; ++i)
        slot_of(later_slot(now, steps[row_of_id + i], slots), b)[i] +=
            float(weights[source][row_of_id + i]);
    }
  }

  void distribute(unsigned now, unsigned b,
                  const float* __restrict__ of_source,  // [rows, neurons]
                  unsigned rows,
                  const float* __restrict__ product) {  // [neurons]
    if (rows == kUndelayed) {
      float* __restrict__ const slot = slot_of(now, b);
      for (unsigned i = 0; i < neurons; ++i) slot[i] += product[i];
    } else if (rows == kWhole) {
      for (unsigned i = 0; i < neurons; ++i)
        slot_of(later_slot(now, unsigned(of_source[i]), slots), b)[i] += product[i];
    } else {
      for (unsigned k = 0; k < rows; ++k) {
        float* __restrict__ const slot = slot_of(later_slot(now, k, slots), b);
        for (unsigned i = 0; i < neurons; ++i) slot[i] += of_source[k * neurons + i] * product[i];
      }
    }
  }
};

template class DelayCurrents<unsigned short, float>;
template class DelayCurrents<unsigned, float>;
template class DelayCurrents<unsigned short, half>;
template class DelayCurrents<unsigned, half>;

}  // namespace popsnn
