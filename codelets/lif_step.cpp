// lif_step: one time step of a layer's neurons on one tile, from the layer's compacted input.
//
//   v[t] = beta * r(v[t-1], s[t-1]) + gain * (bias + sum of the fired inputs' weight rows)
//
// and, as bit masks for compaction, the neurons at or above threshold and those that are only at
// or above the gradient's threshold. Samples are dealt to the workers in turn.
#include <poplar/Vertex.hpp>

#include "neuron.hpp"
#include "rows.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class LifStep : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;           // [batch, slots] active inputs
  Input<Vector<unsigned, ONE_PTR, 4>> counts;  // [batch, 2]
  Input<Vector<unsigned, ONE_PTR, 4>> window;  // [batch, 3] of this layer at step - 1
  Input<int> step;
  Input<Vector<float, ONE_PTR, 8>> weights;         // [inputs, neurons]
  Input<Vector<float, ONE_PTR, 8>> bias;            // [neurons]
  Input<Vector<float, ONE_PTR, 8>> beta;            // [neurons]
  Input<Vector<float, ONE_PTR, 8>> threshold;       // [neurons]
  Input<Vector<float, ONE_PTR, 8>> grad_threshold;  // [neurons]
  InOut<Vector<float, ONE_PTR, 8>> membrane;        // [steps, batch, neurons]
  Output<Vector<unsigned, ONE_PTR, 4>> masks;       // [batch, 2, words]
  const unsigned batch;
  const unsigned slots;
  const unsigned neurons;       // on this tile
  const unsigned first_neuron;  // this tile's first, in the layer
  const unsigned layer_size;
  const unsigned words;  // of a mask; those past this tile's neurons stay empty
  const unsigned reset;  // popsnn::Reset
  const float gain;

  bool compute(unsigned worker) {
    for (unsigned b = worker; b < batch; b += numWorkers()) {
      float* v = &membrane[(unsigned(*step) * batch + b) * neurons];
      for (unsigned i = 0; i < neurons; ++i) v[i] = bias[i];
      gather_rows(&weights[0], neurons, &ids[b * slots], counts[b * kCountSize + kFired], v);
      for (unsigned i = 0; i < neurons; ++i) v[i] *= gain;
      if (*step > 0) leak(v, v - batch * neurons, &window[b * kWindowSize]);
      fire(v, &masks[b * kMaskSize * words]);
    }
    return true;
  }

 private:
  // v += beta * r(previous, its spikes)
  void leak(float* v,                // [neurons]
            const float* previous,   // [neurons]
            const unsigned* kept) {  // [3]
    const float* const decay = &beta[0];
    const float* const theta = &threshold[0];
    const auto reset_mode = Reset(reset);
    if (reset_mode == Reset::None) {
      for (unsigned i = 0; i < neurons; ++i) v[i] += decay[i] * previous[i];
    } else if (kept[kFiredSpan] == layer_size) {  // nobody lost its place
      if (reset_mode == Reset::Zero) {
        for (unsigned i = 0; i < neurons; ++i)
          v[i] += previous[i] >= theta[i] ? 0.0f : decay[i] * previous[i];
      } else {
        for (unsigned i = 0; i < neurons; ++i)
          v[i] += decay[i] * (previous[i] >= theta[i] ? previous[i] - theta[i] : previous[i]);
      }
    } else {
      for (unsigned i = 0; i < neurons; ++i) {
        const bool spiked = previous[i] >= theta[i] &&
                            in_window(first_neuron + i, layer_size, kept[kBegin], kept[kFiredSpan]);
        const float after = reset_mode == Reset::Zero ? 0.0f : previous[i] - theta[i];
        v[i] += decay[i] * (spiked ? after : previous[i]);
      }
    }
  }

  void fire(const float* v,    // [neurons]
            unsigned* mask) {  // [2, words]
    for (unsigned w = 0; w < words; ++w) {
      const unsigned first = w * kMaskBits;
      const unsigned rest = first < neurons ? neurons - first : 0;
      const float* const x = v + first;
      const float* const theta = &threshold[first];
      const float* const theta_grad = &grad_threshold[first];
      const unsigned fired = bits(rest, [=](unsigned i) { return x[i] >= theta[i]; });
      // Not below, where a membrane that is no number has a gradient to be seen by.
      const unsigned above = bits(rest, [=](unsigned i) { return !(x[i] < theta_grad[i]); });
      mask[kFiredMask * words + w] = fired;
      mask[kAboveMask * words + w] = above & ~fired;
    }
  }

  // Bit i of a mask word: test(i). With a constant size a word goes through in vectors.
  template <class Test>
  static inline unsigned bits(unsigned size, Test test) {
    unsigned word = 0;
    if (size >= kMaskBits) {
      for (unsigned i = 0; i < kMaskBits; ++i) word |= unsigned(test(i)) << i;
    } else {
      for (unsigned i = 0; i < size; ++i) word |= unsigned(test(i)) << i;
    }
    return word;
  }
};

template class LifStep<unsigned short>;
template class LifStep<unsigned>;

}  // namespace popsnn
