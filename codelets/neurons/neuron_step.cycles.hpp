// Cycles of a neuron model's vertices: neuron_step.hpp and neuron_step_grad.hpp.
#pragma once
#include "common/rows.cycles.hpp"
#include "surrogate.cycles.hpp"

namespace popsnn {
namespace cycles {

// Bundles of a neuron model's functions, whose values are in registers.
struct NeuronCycles {
  unsigned states, parameters, learnable;
  std::uint64_t step, fires, near, grad;  // grad without the surrogate's derivative
  // Of loops over pairs of neurons in assembly (pairs_ipu.hpp), a pair; 0: the model has none.
  // Those back are for SuperSpike where no parameter learns.
  std::uint64_t step_pair = 0, grad_pair = 0;

  // ld64 .align {rpt}; .align {rpt}
  constexpr std::uint64_t step_loop(unsigned pairs) const { return 3 + pairs * step_pair; }
  constexpr std::uint64_t grad_loop(unsigned pairs) const { return 2 + pairs * grad_pair; }

  constexpr bool steps_by_pairs(unsigned neurons) const {
    return step_pair > 0 && neurons % 2 == 0;
  }
  constexpr bool grads_by_pairs(unsigned neurons, Surrogate surrogate, unsigned learning) const {
    return grad_pair > 0 && neurons % 2 == 0 && surrogate == Surrogate::SuperSpike && learning == 0;
  }
};

// copy_pairs: .align {rpt}, a loop of {ld64step | fnop}, {st64step | fnop}.
constexpr std::uint64_t copy_pairs(unsigned pairs) { return 2 + 2 * std::uint64_t{pairs}; }

// Neurons of a call of a model's loop, whose bits fill half a word.
constexpr unsigned kChunk = 16;

// A chunk's call: bounds 4, four pointers of 2, the two shifts 3, fired and near apart 4, to their
// words 8, the branch.
constexpr std::uint64_t kChunkCall = 28;

// Of one sample, with full lists and nobody's place lost:
//   30  pointers to its states 6 and its window 4, the span's load and comparison, the word of
//       masks 6, branches and calls 12
//   12  a source: pointers to its list, counts and weights, and the count's load
//       gather_rows
// Where the model has a loop over pairs and the neurons are even, copy_pairs brings the bias, and
// the loop runs for each 16 neurons. Else a neuron costs
//    3  its bias to the current, and the branch
//    6  its current's load, f32mul by gain, the comparison, `and`, two branches
//       step, near and twice fires; a load for each state and parameter, a store for each state
//    6  its bits of both masks: twice atom, shl, or
// and where masks are not packed its state and two parameters are loaded again, with two branches.
constexpr std::uint64_t neuron_sample(const NeuronCycles& model, std::uint64_t gathered,
                                      unsigned sources, unsigned neurons) {
  const std::uint64_t bundles = 30 + sources * std::uint64_t{12} + gathered;
  if (model.steps_by_pairs(neurons))
    return bundles + copy_pairs(neurons / 2) +
           divided(neurons, kChunk) * (kChunkCall + model.step_loop(0)) +
           model.step_pair * (neurons / 2);
  const std::uint64_t again = mask_bits(neurons) < kMaskBits ? 0 : 2 * model.states + 4;
  const std::uint64_t neuron =
      15 + model.step + 2 * model.fires + model.near + 2 * model.states + model.parameters + again;
  return bundles + neurons * neuron;
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
// to five rows of 3 operations, the window's two loads and comparisons, the options, the branch.
// The loop over pairs takes the place of the neurons, after three pointers to the parameters, the
// masks' table and the call, 12. Else a neuron costs a load for each state, its gradient and each
// parameter, ds; fires and near; the flags 5; a store for each state; dL/dI 2; the branch.
// Parameters that learn add a load, an addition and a store each.
constexpr std::uint64_t neuron_step_grad(const NeuronCycles& model, unsigned batch,
                                         unsigned neurons, Surrogate surrogate,
                                         unsigned learnable) {
  const std::uint64_t neuron = 9 + 3 * model.states + model.parameters + model.fires + model.near +
                               model.grad + surrogate_derivative(surrogate) +
                               learnable * std::uint64_t{3};
  const std::uint64_t all = model.grads_by_pairs(neurons, surrogate, learnable)
                                ? 12 + model.grad_loop(neurons / 2)
                                : neurons * neuron;
  return multi_vertex(23 + of_worker(batch) * (26 + all));
}

}  // namespace cycles
}  // namespace popsnn
