// Cycles of the vertices that delay a layer's input.
#pragma once
#include "common/cycles.hpp"
#include "common/spike_records.hpp"
#include "ring.hpp"
#include "sections.hpp"

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
// and kTurn in each of them.
constexpr std::uint64_t distribute(unsigned rows, unsigned neurons) {
  if (rows == kUndelayed) return 6 + neurons * (5 + kTurn);
  if (rows == kWhole) return 6 + neurons * (13 + kTurn);
  return 6 + rows * (8 + kTurn + neurons * (7 + kTurn));
}

// Of a source, for one sample. Pointers to list, count and weights 12, whether it is read late, and
// where it then begins 8, a neuron's zero 2, the sum of its rows, a neuron's copy where products
// are saved 3 and their pointer 6; kTurn in both.
constexpr std::uint64_t delay_source(unsigned rows, unsigned neurons, std::uint64_t gathered,
                                     bool learns) {
  return 20 + neurons * (2 + kTurn) + gathered + distribute(rows, neurons) +
         (learns ? 6 + neurons * (3 + kTurn) : 0);
}

// The same of a source with delays of each weight. Pointers to list, count, weights and steps 15,
// where a list that is read late begins 8; an entry: its id and the rows' addresses 5, the branch;
// a neuron: its steps' load, the slot later 3, its address 3, loads of weight and slot, f32add,
// st32, the branch; kTurn in both.
constexpr std::uint64_t synaptic_source(unsigned neurons, std::uint64_t entries) {
  return 23 + entries * (6 + kTurn + neurons * (12 + kTurn));
}

// `sources`: of all of them, `delay_source` or `synaptic_source`. Prologue: 13 fields and the slot.
// A sample's pointers 10, kSpills; a neuron's load, two stores and the branch, kTurn.
constexpr std::uint64_t delay_currents(unsigned batch, unsigned neurons, std::uint64_t sources) {
  return multi_vertex(13 + kRingSlot +
                      of_worker(batch) * (10 + kSpills + neurons * (4 + kTurn) + sources));
}

// A source's gradient for one sample, from its slots: as `distribute`, with a neuron's zero 2 and
// kTurn.
constexpr std::uint64_t collect(unsigned rows, unsigned neurons) {
  if (rows == kUndelayed) return 2;
  return distribute(rows, neurons) + neurons * (2 + kTurn);
}

// `sources`: of all of them, `collect`; `learnt_taps`: their rows. Prologue: 14 fields and the
// slot. A sample's pointers 10, kSpills; a neuron's copy 3; kTurn in each loop. A tap that learns:
// its pointers 12, and a sample and neuron three loads, f32mul, f32add, st32 and the branch. A
// neuron's bias: 6, and a sample's load, f32add and branch.
constexpr std::uint64_t delay_grad(unsigned batch, unsigned neurons, std::uint64_t sources,
                                   unsigned learnt_taps, bool biased) {
  const std::uint64_t sample = 10 + kSpills + neurons * (3 + kTurn) + sources;
  const std::uint64_t tap = 12 + std::uint64_t{batch} * (3 + kTurn + neurons * (7 + kTurn));
  return multi_vertex(14 + kRingSlot + of_worker(batch) * sample + of_worker(learnt_taps) * tap +
                      (biased ? of_worker(neurons) * (6 + (3 + kTurn) * batch) : 0));
}

// Prologue: 15 fields and the slot. Of weights, a sample: its bounds and list 8; an entry of a
// worker's range: its id and the rows' addresses 7, the branch; a neuron: as in `synaptic_source`,
// and where delays learn two comparisons 4, the slots earlier and later and their addresses 12, two
// loads, f32sub, two f32mul, load, f32add, st32; kTurn. Of spikes, a sample: its list and count 8;
// an entry: its id, the rows' addresses 7, st32, the branch; a neuron: its steps' load, the slot
// later 3, its address 3, two loads, f32mul, f32add, the branch. Of both an entry kTurn, a sample
// kSpills.
constexpr std::uint64_t synaptic_grad(unsigned batch, unsigned entries, unsigned neurons,
                                      bool learns, bool sends) {
  const std::uint64_t neuron = 12 + kTurn + (learns ? 24 : 0);
  const std::uint64_t weights = 8 + kSpills + of_worker(entries) * (8 + kTurn + neurons * neuron);
  const std::uint64_t spikes = 8 + kSpills + entries * (9 + kTurn + (12 + kTurn) * neurons);
  return multi_vertex(15 + kRingSlot + batch * weights + (sends ? of_worker(batch) * spikes : 0));
}

// A section's range: its bounds, one search, the end's comparison.
constexpr std::uint64_t section_range(unsigned entries) {
  return 1 + kWorkerRange + lower_bound(entries);
}

// With a full list, whose ids are spread evenly. Prologue: 14 fields, the step's 3. A sample: its
// list and counts 6, kSpills, the saved list's words 14 and by word load, store, branch, kTurn, its
// lengths' second one 2; the ranges of two sections; an entry: its id, the end's and the history's
// comparisons and branches 5, its delay and sum 3, the row 3; its word 4, the bit 2, load, or,
// store; its range's size 2, load, add, store, the branch, kTurn; the lists of its call go by
// reference, a frame and six captures. The record of the list that is complete: 3 a range, kTurn,
// its row and stores 8. Where delays learn, the neighbor that it may have been there: its word 4,
// the bit 2, load, and, branch; and its two neighbors, of each two comparisons and branches 4, the
// row 3, a section's word 4, load, or, the bit 2, the branch, and as much as the entry for its bit
// and size 14.
constexpr std::uint64_t put_spikes(unsigned samples, unsigned capacity, bool short_ids,
                                   bool learns) {
  const std::uint64_t record =
      (learns ? unsigned(kLearntKinds) : unsigned(kMaskKinds)) * kWorkerRanges * (3 + kTurn) + 8;
  const std::uint64_t words = short_ids ? divided(capacity, 2) : capacity;
  const std::uint64_t neighbors = learns ? 9 + 2 * (7 + kLearntKinds * 6 + 3 + 14) : 0;
  return multi_vertex(17 + samples * (22 + kSpills + kFrame + 6 * kCapture + record +
                                      of_worker(words) * (3 + kTurn) + 2 * section_range(capacity) +
                                      of_worker(capacity) * (26 + kTurn + neighbors)));
}

// take_ipu.hpp. sum_sizes: .align {rpt}, a loop of ld32step, add: 2 a number. next_word: ld32step,
// brnz, brnzdec: 3 a word. take_words: brz; the first id of a word of the list: clz, add, shr, xor,
// brz; the second one: clz, add, shr, xor, shl, or, st32step, brnz; a further word of bits:
// brnzdec, ld32step, add, brnz, and bri where it is empty, which counts for each; brnzdec, mov,
// bri.
constexpr std::uint64_t sum_sizes(std::uint64_t count) { return 2 + 2 * count; }
constexpr std::uint64_t next_word(std::uint64_t words) { return 3 * words; }
constexpr std::uint64_t take_words(std::uint64_t words, std::uint64_t ids) {
  return 4 + 5 * (words - 1) + ids / 2 * 13 + ids % 2 * 5;
}

// With a list of `entries` ids, spread evenly. Prologue: 16 fields, the step's 2. A sample: its
// row, sizes and list 12, kSpills. A section: its size and test 4, the range, the sizes before its
// own 4; pointers 8, the first entry's word 3; an id that the word before has: 6, a search of its
// word 4; the operands 6, the worker's words; a last id: the end of the sections 4, a search of the
// next one's word 3, its id 8, the word 3. A list of a forward step: its length, 4 and
// the sum, and where it begins 3; a first id that has half a word 3. Ids of 32 bits: a word of
// bits: load, three branches, kTurn; an entry: the bit 2, its removal 2, its id 4, store, address
// and branch 3; kTurn. The first worker, which has no range before its own in the first section,
// has the records: the list's counts 16 and the sums, the bounds 3 a range, 4, kTurn, and where
// delays learn the counts of two sections 6 and their sum.
constexpr std::uint64_t take_spikes(unsigned samples, unsigned entries, unsigned words,
                                    unsigned taken, bool forward, bool short_ids) {
  const std::uint64_t counts =
      16 + (forward ? 0 : sum_sizes(kWorkerRanges)) + sum_sizes((taken - 1) * kWorkerRanges);
  const std::uint64_t bounds = forward ? 0 : kWorkerRanges * (3 + kTurn) + 4;
  const std::uint64_t real = taken == kLearntKinds ? 6 + sum_sizes(kMaskKinds * kWorkerRanges) : 0;
  std::uint64_t first = counts + bounds + real, last = 0;  // of the workers
  for (unsigned kind = 0; kind < taken; ++kind) {
    first += sum_sizes(kind * kWorkerRanges);
    last += sum_sizes((kind + 1) * kWorkerRanges - 1);
  }
  const std::uint64_t own = of_worker(words), ids = of_worker(divided(entries, taken));
  const std::uint64_t all = std::uint64_t{words} * taken;
  const std::uint64_t gap = entries == 0 ? all : divided(all, entries);
  const std::uint64_t section =
      4 + kWorkerRange + 4 + 11 + 10 + next_word(gap) + 18 + next_word(gap) +
      (short_ids ? 6 + take_words(own, ids) : own * (4 + kTurn) + ids * (11 + kTurn));
  const std::uint64_t end = forward ? 10 + sum_sizes(kWorkerRanges) : 0;
  return multi_vertex(
      18 + samples * (12 + kSpills + end + (first > last ? first : last) + taken * section));
}

// Prologue: 7 fields. A sample: its row's address 4, its ranges' sizes, load and addition, kTurn;
// a smaller bucket: its limit, the number's test, two branches, the step; the bucket's bits 2,
// their store and its address 2, the branch, kTurn.
constexpr std::uint64_t count_arrivals(unsigned samples, unsigned smaller) {
  return multi_vertex(7 + of_worker(samples) *
                              (10 + kTurn + kWorkerRanges * (2 + kTurn) + smaller * (5 + kTurn)));
}

// largest_ipu.hpp: mov .align {rpt | mov}, a loop of {ld64step | or64}, then or64, or, atom: a
// bundle for two lists. 3 fields, the pairs, whether there is a last list 2, its load and or, a
// test whether there are bits, their number 2, the store.
constexpr std::uint64_t bits_of_any(std::uint64_t pairs) { return 6 + pairs; }
constexpr std::uint64_t largest_bucket(unsigned lists) {
  return kEntry + 10 + (lists % 2) * 2 + bits_of_any(lists / 2);
}

// With lists of `arrivals` ids. Prologue: 10 fields, the step's 3, the slot. A sample: two pointers
// 5, kSpills, the worker's range. An arrival: its id and the value's address 3, the store, the
// branch, kTurn, and for each source its pointer 2, load, f32add, branch, kTurn.
constexpr std::uint64_t store_arrivals(unsigned samples, unsigned arrivals, unsigned sources) {
  return multi_vertex(13 + kRingSlot +
                      samples * (5 + kSpills + kWorkerRange +
                                 of_worker(arrivals) * (5 + kTurn + sources * (5 + kTurn))));
}

// With full lists. Prologue: 12 fields, the step's 3, the slot. A sample: four pointers 10,
// kSpills, the worker's range. An entry: its id, the delay and branch 3, the slot later 3, the
// address 3, load, store with its address 2, the branch, kTurn.
constexpr std::uint64_t gather_arrivals(unsigned samples, unsigned capacity) {
  return multi_vertex(15 + kRingSlot +
                      samples * (10 + kSpills + kWorkerRange + of_worker(capacity) * (14 + kTurn)));
}

// With full lists. Prologue: 13 fields, the step's 3, the slot. A sample: four pointers 10,
// kSpills, the worker's range. An entry: its id, its delay 2; two taps, of each a comparison and
// branch 2, the slot later 3, the address 3, load, f32add; f32mul, load, f32add, store, the branch,
// kTurn.
constexpr std::uint64_t steps_grad(unsigned samples, unsigned capacity) {
  return multi_vertex(16 + kRingSlot +
                      samples * (10 + kSpills + kWorkerRange + of_worker(capacity) * (28 + kTurn)));
}

// With a list of `entries` ids. Prologue: 7 fields. A sample: four pointers 10, kSpills, the count,
// its words 2, the worker's range; a word's load, store and branch, kTurn; a record's load, store,
// address and branch, kTurn.
constexpr std::uint64_t next_arrivals(unsigned samples, unsigned entries, unsigned records,
                                      bool short_ids) {
  const std::uint64_t words = short_ids ? divided(entries, 2) : entries;
  return multi_vertex(7 + samples * (13 + kSpills + kWorkerRange + of_worker(words) * (3 + kTurn) +
                                     of_worker(records) * (4 + kTurn)));
}

// 4 fields, the sum, three tests, the slot, the one before 3, two stores.
constexpr std::uint64_t ring_slots() { return kEntry + 13 + kRingSlot; }

// As set_spike_grad, with a list of `entries` ids. Prologue: 14 fields, the count, the slot's load
// and test. One of the part in addition: its delay and branch 2, the slot earlier 5, the row 2.
constexpr std::uint64_t set_arrivals(unsigned entries, unsigned parts, unsigned sources,
                                     bool short_ids) {
  const std::uint64_t of_part = 2 * divided(entries, parts);
  const std::uint64_t own = of_part < entries ? of_part : entries;
  return multi_vertex(17 + (short_ids ? 9 : 0) +
                      of_worker(entries) * (5 + (short_ids ? 0 : kTurn)) +
                      of_worker(own) * (17 + (short_ids ? 3 : 0) + sum_sources(sources)));
}

// Cycles of its worker. Prologue: 6 fields, the slot's load and test, two pointers 5, the pairs,
// the last neuron's test 2.
constexpr std::uint64_t next_spike_grad(unsigned size) {
  return kEntry + 16 + copy_pairs(size / 2) + (size % 2 != 0 ? 2 : 0);
}

// With full lists, and `arrivals` ids. Prologue: 16 fields, the step's 3. A sample: five pointers
// 13, kSpills, twice the worker's range. An entry: its id, the delay and branch 3, two loads,
// f32add, store and its address 4, the branch. An arrival: its id, the delay and branch 3; one that
// arrived at once, of which there are few: the value's load and store 3, and for each source its
// pointer 2, load, f32add, branch. kTurn in each loop.
constexpr std::uint64_t scatter_arrivals(unsigned samples, unsigned capacity, unsigned arrivals,
                                         unsigned at_once, unsigned sources) {
  return multi_vertex(19 + samples * (13 + kSpills + 2 * kWorkerRange +
                                      of_worker(capacity) * (9 + kTurn) +
                                      of_worker(arrivals) * (4 + kTurn) +
                                      of_worker(at_once) * (3 + sources * (5 + kTurn))));
}

}  // namespace cycles
}  // namespace popsnn
