// One time step of a layer's neurons on one tile, from the compacted spikes that they read.
//
//   current = gain * (bias + sum over sources of the fired inputs' weight rows)
//   state[t] = Model::step(current, state[t-1], spikes[t-1])
//
// and, as bit masks for compaction, the neurons that fire and those only above the gradient
// threshold. A layer reads one source; a recurrent one also reads its spikes of the time step
// before. Workers take rows of masks in turn.
#pragma once
#include <poplar/Vertex.hpp>

#include "common/inlined.hpp"
#include "common/late_list.hpp"
#include "common/rows.hpp"
#include "common/spike_records.hpp"
#include "late_model.hpp"
#include "neuron_model.hpp"
#include "neuron_samples.hpp"

namespace popsnn {

template <class Model, class Id, class Weight>
class NeuronStep : public poplar::MultiVertex {
  static constexpr auto ONE_PTR = poplar::VectorLayout::ONE_PTR;

 public:
  poplar::Vector<poplar::Input<poplar::Vector<Id, ONE_PTR, 4>>>
      ids;  // [sources][batch, padded_capacity[source]]
  poplar::Vector<poplar::Input<poplar::Vector<unsigned, ONE_PTR, 4>>>
      counts;  // [sources][batch, 2]
  poplar::Vector<poplar::Input<poplar::Vector<Weight, ONE_PTR, 16, true>>>
      weights;  // [sources][inputs, neurons] interleaved
  // [sources]; of a LateModel [sources, 2], with the room of the ids of earlier steps (common/
  // late_list.hpp), 0 for a source that is not read late.
  poplar::Vector<unsigned> padded_capacity;
  poplar::Input<poplar::Vector<unsigned, ONE_PTR, 4>>
      window;                                             // [batch, 3] of this layer at step - 1
  poplar::Input<int> row;                                 // of the states before this step
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>> bias;  // [neurons]
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>> parameters;  // [Model::kParameters, neurons]
  poplar::InOut<poplar::Vector<float, ONE_PTR, 8>>
      states;  // [1 + rows, batch, Model::kStates, neurons]
  poplar::Output<poplar::Vector<unsigned, ONE_PTR, 4>> masks;  // [rows, words]
  const unsigned batch;
  const unsigned neurons;       // on this tile
  const unsigned first_neuron;  // this tile's first, in the layer
  const unsigned layer_size;
  const unsigned bits;             // of half a field of masks; kMaskBits: they are not packed
  const unsigned words;            // of a row of masks
  const unsigned samples_per_row;  // of masks
  const unsigned reset;            // popsnn::Reset
  const float gain;

  bool compute(unsigned worker) { return Samples::step(*this, worker); }

 private:
  using Samples = NeuronSamples<Model, NeuronStep>;
  friend Samples;

  POPSNN_INLINED void add_current(unsigned b, float* current) {  // [neurons]
    constexpr unsigned entries = kReadsLate<Model> ? 2 : 1;
    for (unsigned source = 0; source * entries < padded_capacity.size(); ++source) {
      const ReadIds<Id> list = list_of(source, b);
      gather_rows(&weights[source][0], neurons, list.ids, list.count,
                  source == 0 ? &bias[0] : current, current);
    }
  }

  POPSNN_INLINED ReadIds<Id> list_of(unsigned source, unsigned b) {
    const unsigned* const record = &counts[source][b * kCountSize];
    if constexpr (kReadsLate<Model>) {
      const unsigned earlier = padded_capacity[2 * source + 1];
      const Id* const row = &ids[source][b * padded_capacity[2 * source]];
      if (earlier > 0) return late_ids(row, earlier, record);
      return {row, record[kFired]};
    } else {
      return {&ids[source][b * padded_capacity[source]], record[kFired]};
    }
  }
};

}  // namespace popsnn
