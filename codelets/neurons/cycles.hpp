// Cycles of the vertices that step neurons, and of those that copy or sum their rows.
#pragma once
#include "common/cycles.hpp"
#include "common/spike_records.hpp"
#include "options.hpp"

namespace popsnn {
namespace cycles {

// Bundles of a surrogate's derivative at x, which is in a register.
constexpr std::uint64_t surrogate_derivative(Surrogate kind) {
  switch (kind) {
    case Surrogate::SuperSpike:  // fabs, mul, add, mul, div
      return 4 + kFloatDivide;
    case Surrogate::Sigmoid:  // fabs, mul, exp, add, mul, mul, div
      return 5 + kExponential + kFloatDivide;
    case Surrogate::ATan:  // mul, mul, mul, add, div
      return 4 + kFloatDivide;
    case Surrogate::Triangle:  // fabs, div, sub, cmp, div, select
      return 4 + 2 * kFloatDivide;
    case Surrogate::Rectangle:  // fabs, mul, cmp, div, select
      return 4 + kFloatDivide;
  }
  return 0;
}

// Bundles of a neuron model's functions, whose values are in registers.
struct NeuronCycles {
  unsigned states, parameters, learnable;
  std::uint64_t step, fires, near, grad;  // grad without the surrogate's derivative
  // Bundles of a pair of neurons in loops in assembly (pairs_ipu.hpp); 0: the model has none. The
  // gradient's loop is for SuperSpike without learnable parameters. `_zero`: where a spike zeroes
  // the membrane, and no gradient passes the reset.
  std::uint64_t step_pair = 0, grad_pair = 0, step_pair_zero = 0, grad_pair_zero = 0;

  // ld64 .align {rpt}; .align {rpt}. Of zeroes: ld64step, ld64 .align {rpt}, then or, atom, brz
  // .align, for more than 8 pairs add, {rpt}, then or, atom; ld64step twice .align
  // {rpt} and the last turn apart.
  constexpr std::uint64_t step_loop(unsigned pairs) const { return 3 + pairs * step_pair; }
  constexpr std::uint64_t grad_loop(unsigned pairs) const { return 2 + pairs * grad_pair; }
  constexpr std::uint64_t step_loop_zero(unsigned pairs) const {
    return 8 + (pairs > 8 ? 4 : 0) + pairs * step_pair_zero;
  }
  constexpr std::uint64_t grad_loop_zero(unsigned pairs) const {
    return 4 + pairs * grad_pair_zero;
  }

  constexpr bool steps_by_pairs(unsigned neurons) const {
    return step_pair > 0 && neurons % 2 == 0;
  }
  constexpr bool grads_by_pairs(unsigned neurons, Surrogate surrogate, unsigned learning) const {
    return grad_pair > 0 && neurons % 2 == 0 && surrogate == Surrogate::SuperSpike && learning == 0;
  }
};

// Neurons of a call of a model's loop: their bits of both masks are two words.
constexpr unsigned kChunk = 32;

// To enter a model's loop: ten operands at most.
constexpr std::uint64_t kLoopCall = 10 * kOperand;

// A chunk's call: bounds 4, four pointers of 2, the pairs of both halves 4, the reset's branch 1,
// the loop's results by mask 8, writing them to their words 6, two branches. Of packed masks, where
// one half has all neurons: three pointers of 2, the pairs of both halves 5, the reset's branch,
// the results by mask 3, adding them to the field 4, a branch. Where a spike does not zero the
// membrane each half is a call of its own, which shifts its bits: 6, a branch.
constexpr std::uint64_t kChunkCall = 33, kPackedCall = 20;
constexpr std::uint64_t kHalfCall = 7 + kLoopCall;
constexpr std::uint64_t chunk_steps(const NeuronCycles& model, unsigned neurons, bool zeroes) {
  const unsigned pairs = neurons / 2, halves = unsigned(divided(neurons, kChunk / 2));
  std::uint64_t bundles =
      neurons > kPackedBits ? divided(neurons, kChunk) * kChunkCall : kPackedCall;
  if (!zeroes) return bundles + halves * (kHalfCall + model.step_loop(0)) + model.step_pair * pairs;
  for (unsigned left = pairs; left > 0; left -= left < kChunk / 2 ? left : kChunk / 2)
    bundles += kLoopCall + model.step_loop_zero(left < kChunk / 2 ? left : kChunk / 2);
  return bundles;
}

// In addition, where the model has such a loop: the factor's address 1, the record's test 4, and
// where masks are not packed the words of a row that have no neurons 4, else a branch.
constexpr std::uint64_t pairs_call(unsigned neurons) { return neurons > kPackedBits ? 9 : 6; }

// A sum that begins with the bias: an operand of the loops over rows in assembly; in C++ a neuron's
// copy is ld32, st32 and the branch, kTurn, which neuron_sample has where there is no loop over
// pairs.
constexpr std::uint64_t biased_sum(unsigned neurons, bool short_ids) {
  return in_assembly(neurons, short_ids) ? kOperand : neurons % 2 == 0 ? neurons * (3 + kTurn) : 0;
}

// What a sample costs in place of gather_rows where weight rows go into the sums of later time
// steps: the row's load, comparison and choice 3, the delays' pointer 2, a turn 3; the bias to the
// newest sum, which neuron_sample has where there is no loop over pairs.
constexpr std::uint64_t sum_ahead(unsigned neurons, bool short_ids, std::uint64_t entries) {
  return 8 + (neurons % 2 == 0 ? copy_row(neurons) : 0) +
         add_rows_ahead(neurons, short_ids, entries);
}

// Bundles of a sample, with full lists and no dropped neuron:
//   30  pointers to its states 6 and its window 4, the span's load and comparison, the word of
//       masks 6, branches and calls 12
//   12  a source: pointers to its list, counts and weights, and the count's load
//       gather_rows
// Where the model has a loop over pairs and the neurons are even, the sums begin with the bias, and
// the loop runs for every 32 neurons. Otherwise a neuron costs
//    3  its bias to the current, and the branch; kTurn
//    6  its current's load, f32mul by gain, the comparison, `and`, two branches
//       step, near and twice fires; a load for each state and parameter, a store for each state
//    6  its bits of both masks: twice atom, shl, or; kTurn
// and where masks are not packed its state and two parameters are loaded again, with two branches.
constexpr std::uint64_t neuron_sample(const NeuronCycles& model, std::uint64_t gathered,
                                      unsigned sources, unsigned neurons, bool zeroes) {
  const std::uint64_t bundles = 30 + sources * std::uint64_t{12} + gathered;
  if (model.steps_by_pairs(neurons))
    return bundles + pairs_call(neurons) + chunk_steps(model, neurons, zeroes);
  const std::uint64_t again = mask_bits(neurons) < kMaskBits ? 0 : 2 * model.states + 4 + kTurn;
  const std::uint64_t neuron = 15 + 2 * kTurn + model.step + 2 * model.fires + model.near +
                               2 * model.states + model.parameters + again;
  return bundles + neurons * neuron;
}

// Prologue: 20 fields. A worker's rows of masks have `samples_per_row` samples each; `gathered` is
// the sum over all sources; `zeroes`: a spike zeroes the membrane.
constexpr std::uint64_t neuron_step(const NeuronCycles& model, unsigned batch,
                                    unsigned samples_per_row, std::uint64_t gathered,
                                    unsigned sources, unsigned neurons, bool zeroes) {
  const std::uint64_t rows = of_worker(divided(batch, samples_per_row));
  const std::uint64_t samples = rows * samples_per_row < batch ? rows * samples_per_row : batch;
  return multi_vertex(20 + rows * 6 +
                      samples * neuron_sample(model, gathered, sources, neurons, zeroes));
}

// Prologue: 18 fields. A sample without dropped neurons: 26, pointers
// to five rows of 3 operations, the window's two loads and comparisons, the options, the branch.
// The loop over pairs replaces the loop over neurons, after three pointers to the parameters, the
// masks' table and the scalars, 12, and kLoopCall. Otherwise a neuron costs kTurn, a load for each
// state, its gradient and each parameter, ds; fires and near; the flags 5; a store for each state;
// dL/dI 2; the branch. Parameters that learn add a load, an addition and a store each.
constexpr std::uint64_t neuron_step_grad(const NeuronCycles& model, unsigned batch,
                                         unsigned neurons, Surrogate surrogate, unsigned learnable,
                                         bool zeroes) {
  const std::uint64_t loop =
      zeroes ? model.grad_loop_zero(neurons / 2) : model.grad_loop(neurons / 2);
  const std::uint64_t neuron = 9 + kTurn + 3 * model.states + model.parameters + model.fires +
                               model.near + model.grad + surrogate_derivative(surrogate) +
                               learnable * std::uint64_t{3};
  const std::uint64_t all = model.grads_by_pairs(neurons, surrogate, learnable)
                                ? 12 + kLoopCall + loop
                                : neurons * neuron;
  return multi_vertex(18 + of_worker(batch) * (26 + all));
}

// Prologue: 15 fields, the row's test 2. A sample without dropped
// neurons: 34, pointers to six rows of 3 operations, the windows' three loads and comparisons, the
// branches. A neuron costs 9 and kTurn as above; its states after and before the step, their
// gradients with the spike's and its parameters a load each; the spike of both steps and the choice
// of it, near, the choice of ds 2; a store for each gradient of a state. Parameters that learn add
// a load, an addition and a store each.
constexpr std::uint64_t neuron_adjoint(const NeuronCycles& model, unsigned batch, unsigned neurons,
                                       Surrogate surrogate, unsigned learnable) {
  const std::uint64_t neuron = 9 + kTurn + 2 * model.states + 2 * (model.states + 1) +
                               model.parameters + 2 * (model.fires + 1) + model.near + 2 +
                               model.grad + surrogate_derivative(surrogate) +
                               learnable * std::uint64_t{3};
  return multi_vertex(17 + of_worker(batch) * (34 + neurons * neuron));
}

// Bundles of the functions of Lif.
// step: the reset's choice 2, f32sub, select, f32mul, f32add. fires, near: f32cmp.
// grad: carry 1; by_spike 2; to_spike 3; v - theta, f32mul and select 3; through_reset 2; the
// parameters' 6; f32add.
// lif_step: 20 bundles a pair of neurons, lif_step_zero 11. lif_grad: 26, two of which are f32oox;
// lif_grad_zero: 16 likewise.
constexpr NeuronCycles kLif = {
    1, 3, 2, 6, 1, 1, 18, 20, 26 + 2 * (kFloatDivide - 1), 11, 16 + 2 * (kFloatDivide - 1)};

constexpr unsigned kScanBlock = 16;

// Blocks of at most 16 neurons that the busiest worker has.
constexpr std::uint64_t scan_blocks(unsigned batch, unsigned neurons) {
  return of_worker(batch * divided(neurons, kScanBlock));
}

constexpr std::uint64_t scan_block(unsigned neurons) {
  return neurons < kScanBlock ? neurons : kScanBlock;
}

// Prologue: 8 fields, and for each block of any worker the turn, 5. A block: 12 to begin, the zeros
// of its membranes and spikes 2 each, kTurn; a step: three pointers and the branch; a neuron: its
// current, membrane and flag, three parameters, step, fires, a select, four stores, the branch,
// kTurn.
constexpr std::uint64_t lif_scan(unsigned steps, unsigned batch, unsigned neurons) {
  const std::uint64_t step = 4 + scan_block(neurons) * (12 + kTurn + kLif.step + kLif.fires);
  return multi_vertex(8 + batch * divided(neurons, kScanBlock) * 5 +
                      scan_blocks(batch, neurons) *
                          (12 + (2 + kTurn) * scan_block(neurons) + steps * step));
}

// Prologue: 12 fields, the surrogate's choice 5, and for each block of any worker the turn, 5. A
// block: 12 to begin, by neuron 3 zeros and 2 sums of load and store with their branches, kTurn; a
// step: three pointers of 3 and the branch; a neuron: its membrane, gradients and three parameters,
// fires, near, the flag, grad, four stores, the branch, kTurn.
constexpr std::uint64_t lif_scan_grad(unsigned steps, unsigned batch, unsigned neurons,
                                      Surrogate surrogate) {
  const std::uint64_t neuron =
      14 + kTurn + kLif.fires + kLif.near + kLif.grad + surrogate_derivative(surrogate);
  const std::uint64_t step = 10 + scan_block(neurons) * neuron;
  return multi_vertex(17 + batch * divided(neurons, kScanBlock) * 5 +
                      scan_blocks(batch, neurons) *
                          (12 + (9 + kTurn) * scan_block(neurons) + steps * step));
}

// Where a list that is read late begins, and its length (common/late_list.hpp): its room's load and
// branch, two loads, sub, shl, add, add.
constexpr std::uint64_t kLateList = 8;

// The same for each sample of a readout, in addition to li_step.
constexpr std::uint64_t late_readout(unsigned batch) {
  return kWorkers * of_worker(batch) * kLateList;
}

// Prologue: 11 fields. A sample, with a full list:
//   12  pointers: states 5, list 3, count 2, before 1; the branch; kSpills
//    3  a neuron: its bias to the sum, and the branch; kTurn
//       gather_rows
//    8  a neuron: ld32 of v, beta and before, two f32mul, f32add, st32 and the branch; kTurn
constexpr std::uint64_t li_step(unsigned batch, unsigned capacity, unsigned neurons, bool short_ids,
                                bool half_weights = false) {
  const std::uint64_t gathered = gather_rows(neurons, short_ids, capacity, half_weights);
  return multi_vertex(11 +
                      of_worker(batch) * (12 + kSpills + gathered + neurons * (11 + 2 * kTurn)));
}

// Prologue: 13 fields, the first sum that begins and the stride 5. A sample, with a full list:
//   12  as in li_step; kSpills
//    3  a turn of the bias
//       copy_row, add_rows_ahead
//    8  a neuron, as in li_step; kTurn
constexpr std::uint64_t li_step_ahead(unsigned batch, unsigned capacity, unsigned neurons,
                                      bool short_ids) {
  const std::uint64_t sums = 3 + copy_row(neurons) + add_rows_ahead(neurons, short_ids, capacity);
  return multi_vertex(18 + of_worker(batch) * (12 + kSpills + sums + neurons * (8 + kTurn)));
}

// Prologue: 10 fields. A sample: three pointers, 10, and two branches. A neuron: the decay's ld32
// twice, f32mul, st32 and the branch, then ld32 of dv and out, f32add, st32, f32mul, st32 and the
// branch; twice kTurn. A decay that learns: three loads, f32mul, f32add, st32, the branch, kTurn.
constexpr std::uint64_t li_step_grad(unsigned batch, unsigned neurons, bool learns) {
  const std::uint64_t neuron = learns ? 19 + 3 * kTurn : 12 + 2 * kTurn;
  return multi_vertex(10 + of_worker(batch) * (12 + neurons * neuron));
}

// Prologue: 7 fields. A sample: four pointers, 12, and the branch; a state two loads, f32add, store
// and branch; a neuron ld32, f32mul, store and branch; each of both kTurn.
constexpr std::uint64_t add_final_grad(unsigned batch, unsigned states, unsigned neurons) {
  return multi_vertex(7 + of_worker(batch) * (13 + neurons * (states * (5 + kTurn) + 4 + kTurn)));
}

// Prologue: 4 fields, the counter's row 3, the worker's range. An element: load, store, branch,
// kTurn.
constexpr std::uint64_t copy_rows(unsigned size) {
  return multi_vertex(7 + kWorkerRange + of_worker(size) * (3 + kTurn));
}

// Cycles of its worker. Prologue: 4 fields. The zeros cost a store and the branch each, a row 3, an
// element two loads, f32add, store and branch; both kTurn.
constexpr std::uint64_t sum_samples(unsigned batch, unsigned size) {
  return kEntry + 4 + size * (2 + kTurn) + batch * (3 + size * (5 + kTurn));
}

}  // namespace cycles
}  // namespace popsnn
