// The step of a worker's samples that the vertices of a layer of neurons share (neuron_step.hpp):
// from synaptic sums to states and masks. Workers take rows of masks in turn.
#pragma once
#include <poplar/Vertex.hpp>

#include "common/inlined.hpp"
#include "common/spike_records.hpp"
#include "neuron_model.hpp"

#ifdef __IPU__
#include "pairs_ipu.hpp"
#endif

namespace popsnn {

template <class Model, class Vertex>
class NeuronSamples {
 public:
  // The vertex's add_current(b, row) leaves a sample's synaptic sum in that row of the states.
  POPSNN_INLINED static bool step(Vertex& x, unsigned worker) {
    for (unsigned m = worker; m * x.samples_per_row < x.batch; m += Vertex::numWorkers()) {
      const unsigned first = m * x.samples_per_row;
      const unsigned end =
          first + x.samples_per_row < x.batch ? first + x.samples_per_row : x.batch;
      unsigned fields = 0;
      for (unsigned b = first; b < end; ++b) {
        float* const after = &x.states[(history_row(*x.row) * x.batch + b) * kRow * x.neurons];
        x.add_current(b, after);
        const float* const before = after - x.batch * kRow * x.neurons;
        const unsigned* const record = &x.window[b * kWindowSize];
#ifdef __IPU__
        if (takes_pairs(x, record)) {
          advance_pairs(x, before, after, fields, 2 * x.bits * (b - first), &x.masks[b * x.words]);
          continue;
        }
#endif
        const unsigned field = advance(x, before, after, record);
        if (x.bits < kMaskBits)
          fields |= field << (2 * x.bits * (b - first));
        else
          write_masks(x, after, &x.masks[b * x.words]);
      }
      if (x.bits < kMaskBits) x.masks[m] = fields;
    }
    return true;
  }

 private:
  static constexpr unsigned kRow = Model::kStates;

#ifdef __IPU__
  static bool takes_pairs(Vertex& x, const unsigned* record) {  // [3]
    return ipu::Pairs<Model>::kStep && x.neurons % 2 == 0 && record[kFiredSpan] == x.layer_size;
  }

  // `advance` in assembly, for a sample without dropped neurons: adds the sample's packed masks to
  // `fields`, or writes its row of masks.
  POPSNN_INLINED static void advance_pairs(Vertex& x, const float* before,  // [neurons]
                                           float* after,                    // [neurons]
                                           unsigned& fields, unsigned shift,
                                           unsigned* mask) {  // [2, words / 2]
    if (x.bits < kMaskBits) {  // all neurons are in the first half of a chunk
      const unsigned of = ipu::Pairs<Model>::step(Reset(x.reset), &x.parameters[0], x.neurons,
                                                  before, after, x.neurons / 2, &x.gain)
                              .first;
      const unsigned fired = of & 0xFFFF;
      fields |= (fired | (of >> 16 & ~fired) << x.bits) << shift;
      return;
    }
    const unsigned half = x.words / kMaskKinds;
    for (unsigned i = 0; i < x.neurons; i += ipu::kChunk) {
      const unsigned size = x.neurons - i < ipu::kChunk ? x.neurons - i : ipu::kChunk;
      const ipu::ChunkBits of = ipu::Pairs<Model>::step(Reset(x.reset), &x.parameters[i], x.neurons,
                                                        before + i, after + i, size / 2, &x.gain);
      const unsigned fired = (of.first & 0xFFFF) | of.second << 16;
      mask[kFiredMask * half + i / kMaskBits] = fired;
      mask[kSubthresholdMask * half + i / kMaskBits] =
          (of.first >> 16 | of.second >> 16 << 16) & ~fired;
    }
    // The last tile may have fewer neurons than its row of masks has bits.
    for (unsigned w = (x.neurons + kMaskBits - 1) / kMaskBits; w < half; ++w)
      mask[kFiredMask * half + w] = mask[kSubthresholdMask * half + w] = 0;
  }
#endif

  // `after` holds the synaptic sum on entry. Returns a sample's packed masks, where they are.
  static unsigned advance(Vertex& x, const float* before,  // [kStates, neurons]
                          float* after,                    // [kStates, neurons]
                          const unsigned* record) {        // [3]
    if (record[kFiredSpan] == x.layer_size)                // no neuron was dropped
      return advance_neurons(x, before, after, [](unsigned) { return true; });
    const unsigned first = x.first_neuron, size = x.layer_size, begin = record[kBegin];
    const unsigned span = record[kFiredSpan];
    return advance_neurons(x, before, after,
                           [=](unsigned i) { return in_window(first + i, size, begin, span); });
  }

  template <class WasKept>
  static unsigned advance_neurons(Vertex& x, const float* before, float* after, WasKept was_kept) {
    unsigned field = 0;
    WithOptions<Model>::run(Reset(x.reset), [&](auto options_of) {
      // Few neurons fire while their values are at hand; many go through in vectors first.
      field = x.bits < kMaskBits ? advance_neurons<true>(x, before, after, was_kept, options_of)
                                 : advance_neurons<false>(x, before, after, was_kept, options_of);
    });
    return field;
  }

  template <bool packed, class WasKept, class OptionsOf>
  static unsigned advance_neurons(Vertex& x, const float* __restrict__ before,
                                  float* __restrict__ after, WasKept was_kept,
                                  OptionsOf options_of) {
    const NeuronOptions options = options_of();
    const unsigned n = x.neurons;
    const float scale = x.gain;
    const NeuronRows<Model::kParameters> parameter_rows(&x.parameters[0], n);
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
    return packed ? fired | (subthreshold & ~fired) << x.bits : 0;
  }

  static void write_masks(Vertex& x, const float* state,  // [kStates, neurons]
                          unsigned* mask) {               // [2, words / 2]
    const unsigned half = x.words / kMaskKinds;
    for (unsigned w = 0; w < half; ++w) {
      const unsigned first = w * kMaskBits;
      const unsigned rest = first < x.neurons ? x.neurons - first : 0;
      const unsigned fired = fired_bits(x, state, first, rest);
      mask[kFiredMask * half + w] = fired;
      mask[kSubthresholdMask * half + w] = subthreshold_bits(x, state, first, rest) & ~fired;
    }
  }

  static unsigned fired_bits(Vertex& x, const float* state, unsigned first, unsigned rest) {
    const NeuronRows<Model::kParameters> parameter_rows(&x.parameters[0] + first, x.neurons);
    const NeuronRows<kRow> state_rows(state + first, x.neurons);
    return pack(rest, [=](unsigned i) {
      return Model::fires(parameter_rows[i].value, state_rows[i].value);
    });
  }

  static unsigned subthreshold_bits(Vertex& x, const float* state, unsigned first, unsigned rest) {
    const NeuronRows<Model::kParameters> parameter_rows(&x.parameters[0] + first, x.neurons);
    const NeuronRows<kRow> state_rows(state + first, x.neurons);
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

}  // namespace popsnn
