// One time step of a layer's neurons on one tile as in neuron_step.hpp, where spikes of the one
// source arrive some time steps ahead: weight rows go into the sums of those steps, which their
// rows of the states hold until then.
#pragma once
#include <poplar/Vertex.hpp>

#include "common/ahead.hpp"
#include "common/copy.hpp"
#include "common/inlined.hpp"
#include "common/spike_records.hpp"
#include "neuron_model.hpp"
#include "neuron_samples.hpp"

namespace popsnn {

// ahead_ipu.hpp loads from a row of weights and one of the states in one bundle, and stores to it.
#ifdef __IPU__
#define POPSNN_APART [[poplar::constraint("elem(*weights) != elem(*states)")]]
#else
#define POPSNN_APART
#endif

template <class Model, class Id>
class POPSNN_APART NeuronStepAhead : public poplar::MultiVertex {
  static constexpr auto ONE_PTR = poplar::VectorLayout::ONE_PTR;

 public:
  poplar::Input<poplar::Vector<Id, ONE_PTR, 4>> ids;           // [batch, padded_capacity]
  poplar::Input<poplar::Vector<unsigned, ONE_PTR, 4>> counts;  // [batch, 2]
  poplar::Input<poplar::Vector<unsigned, ONE_PTR, 4>>
      delays;  // [inputs] in time steps after the present one
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>> weights;  // [inputs, neurons]
  poplar::Input<poplar::Vector<unsigned, ONE_PTR, 4>>
      window;                                             // [batch, 3] of this layer at step - 1
  poplar::Input<int> row;                                 // of the states before this step
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>> bias;  // [neurons]
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>> parameters;  // [Model::kParameters, neurons]
  // [1 + rows + longest_delay, batch, Model::kStates, neurons] states, then sums; interleaved
  poplar::InOut<poplar::Vector<float, ONE_PTR, 16, true>> states;
  poplar::Output<poplar::Vector<unsigned, ONE_PTR, 4>> masks;  // [rows, words]
  const unsigned padded_capacity;
  const unsigned longest_delay;
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
  using Samples = NeuronSamples<Model, NeuronStepAhead>;
  friend Samples;

  POPSNN_INLINED void add_current(unsigned b, float* current) {  // [neurons]
    // Sums begin with the bias at the first time step that may add to them.
    const unsigned stride = batch * Model::kStates * neurons;
    for (unsigned step = *row == 0 ? 0 : longest_delay; step <= longest_delay; ++step)
      copy_row(&bias[0], neurons, current + step * stride);
    add_rows_ahead(&weights[0], neurons, &ids[b * padded_capacity], counts[b * kCountSize + kFired],
                   &delays[0], current, stride);
  }
};

#undef POPSNN_APART

}  // namespace popsnn
