// One time step of a layer's neurons on one tile, from the compacted spikes that they read.
//
//   current = gain * (bias + sum over sources of the fired inputs' weight rows)
//   state[t] = Model::step(current, state[t-1], spikes[t-1])
//
// and, as bit masks for compaction, the neurons that fire and those that only come near. A layer
// reads one source, and its own spikes of the step before as a second where it is recurrent.
// Rows of masks are dealt to the workers in turn.
#pragma once
#include <poplar/Vertex.hpp>

#include "neuron_model.hpp"
#include "rows.hpp"

namespace popsnn {

template <class Model, class Id>
class NeuronStep : public poplar::MultiVertex {
  static constexpr auto ONE_PTR = poplar::VectorLayout::ONE_PTR;

 public:
  poplar::Vector<poplar::Input<poplar::Vector<Id, ONE_PTR, 4>>>
      ids;  // [sources][batch, slots[source]]
  poplar::Vector<poplar::Input<poplar::Vector<unsigned, ONE_PTR, 4>>>
      counts;  // [sources][batch, 2]
  poplar::Vector<poplar::Input<poplar::Vector<float, ONE_PTR, 8>>>
      weights;                     // [sources][inputs, neurons]
  poplar::Vector<unsigned> slots;  // [sources]
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

  bool compute(unsigned worker) {
    for (unsigned m = worker; m * samples_per_row < batch; m += numWorkers()) {
      const unsigned first = m * samples_per_row;
      const unsigned end = first + samples_per_row < batch ? first + samples_per_row : batch;
      unsigned fields = 0;
      for (unsigned b = first; b < end; ++b) {
        float* const after = &states[(history_row(*row) * batch + b) * kRow * neurons];
        add_current(b, after);
        advance(after - batch * kRow * neurons, after, &window[b * kWindowSize]);
        if (bits < kMaskBits)
          fields |= field(after) << (2 * bits * (b - first));
        else
          write_masks(after, &masks[b * words]);
      }
      if (bits < kMaskBits) masks[m] = fields;
    }
    return true;
  }

 private:
  static constexpr unsigned kRow = Model::kStates;

  void add_current(unsigned b, float* current) {  // [neurons]
    for (unsigned i = 0; i < neurons; ++i) current[i] = bias[i];
    for (unsigned source = 0; source < slots.size(); ++source)
      gather_rows(&weights[source][0], neurons, &ids[source][b * slots[source]],
                  counts[source][b * kCountSize + kFired], current);
    for (unsigned i = 0; i < neurons; ++i) current[i] *= gain;
  }

  // `after` holds the current on entry.
  void advance(const float* before,      // [kStates, neurons]
               float* after,             // [kStates, neurons]
               const unsigned* kept) {   // [3]
    if (kept[kFiredSpan] == layer_size)  // nobody lost its place
      advance_neurons(before, after, [](unsigned) { return true; });
    else
      advance_neurons(before, after, [&](unsigned i) {
        return in_window(first_neuron + i, layer_size, kept[kBegin], kept[kFiredSpan]);
      });
  }

  template <class HasPlace>
  void advance_neurons(const float* __restrict__ before, float* __restrict__ after,
                       HasPlace has_place) {
    const NeuronOptions options = {Reset(reset), 0.0f, 0.0f};
    const unsigned n = neurons;
    const float* const rows = &parameters[0];
    for (unsigned i = 0; i < n; ++i) {
      const Column<Model::kParameters> p(rows, n, i);
      const Column<kRow> state(before, n, i);
      const bool spiked = Model::fires(p.value, state.value) & has_place(i);
      float next[kRow];
      Model::step(options, p.value, after[i], state.value, spiked, next);
      for (unsigned k = 0; k < kRow; ++k) after[k * n + i] = next[k];
    }
  }

  // A sample's packed masks.
  unsigned field(const float* state) {  // [kStates, neurons]
    const unsigned fired = fired_bits(state, 0, neurons);
    return fired | (near_bits(state, 0, neurons) & ~fired) << bits;
  }

  void write_masks(const float* state,  // [kStates, neurons]
                   unsigned* mask) {    // [2, words / 2]
    const unsigned half = words / kMaskParts;
    for (unsigned w = 0; w < half; ++w) {
      const unsigned first = w * kMaskBits;
      const unsigned rest = first < neurons ? neurons - first : 0;
      const unsigned fired = fired_bits(state, first, rest);
      mask[kFiredMask * half + w] = fired;
      mask[kAboveMask * half + w] = near_bits(state, first, rest) & ~fired;
    }
  }

  unsigned fired_bits(const float* state, unsigned first, unsigned rest) {
    const float* const rows = &parameters[0];
    const unsigned n = neurons;
    return pack(rest, [=](unsigned i) {
      return Model::fires(Column<Model::kParameters>(rows, n, first + i).value,
                          Column<kRow>(state, n, first + i).value);
    });
  }

  unsigned near_bits(const float* state, unsigned first, unsigned rest) {
    const float* const rows = &parameters[0];
    const unsigned n = neurons;
    return pack(rest, [=](unsigned i) {
      return Model::near(Column<Model::kParameters>(rows, n, first + i).value,
                         Column<kRow>(state, n, first + i).value);
    });
  }

  // Bit i: test(i). With a constant size a word goes through in vectors.
  template <class Test>
  static inline unsigned pack(unsigned size, Test test) {
    unsigned word = 0;
    if (size >= kMaskBits) {
      for (unsigned i = 0; i < kMaskBits; ++i) word |= unsigned(test(i)) << i;
    } else {
      for (unsigned i = 0; i < size; ++i) word |= unsigned(test(i)) << i;
    }
    return word;
  }
};

}  // namespace popsnn
