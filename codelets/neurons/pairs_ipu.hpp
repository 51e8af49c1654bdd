// Loops of a neuron model over pairs of neurons in the IPU's assembly, which NeuronStep and
// NeuronStepGrad take where the model has them. Rows of an even number of neurons begin on 8 bytes.
// lif_ipu.hpp is an example.
#pragma once

#include "common/repeats_ipu.hpp"

namespace popsnn {
namespace ipu {

// Bits of the first 16 neurons of a chunk and of 16 more: those that fire in the low half of a
// word, those above the gradient threshold in its high half.
struct ChunkBits {
  unsigned first, second;
};

// Whether a model has loops, and for which surrogates. A specialisation defines
//
//   // One time step of 2 * pairs neurons, kChunk at most; `after` holds their synaptic sums on
//   // entry. The loop may load, and not use, a pair of neurons after those.
//   static ChunkBits step(Reset, const float* parameters, unsigned neurons, const float* before,
//                         float* after, unsigned pairs, const float* gain);
//   // Backward pass of a time step of 2 * pairs neurons, without gradients of their parameters.
//   static void grad(Reset, bool attached, const float* parameters, unsigned neurons,
//                    const float* state, const float* ds, float* d, float* di, unsigned pairs,
//                    const float* scalars);
template <class Model>
struct Pairs {
  static constexpr bool kStep = false;
  static constexpr bool grads(Surrogate) { return false; }
};

constexpr unsigned kChunk = 32;  // neurons of a call of `step`

}  // namespace ipu
}  // namespace popsnn
