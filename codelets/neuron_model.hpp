// What a neuron model is to the vertices that run it: the numbers and functions below, which
// NeuronStep and NeuronStepGrad call for every neuron. lif.hpp is the shortest example.
//
//   struct Model {
//     static constexpr unsigned kStates;      // floats that a neuron carries from step to step
//     static constexpr unsigned kParameters;  // floats that stay
//     static constexpr unsigned kLearnable;   // of these the first so many have gradients
//
//     // after = the neuron one step on. `current` is what its synapses bring; `spiked` says
//     // whether it fired at the step before and kept its place.
//     static void step(const NeuronOptions&, const float* p, float current, const float* before,
//                      bool spiked, float* after);
//     static bool fires(const float* p, const float* state);
//     static bool near(const float* p, const float* state);  // its gradient is wanted if it is
//     silent
//
//     // d on entry: dL/d(state of step + 1); on return: dL/d(state of step), whose first entry is
//     // dL/d(current). `ds`: dL/d(spike) from whoever read it; `listed`: whether a gradient passes
//     // the spike. dp += dL/d(learnable parameters).
//     template <Surrogate kind>
//     static void grad(const NeuronOptions&, const float* p, const float* state, bool spiked,
//                      bool listed, float ds, float* d, float* dp);
//   };
//
// Functions without a branch on a neuron's values go through in vectors.
#pragma once

#include "neuron.hpp"
#include "surrogate.hpp"

namespace popsnn {

// What the neurons of a layer share.
struct NeuronOptions {
  Reset reset;
  float attached;  // 1 where the gradient passes the spike inside of the reset, else 0
  float surrogate_parameter;
};

// One neuron's values out of rows of neurons.
template <unsigned rows>
struct Column {
  float value[rows];
  Column(const float* from, unsigned neurons, unsigned i) {  // from: [rows, neurons]
    for (unsigned k = 0; k < rows; ++k) value[k] = from[k * neurons + i];
  }
};

}  // namespace popsnn
