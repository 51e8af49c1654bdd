// What a neuron model is to the vertices that run it: the numbers and functions below, which
// NeuronStep and NeuronStepGrad call for every neuron. lif.hpp is the shortest example. One that
// lies outside of the project is a header alone: poplib instantiates the vertices and checks its
// numbers against the host's.
//
//   struct Model {
//     static constexpr unsigned kStates;      // floats that a neuron carries from step to step
//     static constexpr unsigned kParameters;  // floats that stay; the last is the threshold below
//     static constexpr unsigned kLearnable;   // which no gradient passes. The first so many learn.
//
//     // after = the neuron one step on. `current` is what its synapses bring, and enters
//     // after[0] with factor 1; `spiked` says whether the neuron fired at the step before and
//     // kept its place.
//     static void step(const NeuronOptions&, const float* p, float current, const float* before,
//                      bool spiked, float* after);
//     static bool fires(const float* p, const float* state);
//     // Whether its gradient is wanted if it is silent.
//     static bool near(const float* p, const float* state);
//
//     // d on entry: dL/d(state of step + 1); on return: dL/d(state of step), whose first entry is
//     // dL/d(current). `ds`: dL/d(spike) from whoever read it; `listed`: whether a gradient passes
//     // the spike. dp += dL/d(learnable parameters). Called once more after step 0, for the state
//     // before it, which is `spiked` and `listed` nowhere.
//     template <Surrogate kind>
//     static void grad(const NeuronOptions&, const float* p, const float* state, bool spiked,
//                      bool listed, float ds, float* d, float* dp);
//   };
//
// A spike is not kept but found again from the state: `fires` must give the same bits wherever it
// is called. Functions without a branch on a neuron's values go through in vectors.
#pragma once

#include "options.hpp"
#include "surrogate.hpp"

namespace popsnn {

// One neuron's values.
template <unsigned rows>
struct Column {
  float value[rows];
};

// Rows of neurons, [rows, neurons], each by its address: a compiler need not prove that the index
// k * neurons + i keeps within 32 bits to take neurons in vectors.
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
