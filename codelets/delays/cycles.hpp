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

// Two searches in a section, and their bounds.
constexpr std::uint64_t range_of(unsigned entries) { return 4 + 2 * lower_bound(entries); }

// With a full list. Prologue: 9 fields, the slot, the worker's words 6. A sample: its rows 8,
// counts 4, the ranges of two sections; a word's two zeros 3; an entry: its id and delay 3, the
// slot later 3, its word 4, the bit 2, load, or, store, the branch.
constexpr std::uint64_t put_spikes(unsigned samples, unsigned capacity, unsigned words) {
  return multi_vertex(
      15 + kRingSlot +
      samples * (12 + 2 * range_of(capacity) + of_worker(words) * 3 + of_worker(capacity) * 16));
}

// With a full list. Prologue: 12 fields and the slot. A sample: its row 5, pointers 8, the worker's
// words 6; the records 14. A word's bits are counted for the total, load, popc, add, branch, and
// again to find the first entry, load, popc, comparison, sub, branch; the first entry's bit 3. An
// entry: clz of the reversed bits 2, its id 4, the bit's removal 2, the word's parity and
// or 3, two stores and two branches; a word of bits between them 3.
constexpr std::uint64_t take_spikes(unsigned samples, unsigned capacity, unsigned words) {
  const std::uint64_t all = 2 * std::uint64_t{words};
  return multi_vertex(12 + kRingSlot +
                      samples * (33 + all * 9 + 3 + of_worker(capacity) * 15 + all * 3));
}

// With a full list. Prologue: 12 fields, the step's 3. A sample: its row and record 8, pointers 6,
// the worker's words 6; a word: load, store, branch. A range as in list_ranges.
constexpr std::uint64_t fetch_arrivals(unsigned samples, unsigned capacity, bool short_ids,
                                       bool ranges) {
  const std::uint64_t words = short_ids ? divided(capacity, 2) : capacity;
  return multi_vertex(
      15 + samples * (20 + of_worker(words) * 3 + (ranges ? 3 + 8 + lower_bound(capacity) : 0)));
}

// With full lists. Prologue: 17 fields, the step's 3, the slot, the worker's neurons 6. A sample:
// rows and pointers 20, the ranges of two sections of two lists. An arrival: its id, 2, its value's
// store and address 3, the branch, and for each source its pointer 2, load, f32add, branch. An
// entry of those that fired: its id and delay 3, the slot later 3, the address 3, two loads,
// f32add, store, the branch.
constexpr std::uint64_t scatter_arrivals(unsigned samples, unsigned arrivals, unsigned capacity,
                                         unsigned sources) {
  return multi_vertex(26 + kRingSlot +
                      samples * (20 + 2 * range_of(arrivals) + 2 * range_of(capacity) +
                                 of_worker(arrivals) * (6 + sources * std::uint64_t{5}) +
                                 of_worker(capacity) * 14));
}

}  // namespace cycles
}  // namespace popsnn
