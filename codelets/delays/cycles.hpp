// Cycles of the vertices that delay a layer's input.
#pragma once
#include "common/cycles.hpp"
#include "ring.hpp"

namespace popsnn {
namespace cycles {

// The slot of a time step: two conversions, f32div, the conversion back, mul, sub, two comparisons
// and branches.
constexpr std::uint64_t kRingSlot = 9 + kFloatDivide;

// A source's product to its slots. Pointers and the choice of a loop 6.
//    5  a neuron without a delay: two loads, f32add, st32, the branch
//   13  a neuron of a whole delay: its steps' load and conversion, the slot later 3, its address 3,
//       two loads, f32add, st32, the branch
//    7  a neuron and tap: three loads, f32mul, f32add, st32, the branch; a tap its address 8
constexpr std::uint64_t distribute(unsigned rows, unsigned neurons) {
  if (rows == kUndelayed) return 6 + neurons * std::uint64_t{5};
  if (rows == kWhole) return 6 + neurons * std::uint64_t{13};
  return 6 + rows * (8 + neurons * std::uint64_t{7});
}

// Of a source, for one sample. Pointers to list, count and weights 12, a neuron's zero 2, the sum
// of its rows, a neuron's copy where products are saved 3 and their pointer 6.
constexpr std::uint64_t delay_source(unsigned rows, unsigned neurons, std::uint64_t gathered,
                                     bool learns) {
  return 12 + neurons * std::uint64_t{2} + gathered + distribute(rows, neurons) +
         (learns ? 6 + neurons * std::uint64_t{3} : 0);
}

// `sources`: of all of them, `delay_source`. Prologue: 12 fields and the slot. A sample's pointers
// 10; a neuron's load, two stores and the branch.
constexpr std::uint64_t delay_currents(unsigned batch, unsigned neurons, std::uint64_t sources) {
  return multi_vertex(12 + kRingSlot +
                      of_worker(batch) * (10 + neurons * std::uint64_t{4} + sources));
}

// A source's gradient for one sample, from its slots: as `distribute`, with a neuron's zero 2.
constexpr std::uint64_t collect(unsigned rows, unsigned neurons) {
  if (rows == kUndelayed) return 2;
  return distribute(rows, neurons) + neurons * std::uint64_t{2};
}

// `sources`: of all of them, `collect`; `learnt_taps`: their rows. Prologue: 14 fields and the
// slot. A sample's pointers 10; a neuron's copy 3. A tap that learns: its pointers 12, and a sample
// and neuron three loads, f32mul, f32add, st32 and the branch. A neuron's bias: 6, and a sample's
// load, f32add and branch.
constexpr std::uint64_t delay_grad(unsigned batch, unsigned neurons, std::uint64_t sources,
                                   unsigned learnt_taps, bool biased) {
  const std::uint64_t sample = 10 + neurons * std::uint64_t{3} + sources;
  const std::uint64_t tap = 12 + std::uint64_t{batch} * (3 + neurons * std::uint64_t{7});
  return multi_vertex(14 + kRingSlot + of_worker(batch) * sample + of_worker(learnt_taps) * tap +
                      (biased ? of_worker(neurons) * (6 + std::uint64_t{3} * batch) : 0));
}

}  // namespace cycles
}  // namespace popsnn
