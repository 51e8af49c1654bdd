// Cycles of the gradients of weights and of input spikes.
#pragma once
#include "common/cycles.hpp"
#include "common/spike_records.hpp"
#include "patterns.hpp"

namespace popsnn {
namespace cycles {

// Bundles of the loops in pattern_loops.hpp.
//
// sum_pairs: .align {rpt}, a loop of
//   {ld64step first  | fnop}
//   {ld64step base   | fnop}
//   {ld64step second | f32v2add}
//   {st64step        | f32v2add} twice
//   {st64step        | fnop}
// : 6 a pair.
constexpr std::uint64_t sum_pairs(std::uint64_t pairs) { return 6 * pairs + 2; }

// The call of its loop: four pointers, three of which an addition finds, and the repeat's count 4.
// In C++ a column costs 3 loads, 3 additions, 3 stores, an address twice, the branch and kTurn.
constexpr std::uint64_t sum_block(unsigned columns) {
  return columns % 2 != 0 ? columns * (12 + kTurn) : 11 + sum_pairs(columns / 2);
}

// add_sums2: ldz8step, mul .align {rpt}, a loop of
//   {ld64 sum         | fnop}
//   {ld64 row         | fnop}
//   {ldz8step pattern | f32v2add}
//   {mul              | fnop}
//   {st64step row     | fnop}
// and its last turn without the next pattern's bundles, but the addition: 5 an input.
// add_sums4: ldz8step, mul .align {rpt}, a loop of
//   {ld64 sum         | fnop}
//   {ld64 row         | fnop}
//   {ld64 sum         | f32v2add}
//   {ld64 row         | fnop}
//   {ldz8step pattern | f32v2add}
//   {mul              | fnop}
//   {st64 row         | fnop}
//   {st64step row     | fnop}
// and a last turn in the same way: 8 an input. Both count at least one input.
// add_sums_row: or .align {rpt | uput}, a loop of
//   {ldz8step pattern | fnop}
//   {mul              | fnop}
//   {add sum          | fnop}
//   {tapack           | fnop}
//   {add row          | fnop}
//   {ld2x64pace       | fnop}
//   {ld2x64pace       | f32v2axpy} twice
//   {ld2xst64pace     | f32v2axpy} for each pair but three
//   {st64pace         | f32v2axpy} twice
//   {st64pace         | fnop}
// : 8 an input and 1 a pair.
constexpr std::uint64_t add_sums2(std::uint64_t count) { return 5 * count + 3; }
constexpr std::uint64_t add_sums4(std::uint64_t count) { return 8 * count + 3; }
constexpr std::uint64_t add_sums_row(std::uint64_t pairs, std::uint64_t count) {
  return count * (8 + pairs) + 3;
}

// Rows without their own walk: blocks of 4, a last one of 2. In C++ to find a pattern's row takes
// its load, the product with the row's length, the addition and the branch, and a column
// costs two loads, f32add, st32 and the branch; each of both kTurn.
constexpr std::uint64_t add_sums(unsigned columns, std::uint64_t count) {
  if (columns % 2 != 0) return count * (kRowOfId + kTurn + columns * (5 + kTurn));
  if (has_row_walk(columns)) return kDispatch + kSwitch + add_sums_row(columns / 2, count);
  return kDispatch + columns / 4 * (kBlock + add_sums4(count)) +
         columns % 4 / 2 * (kBlock + add_sums2(count));
}

// Prologue: 5 fields, the groups and their samples, found in 7 turns at most, 30; the worker's
// words.
//    7  a word: its position and shift 4, the loops' entries 2, the branch; kTurn
//   10  a group: its samples 5, the store and its address 3, the entry, the branch; kTurn
//   10  a sample: its row's pointer and word 3, shr, and, mul, and, shl, or, the branch; kTurn
constexpr std::uint64_t sample_patterns(unsigned batch, unsigned words) {
  const std::uint64_t word =
      7 + kTurn + pattern_groups(batch) * (10 + kTurn) + batch * (10 + kTurn);
  return multi_vertex(35 + kWorkerRange + of_worker(words) * word);
}

// Prologue: 4 fields, the groups, their samples, found in 7 turns at most, and rows 30. A group:
// its samples 5, its blocks 3, entry and branch. A block of the worker's: pointers 8 and the
// branch; a sample past the second: shr, and, the branch, the store of two and the count, the
// branch; a column: st32step, the branch, kTurn; the sum of all samples, which the last block has;
// the loops' calls.
constexpr std::uint64_t pattern_sums(unsigned batch, unsigned neurons) {
  const std::uint64_t blocks = of_worker(pattern_rows(batch) / kPatternBlock);
  const std::uint64_t others = pattern_bits(batch) < 2 ? 0 : pattern_bits(batch) - 2;
  const std::uint64_t block = 9 + others * (7 + kTurn) + neurons * (2 + kTurn) +
                              gather_rows(neurons, true, others) + sum_block(neurons);
  return multi_vertex(34 + pattern_groups(batch) * (10 + blocks * block));
}

// Prologue: 8 fields, the groups, their samples, found in 7 turns at most, and rows 30; the
// worker's inputs, a range and 6 more. A group: pointers to the row, the patterns and the sums 9,
// two branches. The bias: its samples' sum 8, the worker's columns, a range, each two loads,
// f32add, st32, the branch, kTurn.
constexpr std::uint64_t pattern_grad(unsigned batch, unsigned inputs, unsigned neurons,
                                     bool with_bias) {
  const std::uint64_t most = of_worker(pattern_words(inputs)) * kPatternsOfWord;
  const std::uint64_t of = most < inputs ? most : inputs;
  const std::uint64_t bias = with_bias ? 8 + kWorkerRange + of_worker(neurons) * (5 + kTurn) : 0;
  return multi_vertex(44 + kWorkerRange +
                      pattern_groups(batch) * (11 + add_sums(neurons, of) + bias));
}

// What `rpt` takes (repeats_ipu.hpp).
constexpr unsigned kMostRepeats = 4094;

// The longest list of rows of two columns that goes through in one loop (rows_ipu.hpp).
constexpr unsigned kMostShortList = 72;

// The biases of a range: the bounds of a worker's neurons and walks of their blocks: a sample steps
// the pointer and branches, then each column is a load and an addition.
constexpr std::uint64_t range_bias(unsigned batch, unsigned neurons) {
  return kWorkerRange + blocks_walk(divided(neurons, kWorkerRanges), batch, 2, 2);
}

// A worker adds the rows of its range of the inputs for every sample. The ids of full lists count
// as evenly distributed over the ranges: over a batch the excess of the busiest range is small.
// Prologue: 8 fields, the loop over ranges 2. A sample: three pointers, 9, the range's bounds 3 and
// the branch. Rows that have their own walk choose it once, with seven operands.
constexpr std::uint64_t weight_grad(unsigned batch, unsigned entries, unsigned neurons,
                                    bool short_ids, bool with_bias) {
  const std::uint64_t of = divided(entries, kWorkerRanges);
  const bool chosen_once = in_assembly(neurons, short_ids) && neurons <= 48 &&
                           entries <= (neurons == 2 ? kMostShortList : kMostRepeats);
  const std::uint64_t rows = chosen_once
                                 ? kDispatch + 7 * kOperand + scatter_lists(neurons, batch, of)
                                 : batch * (13 + scatter_rows(neurons, short_ids, of));
  return multi_vertex(10 + rows + (with_bias ? range_bias(batch, neurons) : 0));
}

// The same with a delay for each input. Prologue: 10 fields, the loop over ranges 2, kAheadRow.
// Rows that have their own walk choose it once, unless lists are longer than a repeat; a sample
// then has the range's bounds and the count 3, four pointers, its ids' address 2, two operands, the
// branch and kTurn.
constexpr std::uint64_t weight_grad_ahead(unsigned batch, unsigned entries, unsigned neurons,
                                          bool short_ids, bool with_bias) {
  const std::uint64_t of = divided(entries, kWorkerRanges);
  const bool chosen_once = has_ahead_walk(neurons, short_ids) && entries <= kMostRepeats;
  const std::uint64_t sample = 10 + 2 * kOperand + kTurn + sum_row_ahead(neurons / 2, of);
  const std::uint64_t rows =
      chosen_once ? kAheadWalk + batch * sample : batch * (13 + row_ahead(neurons, of));
  return multi_vertex(12 + kAheadRow + rows + (with_bias ? range_bias(batch, neurons) : 0));
}

// Prologue: 10 fields. A sample, with a full list: four pointers of 3 operations, the count's load,
// its comparison with the range and two branches, sub, comparison and selection 2.
constexpr std::uint64_t input_spike_grad(unsigned batch, unsigned entries, unsigned neurons,
                                         bool short_ids, bool half_weights = false) {
  const std::uint64_t dots = dot_rows(neurons, short_ids, entries, half_weights);
  return multi_vertex(10 + of_worker(batch) * (20 + dots));
}

// The same with a delay for each input. Prologue: 12 fields, kAheadRow.
constexpr std::uint64_t input_spike_grad_ahead(unsigned batch, unsigned entries, unsigned neurons,
                                               bool short_ids) {
  const std::uint64_t dots = dot_rows_ahead(neurons, short_ids, entries);
  return multi_vertex(12 + kAheadRow + of_worker(batch) * (20 + dots));
}

// sum_pair: {ld64step | mov} .align {rpt}, a loop of {ld64step | f32v2add}, then f32v2add, st64.
constexpr std::uint64_t sum_pair(std::uint64_t rows) { return rows + 4; }

// With two pointers' steps and the branch, and the operands that the text changes and that are set
// again: in the audit 4 for each of 36 pairs.
constexpr std::uint64_t reduce_pair(std::uint64_t rows) {
  return sum_pair(rows) + 5 + 2 * kOperand;
}

// Cycles of its worker. Prologue: 4 fields, the choice of the loop 5. Entries are summed in pairs
// where their number is even. In C++ a row costs the pointer's step and the branch, and an entry
// ld32 and f32add, in blocks of columns as in the other loops over rows.
constexpr std::uint64_t reduce_partials(unsigned tiles, unsigned entries) {
  return kEntry + 9 +
         (entries % 2 == 0 ? entries / 2 * reduce_pair(tiles) : blocks_walk(entries, tiles, 2, 2));
}

// Prologue: 12 fields and the step's 3. A sample, with full lists: 18 for its rows and the count,
// kSpills, the worker's range. An entry: ldz16 and ld32 of the row, its address, st32 and the
// branch, 6, kTurn; for each source the row's pointer 2, ld32, f32add and the branch, kTurn. The
// gradients from the loss: their row 4, and by entry two loads, the dense value's load, f32add,
// store and branch, kTurn.
constexpr std::uint64_t scatter_spike_grad(unsigned samples, unsigned entries, unsigned sources,
                                           unsigned losses = 0) {
  const std::uint64_t entry = 6 + kTurn + sources * (5 + kTurn);
  return multi_vertex(15 + samples * (18 + kSpills + kWorkerRange + of_worker(entries) * entry +
                                      losses * (4 + of_worker(entries) * (6 + kTurn))));
}

// With a full list. Prologue: 8 fields, the count, of ids of 16 bits the worker's entries 9. An
// entry (part_ipu.hpp): ldz16step, sub, cmpult, brnz, brnzdec; of 32 bits ldz16, sub, comparison,
// two branches, kTurn. One of the part: its number 3, the addresses of its first sum and of its
// gradient 4, the sources less one, their loop; of 16 bits two branches, the next call's operand.
// The fullest part counts as twice the mean.
constexpr std::uint64_t set_spike_grad(unsigned entries, unsigned parts, unsigned sources,
                                       bool short_ids) {
  const std::uint64_t of_part = 2 * divided(entries, parts);
  const std::uint64_t own = of_part < entries ? of_part : entries;
  return multi_vertex(9 + (short_ids ? 9 : 0) + of_worker(entries) * (5 + (short_ids ? 0 : kTurn)) +
                      of_worker(own) * (8 + (short_ids ? 3 : 0) + sum_sources(sources)));
}

// Prologue: 8 fields and the step's 3. A sample, with a full list: 16 for its rows and the count,
// kSpills, the worker's range; by entry its zero, store and branch, kTurn, and for each source the
// row's pointer 3, ld32, f32add and the branch, kTurn.
constexpr std::uint64_t save_input_grad(unsigned samples, unsigned entries, unsigned sources) {
  return multi_vertex(11 + samples * (16 + kSpills + kWorkerRange +
                                      of_worker(entries) * (3 + kTurn + sources * (6 + kTurn))));
}

// Prologue: 8 fields. A sample, with a full list: 16 for its rows and the count, kSpills, the
// worker's range; by entry ldz16, store and branch, kTurn.
constexpr std::uint64_t clear_spike_grad(unsigned samples, unsigned entries) {
  return multi_vertex(8 +
                      samples * (16 + kSpills + kWorkerRange + of_worker(entries) * (3 + kTurn)));
}

}  // namespace cycles
}  // namespace popsnn
