// Interface of a neuron model: the numbers and functions below, which NeuronStep and NeuronStepGrad
// call for every neuron. lif.hpp is the shortest example. A custom neuron is a header alone, which
// includes this one: poplib instantiates the vertices and checks its numbers against the host's.
//
//   struct Model {
//     static constexpr unsigned kStates;      // floats that a neuron carries from step to step
//     static constexpr unsigned kParameters;  // floats that stay; the last is the gradient
//     static constexpr unsigned kLearnable;   // threshold. The first kLearnable of them may learn.
//
//     // after = the state after one time step. `current` is the synaptic current, and enters
//     // after[0] with factor 1; `spiked` says whether the neuron fired at the time step before and
//     // was not dropped by the capacity limit.
//     static void step(const NeuronOptions&, const float* p, float current, const float* before,
//                      bool spiked, float* after);
//     static bool fires(const float* p, const float* state);
//     // Whether a neuron that does not fire is subthreshold-active: it has a gradient too.
//     static bool near(const float* p, const float* state);
//
//     // d on entry: dL/d(state of step + 1); on return: dL/d(state of step), whose first entry is
//     // dL/d(current). `ds`: dL/d(spike) from its readers; `active`: whether a gradient passes the
//     // spike. dp += dL/d(learnable parameters). Called once more after step 0, for the state
//     // before it, where no neuron is `spiked` or `active`.
//     template <Surrogate kind>
//     static void grad(const NeuronOptions&, const float* p, const float* state, bool spiked,
//                      bool active, float ds, float* d, float* dp);
//   };
//
// Spikes are not stored but recomputed from the states: `fires` must give the same bits wherever it
// is called. Functions without a branch on a neuron's values are vectorised.
#pragma once

#include "options.hpp"
#include "surrogate.hpp"

namespace popsnn {

// How NeuronStep runs a loop over a model's neurons: loop(options).
template <class Model>
struct WithOptions {
  template <class Loop>
  static inline void run(Reset reset, Loop loop) {
    with_reset({reset, 0.0f, 0.0f}, loop);
  }
};

// One neuron's values.
template <unsigned rows>
struct Column {
  float value[rows];
};

// Rows of neurons, [rows, neurons], each by its address: a compiler need not prove that the index
// k * neurons + i stays within 32 bits to vectorise over neurons.
template <unsigned rows>
struct NeuronRows {
  const float* row[rows];
  NeuronRows(const float* from, unsigned neurons) {
    for (unsigned k = 0; k < rows; ++k) row[k] = from + k * neurons;
  }
  Column<rows> operator[](unsigned i) const {
    Column<rows> column;
    for (unsigned k = 0; k < rows; ++k) column.value[k] = row[k][i];
    return column;
  }
};

}  // namespace popsnn
