// One time step of a layer's neurons on one tile, from the compacted spikes that they read.
//
//   current = gain * (bias + sum over sources of the fired inputs' weight rows)
//   state[t] = Model::step(current, state[t-1], spikes[t-1])
//
// and, as bit masks for compaction, the neurons that fire and those only above the gradient
// threshold. A layer reads one source; a recurrent one also reads its spikes of the time step
// before. A layer of an AheadModel adds the sums of later time steps to their rows of the states,
// where each step finds its own. Workers take rows of masks in turn.
#pragma once
#include <poplar/Vertex.hpp>

#include "ahead_model.hpp"
#include "common/ahead.hpp"
#include "common/late_list.hpp"
#include "common/rows.hpp"
#include "common/spike_records.hpp"
#include "late_model.hpp"
#include "neuron_model.hpp"

#ifdef __IPU__
#include "pairs_ipu.hpp"
#endif

namespace popsnn {

template <class Model, class Id, class Weight>
class NeuronStep : public poplar::MultiVertex {
  static constexpr auto ONE_PTR = poplar::VectorLayout::ONE_PTR;

 public:
  poplar::Vector<poplar::Input<poplar::Vector<Id, ONE_PTR, 4>>>
      ids;  // [sources][batch, padded_capacity[source]]
  // [sources][batch, 2]; of an AheadModel, which has one source, steps [inputs] are the last
  poplar::Vector<poplar::Input<poplar::Vector<unsigned, ONE_PTR, 4>>> counts;
  // [sources][inputs, neurons] interleaved, but of an AheadModel
  poplar::Vector<
      poplar::Input<poplar::Vector<Weight, ONE_PTR, kAhead<Model> ? 8 : 16, !kAhead<Model>>>>
      weights;
  // [sources]; of a LateModel [sources, 2], with the room of the ids of earlier steps (common/
  // late_list.hpp), 0 for a source that is not read late; of an AheadModel [2], with the most steps
  poplar::Vector<unsigned> padded_capacity;
  poplar::Input<poplar::Vector<unsigned, ONE_PTR, 4>>
      window;                                             // [batch, 3] of this layer at step - 1
  poplar::Input<int> row;                                 // of the states before this step
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>> bias;  // [neurons]
  poplar::Input<poplar::Vector<float, ONE_PTR, 8>> parameters;  // [Model::kParameters, neurons]
  // [1 + rows, batch, Model::kStates, neurons]; of an AheadModel interleaved, and the most steps
  // more rows
  poplar::InOut<poplar::Vector<float, ONE_PTR, kAhead<Model> ? 16 : 8, kAhead<Model>>> states;
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
        const float* const before = after - batch * kRow * neurons;
        const unsigned* const record = &window[b * kWindowSize];
#ifdef __IPU__
        if (takes_pairs(record)) {
          advance_pairs(before, after, fields, 2 * bits * (b - first), &masks[b * words]);
          continue;
        }
#endif
        const unsigned field = advance(before, after, record);
        if (bits < kMaskBits)
          fields |= field << (2 * bits * (b - first));
        else
          write_masks(after, &masks[b * words]);
      }
      if (bits < kMaskBits) masks[m] = fields;
    }
    return true;
  }

 private:
  static constexpr unsigned kRow = Model::kStates;

  POPSNN_INLINED void add_current(unsigned b, float* current) {  // [neurons]
    if constexpr (kAhead<Model>) {
      // Sums begin with the bias at the first time step that may add to them.
      const unsigned longest = padded_capacity[1], stride = batch * kRow * neurons;
      for (unsigned step = *row == 0 ? 0 : longest; step <= longest; ++step)
        copy_row(&bias[0], neurons, current + step * stride);
      const ReadIds<Id> list = list_of(0, b);
      add_rows_ahead(&weights[0][0], neurons, list.ids, list.count, &counts[1][0], current, stride);
    } else {
      constexpr unsigned entries = kReadsLate<Model> ? 2 : 1;
      for (unsigned source = 0; source * entries < padded_capacity.size(); ++source) {
        const ReadIds<Id> list = list_of(source, b);
        gather_rows(&weights[source][0], neurons, list.ids, list.count,
                    source == 0 ? &bias[0] : current, current);
      }
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

#ifdef __IPU__
  bool takes_pairs(const unsigned* record) {  // [3]
    return ipu::Pairs<Model>::kStep && neurons % 2 == 0 && record[kFiredSpan] == layer_size;
  }

  // `advance` in assembly, for a sample without dropped neurons: adds the sample's packed masks to
  // `fields`, or writes its row of masks.
  POPSNN_INLINED void advance_pairs(const float* before,  // [neurons]
                                    float* after,         // [neurons]
                                    unsigned& fields, unsigned shift,
                                    unsigned* mask) {  // [2, words / 2]
    if (bits < kMaskBits) {  // all neurons are in the first half of a chunk
      const unsigned of = ipu::Pairs<Model>::step(Reset(reset), &parameters[0], neurons, before,
                                                  after, neurons / 2, &gain)
                              .first;
      const unsigned fired = of & 0xFFFF;
      fields |= (fired | (of >> 16 & ~fired) << bits) << shift;
      return;
    }
    const unsigned half = words / kMaskKinds;
    for (unsigned i = 0; i < neurons; i += ipu::kChunk) {
      const unsigned size = neurons - i < ipu::kChunk ? neurons - i : ipu::kChunk;
      const ipu::ChunkBits of = ipu::Pairs<Model>::step(Reset(reset), &parameters[i], neurons,
                                                        before + i, after + i, size / 2, &gain);
      const unsigned fired = (of.first & 0xFFFF) | of.second << 16;
      mask[kFiredMask * half + i / kMaskBits] = fired;
      mask[kSubthresholdMask * half + i / kMaskBits] =
          (of.first >> 16 | of.second >> 16 << 16) & ~fired;
    }
    // The last tile may have fewer neurons than its row of masks has bits.
    for (unsigned w = (neurons + kMaskBits - 1) / kMaskBits; w < half; ++w)
      mask[kFiredMask * half + w] = mask[kSubthresholdMask * half + w] = 0;
  }
#endif

  // `after` holds the synaptic sum on entry. Returns a sample's packed masks, where they are.
  unsigned advance(const float* before,       // [kStates, neurons]
                   float* after,              // [kStates, neurons]
                   const unsigned* record) {  // [3]
    if (record[kFiredSpan] == layer_size)     // no neuron was dropped
      return advance_neurons(before, after, [](unsigned) { return true; });
    const unsigned first = first_neuron, size = layer_size, begin = record[kBegin];
    const unsigned span = record[kFiredSpan];
    return advance_neurons(before, after,
                           [=](unsigned i) { return in_window(first + i, size, begin, span); });
  }

  template <class WasKept>
  unsigned advance_neurons(const float* before, float* after, WasKept was_kept) {
    unsigned field = 0;
    WithOptions<Model>::run(Reset(reset), [&](auto options_of) {
      // Few neurons fire while their values are at hand; many go through in vectors first.
      field = bits < kMaskBits ? advance_neurons<true>(before, after, was_kept, options_of)
                               : advance_neurons<false>(before, after, was_kept, options_of);
    });
    return field;
  }

  template <bool packed, class WasKept, class OptionsOf>
  unsigned advance_neurons(const float* __restrict__ before, float* __restrict__ after,
                           WasKept was_kept, OptionsOf options_of) {
    const NeuronOptions options = options_of();
    const unsigned n = neurons;
    const float scale = gain;
    const NeuronRows<Model::kParameters> parameter_rows(&parameters[0], n);
    const NeuronRows<kRow> states_before(before, n);
    unsigned fired = 0, subthreshold = 0;
#pragma GCC ivdep
    for (unsigned i = 0; i < n; ++i) {
      const auto p = parameter_rows[i];
      const auto state = states_before[i];
      const bool spiked = Model::fires(p.value, state.value) & was_kept(i);
      float next[kRow];
      Model::step(options, p.value, scale * after[i], state.value, spiked, next);
      for (unsigned k = 0; k < kRow; ++k) (after + k * n)[i] = next[k];
      if (!packed) continue;
      fired |= unsigned(Model::fires(p.value, next)) << i;
      subthreshold |= unsigned(Model::near(p.value, next)) << i;
    }
    return packed ? fired | (subthreshold & ~fired) << bits : 0;
  }

  void write_masks(const float* state,  // [kStates, neurons]
                   unsigned* mask) {    // [2, words / 2]
    const unsigned half = words / kMaskKinds;
    for (unsigned w = 0; w < half; ++w) {
      const unsigned first = w * kMaskBits;
      const unsigned rest = first < neurons ? neurons - first : 0;
      const unsigned fired = fired_bits(state, first, rest);
      mask[kFiredMask * half + w] = fired;
      mask[kSubthresholdMask * half + w] = subthreshold_bits(state, first, rest) & ~fired;
    }
  }

  unsigned fired_bits(const float* state, unsigned first, unsigned rest) {
    const NeuronRows<Model::kParameters> parameter_rows(&parameters[0] + first, neurons);
    const NeuronRows<kRow> state_rows(state + first, neurons);
    return pack(rest, [=](unsigned i) {
      return Model::fires(parameter_rows[i].value, state_rows[i].value);
    });
  }

  unsigned subthreshold_bits(const float* state, unsigned first, unsigned rest) {
    const NeuronRows<Model::kParameters> parameter_rows(&parameters[0] + first, neurons);
    const NeuronRows<kRow> state_rows(state + first, neurons);
    return pack(rest, [=](unsigned i) {
      return Model::near(parameter_rows[i].value, state_rows[i].value);
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

// ahead_ipu.hpp loads from a row of weights and one of the states in one bundle, and stores to it.
#ifdef __IPU__
#define POPSNN_APART [[poplar::constraint("elem(**weights) != elem(*states)")]]
#else
#define POPSNN_APART
#endif

// With a constraint that the primary template has not.
template <class Model, class Id, class Weight>
class POPSNN_APART
    NeuronStep<AheadModel<Model>, Id, Weight> : public NeuronStep<AheadSums<Model>, Id, Weight> {};

#undef POPSNN_APART

}  // namespace popsnn
