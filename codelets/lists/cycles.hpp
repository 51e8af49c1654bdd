// Cycles of the vertices that compact spikes, and that copy, search and convert the lists.
#pragma once
#include "common/cycles.hpp"
#include "common/spike_records.hpp"

namespace popsnn {
namespace cycles {

// Cycles of its worker, with `active` ids. Prologue: a frame, 10 fields, 4 for the masks of a
// field, counts 2, the choice of the loop 4. A tile: kTurn; ld32, the row's and the id's step, two
// branches; shr, and, where a word has several fields; of two words ld32 and `or` more. A tile that
// is not empty, of which there are at most `active`: and, shr, the loops' two entries and their
// end. Of more words each costs two loads, the id, two loops' entries and two branches. An id: neg,
// and, clz, sub, xor, st32step, its count, the branch.
constexpr std::uint64_t scan_masks(unsigned tiles, unsigned words, unsigned bits,
                                   std::uint64_t active) {
  const std::uint64_t full = active < tiles ? active : tiles;
  const std::uint64_t field = 2 * bits == kMaskBits || bits == kMaskBits ? 0 : 2;
  const std::uint64_t rows =
      bits < kMaskBits || words == kMaskKinds
          ? tiles * (5 + (words == kMaskKinds ? 2 : field) + kTurn) + full * 5
          : tiles * (4 + kTurn + words / kMaskKinds * (8 + kTurn));
  return kEntry + kFrame + 20 + rows + active * 8;
}

// With a full list of fired neurons, none of them dropped. Prologue: 18 fields.
//    5  a block, for both sections' totals: two ld32, two additions, branch; kTurn
//   28  the ids that are kept 12; the worker's words 10, the quotients' tests and branches 6
// The worker that writes the records:
//   56  the window's begin: four rounds of mix (7), their xors and the time steps 6, a product of
//   64
//       bits from 32-bit products 16, its pointers 6
//   40  counts, window, drops and their histories
// The others:
//    5  a block before the worker's last id: comparison, sub, add, ld32, branch; kTurn
//   22  pointers 9, the run of ids 8, its first block 5; kSpills
//   28  a block, two of which a worker meets where ids are spread evenly: its count 3, its end 4,
//       the first id's address 5, two branches; the second half of a word 10: two comparisons,
//       ld32, shl, or, two stores, three steps; the first half of the next 4
//    9  a word: two ld32, shl, or, two addresses, two stores, the branch; of 32 bits 6; kTurn
// For each reader with delays: pointers and the count's store 8, an id's loads, comparison and
// branch 4, kTurn; the stores of two ids without a delay 4.
constexpr std::uint64_t merge_lists(unsigned blocks, unsigned capacity, bool short_ids,
                                    unsigned readers = 0) {
  const std::uint64_t in_word = short_ids ? 2 : 1;
  const std::uint64_t words = divided(divided(capacity, in_word), kWorkers - 1);
  const std::uint64_t writes = words == 0 ? 0
                                          : blocks * (5 + kTurn) + 22 + kSpills + 2 * 28 +
                                                words * ((short_ids ? 9 : 6) + kTurn) +
                                                readers * (12 + words * in_word * (4 + kTurn));
  const std::uint64_t records = 56 + 40;
  return multi_vertex(18 + blocks * (5 + kTurn) + 28 + (writes > records ? writes : records));
}

// Prologue: 7 fields, the step's load and addition, two comparisons, the worker's range. A
// sample: two pointers of 4 operations each, branches on `inside` and the loop's, kSpills. A word:
// load, store and branch, kTurn.
constexpr std::uint64_t fetch_step(unsigned samples, unsigned row, bool short_entries) {
  const std::uint64_t words = short_entries ? divided(row, 2) : row;
  return multi_vertex(11 + kWorkerRange +
                      samples * (11 + kSpills + of_worker(words) * (3 + kTurn)));
}

// Prologue: 13 fields, two steps 4, the worker's range. A sample: four pointers 14, kSpills,
// comparisons and branches 5. A word: load, store and branch, kTurn, and where the list before is
// kept as much again. A worker's words of counts and windows: the entry's choice 3, two pointers 6,
// load, store, to keep it 4.
constexpr std::uint64_t fetch_list(unsigned samples, unsigned padded_capacity, bool short_ids,
                                   bool keeps) {
  const std::uint64_t words = short_ids ? divided(padded_capacity, 2) : padded_capacity;
  const std::uint64_t word = (keeps ? 2 : 1) * (3 + kTurn);
  return multi_vertex(17 + kWorkerRange +
                      samples * (30 + kSpills + of_worker(words) * word + (keeps ? 4 : 0)));
}

// Two fields, ld32, add, st32.
constexpr std::uint64_t count_step() { return kEntry + 5; }

// Prologue: 7 fields, the store. A list: its row's pointer 2, its limits' pointer 1, the loops'
// entries 2, the branch; a sample: ld32step, comparison, the selection's 2, the branch, kTurn; a
// bucket size that is too small: ld32, comparison, its number, two branches, at least once for each
// list.
constexpr std::uint64_t list_sizes(unsigned lists, unsigned samples, unsigned smaller) {
  return multi_vertex(8 + lists * (6 + of_worker(samples) * (5 + kTurn) + 5) +
                      smaller * std::uint64_t{5});
}

// 4 fields, the step's row 5, the store; a worker's result: ld32step, comparison, the selection's
// 2, the branch, kTurn.
constexpr std::uint64_t largest_size() { return kEntry + 10 + kWorkerRanges * (5 + kTurn); }

// With a full list, whose ids in the busiest worker's words are as many as fit. Prologue: 6 fields,
// the worker's words, the count, the first id 3, the search.
//    8  a word: its clearing, the next one's id, the entry into its loop 3, the store, its address,
//       the branch; kTurn
//    9  an id: its position's comparison, ldz16, its comparison, two branches, and, shl, or, the
//       next position; kTurn
constexpr std::uint64_t list_bits(unsigned entries, unsigned words) {
  const std::uint64_t of = of_worker(words), most = of * kMaskBits;
  return multi_vertex(10 + kWorkerRange + lower_bound(entries) + of * (8 + kTurn) +
                      (most < entries ? most : entries) * (9 + kTurn));
}

// Prologue: 8 fields and the step's 3. A sample, with a full list: two rows of the history, 10,
// the branch, kSpills. A range: its begin, a product and a quotient, the store and its
// address 3, the loop's entry and branch, the search. The worker of the first range, which has no
// search, writes the last bound.
constexpr std::uint64_t list_ranges(unsigned samples, unsigned entries) {
  return multi_vertex(
      11 +
      samples * (11 + kSpills + of_worker(kWorkerRanges) * (6 + kQuotient + lower_bound(entries))));
}

// Prologue: 15 fields. A row of any worker: 6 to count it. A row of its own: the hash, four rounds
// of 9 and 6 more, the records 10 and the branch; an entry: comparison, select, two stores, branch,
// kTurn. A section: 20, and an element twice load and comparison, 5 to count it, 6 to write it, two
// branches, twice kTurn.
constexpr std::uint64_t compact_spikes(unsigned rows, unsigned size, unsigned capacity,
                                       bool silent) {
  const std::uint64_t section = 20 + size * (17 + 2 * kTurn);
  return multi_vertex(15 + rows * std::uint64_t{6} +
                      of_worker(rows) * (53 + capacity * (5 + kTurn) + (silent ? 2 : 1) * section));
}

// Prologue: 7 fields. A row: pointers to four rows 12, the count, the branch; an element's zero and
// branch; an entry's two loads, two comparisons, store and branch; each of both kTurn.
constexpr std::uint64_t expand_spikes(unsigned rows, unsigned size, unsigned capacity) {
  return multi_vertex(7 + of_worker(rows) * (14 + size * (2 + kTurn) + capacity * (6 + kTurn)));
}

// Prologue: 7 fields. A row: pointers to four rows 12, the count, the branch; an entry: two loads,
// two comparisons and branches, store and branch, kTurn.
constexpr std::uint64_t gather_spikes(unsigned rows, unsigned capacity) {
  return multi_vertex(7 + of_worker(rows) * (14 + capacity * (8 + kTurn)));
}

// Prologue: 9 fields. A list: pointers to four rows 12, two counts of load, comparison, select and
// store 8, the branch. An entry: load, comparison, select, its store, kTurn; 16 bits
// are shifted and joined to a loaded word first.
constexpr std::uint64_t import_spikes(unsigned samples, unsigned steps, unsigned capacity,
                                      bool short_ids) {
  const std::uint64_t entry = short_ids ? 8 : 5;
  return multi_vertex(9 + samples * of_worker(steps) * (21 + capacity * (entry + kTurn)));
}

// Prologue: 8 fields. A list: pointers to four rows 12, two counts, the branch. An entry: the id's
// load, two comparisons and selects, two stores, the branch, kTurn.
constexpr std::uint64_t export_spikes(unsigned samples, unsigned steps, unsigned capacity) {
  return multi_vertex(8 + samples * of_worker(steps) * (15 + capacity * (8 + kTurn)));
}

}  // namespace cycles
}  // namespace popsnn
