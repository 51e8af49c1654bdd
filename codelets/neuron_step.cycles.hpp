// Cycles of a neuron model's vertices: neuron_step.hpp and neuron_step_grad.hpp.
#pragma once
#include "rows.cycles.hpp"
#include "surrogate.cycles.hpp"

namespace popsnn {
namespace cycles {

// Bundles of a neuron model's functions, whose values are in registers.
struct NeuronCycles {
  unsigned states, parameters, learnable;
  std::uint64_t step, fires, near, grad;  // grad without the surrogate's derivative
};

// Of one sample, with full lists and nobody's place lost:
//   30  pointers to its states 6 and its window 4, the span's load and comparison, the word of
//       masks 6, branches and calls 12
//    3  a neuron: its bias to the current, and the branch
//   12  a source: pointers to its list, counts and weights, and the count's load
//       gather_rows
//    4  a neuron: ld32, f32mul by gain, st32 and the branch
//    4  a neuron: its current's load, the comparison, `and`, the branch
//       step and fires; a load for each state and parameter, a store for each state
//   12  a neuron's bits of both masks: twice atom, shl, or, the branch, two loads
//       fires and near
constexpr std::uint64_t neuron_sample(const NeuronCycles& model, std::uint64_t gathered,
                                      unsigned sources, unsigned neurons) {
  const std::uint64_t neuron =
      23 + model.step + 2 * model.fires + model.near + 2 * model.states + model.parameters;
  return 30 + sources * std::uint64_t{12} + gathered + neurons * neuron;
}

// Prologue: 20 fields. A worker's rows of masks hold `samples_per_row` samples each; `gathered` is
// of all sources.
constexpr std::uint64_t neuron_step(const NeuronCycles& model, unsigned batch,
                                    unsigned samples_per_row, std::uint64_t gathered,
                                    unsigned sources, unsigned neurons) {
  const std::uint64_t rows = of_worker(divided(batch, samples_per_row));
  const std::uint64_t samples = rows * samples_per_row < batch ? rows * samples_per_row : batch;
  return multi_vertex(20 + rows * 6 + samples * neuron_sample(model, gathered, sources, neurons));
}

// Prologue: 18 fields, the surrogate's choice 5. A sample where nobody lost its place: 26, pointers
// to five rows of 3 operations, the window's two loads and comparisons, the options, the branch. A
// neuron: a load for each state, its gradient and each parameter, ds; fires and near; the flags 5;
// a store for each state; dL/dI 2; the branch. Parameters that learn add a load, an addition and a
// store each.
constexpr std::uint64_t neuron_step_grad(const NeuronCycles& model, unsigned batch,
                                         unsigned neurons, Surrogate surrogate,
                                         unsigned learnable) {
  const std::uint64_t neuron = 9 + 3 * model.states + model.parameters + model.fires + model.near +
                               model.grad + surrogate_derivative(surrogate) +
                               learnable * std::uint64_t{3};
  return multi_vertex(23 + of_worker(batch) * (26 + neurons * neuron));
}

}  // namespace cycles
}  // namespace popsnn
