// Loops of a neuron model over pairs of neurons in the IPU's assembly, which NeuronStep and
// NeuronStepGrad take where the model has them. Rows of an even number of neurons begin on 8 bytes.
// lif_ipu.hpp is an example.
#pragma once

#include "common/copy_ipu.hpp"
#include "common/repeats_ipu.hpp"

namespace popsnn {
namespace ipu {

// Whether a model has loops, and for which surrogates. A specialisation defines
//
//   // One time step of 2 * pairs neurons, kChunk at most; `after` holds their synaptic sums on
//   entry.
//   // Returns the bits of neurons that fire in the low half of the word, and of those above the
//   // gradient threshold in the high half, each up to the half's bit 15.
//   static unsigned step(Reset, const float* parameters, unsigned neurons, const float* before,
//                        float* after, unsigned pairs, const float* gain);
//   // Backward pass of a time step of 2 * pairs neurons, without gradients of their parameters.
//   static void grad(Reset, bool attached, const float* parameters, unsigned neurons,
//                    const float* state, const float* ds, float* d, float* di, unsigned pairs,
//                    const float* scalars);
template <class Model>
struct Pairs {
  static constexpr bool kStep = false;
  static constexpr bool grads(Surrogate) { return false; }
};

constexpr unsigned kChunk = 16;  // neurons of a call of `step`

}  // namespace ipu
}  // namespace popsnn
