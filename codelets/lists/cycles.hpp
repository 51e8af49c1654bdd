// Cycles of the vertices that compact spikes, and that copy, search and convert the lists.
#pragma once
#include "common/cycles.hpp"
#include "common/spike_records.hpp"

namespace popsnn {
namespace cycles {

// Bundles of the loops in scan_ipu.hpp, of which `full` rows are not empty.
// scan_fields: a row: ld32step, brz, sub, brnzdec; one that is not empty: shl, brz, ld32, shr, shl,
// brz. scan_words: a row: ld32step twice, or, brz, sub, brnzdec; one that is not empty: brz, ld32,
// brz. An id of both: clz, sub, st32step, shr, xor, brnz. Where a row's last test branches, its
// others are not scanned.
constexpr std::uint64_t scan_fields(std::uint64_t rows, std::uint64_t full, std::uint64_t active) {
  return 4 * rows + 6 * full + 6 * active;
}
constexpr std::uint64_t scan_words(std::uint64_t rows, std::uint64_t full, std::uint64_t active) {
  return 6 * rows + 3 * full + 6 * active;
}

// Cycles of its worker, with `active` ids. Prologue: a frame, 10 fields, the ends of rows, ids and
// block 10, counts 6, the choice of the loop 4, the vertex's address again 2. In C++ a row of
// fields costs ld32, the row's and the id's step, two branches, shr and `and`, kTurn; one that is
// not empty, of which there are at most `active`: and, shr, the loops' two entries and their end. A
// row of more words: kTurn and 4, each two words two loads, the id, two loops' entries and two
// branches, kTurn. An id: clz, sub, st32step, shr, xor, the branch.
constexpr std::uint64_t scan_masks(unsigned tiles, unsigned words, unsigned bits,
                                   std::uint64_t active) {
  const std::uint64_t full = active < tiles ? active : tiles;
  const std::uint64_t loops =
      2 * bits == kMaskBits                      ? scan_fields(tiles, full, active)
      : bits == kMaskBits && words == kMaskKinds ? scan_words(tiles, full, active)
      : bits < kMaskBits ? tiles * (7 + kTurn) + full * 5 + active * 6
                         : tiles * (4 + kTurn + words / kMaskKinds * (8 + kTurn)) + active * 6;
  return kEntry + kFrame + 32 + loops;
}

// pack_words (merge_ipu.hpp): ld32step twice .align {rpt}, a turn of
//   {ld32step id     | sort4x16lo}
//   {ld32step id     | fnop}
//   {st32step list   | fnop}
//   {st32step saved  | fnop}
// for each word but one, then sort4x16lo, st32step twice: 4 a word.
constexpr std::uint64_t pack_words(std::uint64_t words) { return words == 0 ? 0 : 4 * words + 3; }

// The sums of both sections' counts, of the blocks before a worker's and of the others (merge_ipu.
// hpp): by block ld32step and add twice; its own block 2, two calls of 6.
constexpr std::uint64_t merge_sums(unsigned blocks) { return 14 + blocks * std::uint64_t{4}; }

// sum_numbers: .align {rpt}, a loop of ld32step, add.
constexpr std::uint64_t sum_numbers(std::uint64_t count) { return 2 + 2 * count; }

// In addition, for a list of which `undelayed` ids arrive without a delay. Their numbers 3, the
// second one's store, the readers' loop 2. A reader: the ids' end and number 4, the table less the
// first id 3, the output 2, a test, its pointer difference, the store, the branch. An id (scan_ipu.
// hpp): ld32step, ld32, brnz, brnzdec, and where it has no delay st32step.
constexpr std::uint64_t list_undelayed(std::uint64_t ids, std::uint64_t undelayed) {
  return 4 * ids + undelayed;
}
constexpr std::uint64_t scan_late_masks(unsigned tiles, unsigned words, unsigned bits,
                                        std::uint64_t active, unsigned readers,
                                        std::uint64_t undelayed) {
  return scan_masks(tiles, words, bits, active) + 6 +
         readers * (14 + list_undelayed(active, undelayed));
}

// A reader's ids without a delay in a block of a worker, of those of a list: pointers of four rows
// 9, what was counted before them on the stack, kSpills; their number 3, the test for the last
// block 2 and its store 2, a branch, their address 4, the first word's 3, the first id 1; two ids:
// two loads, shl, or, store, two steps, the branch, kTurn; a last id: a branch, its load, the next
// block's test, number 3 and branch, kTurn, that block's id 4, shl, or, the store. Of 32 bits an id
// takes a load, store, step and branch, kTurn.
constexpr std::uint64_t write_undelayed(unsigned blocks, std::uint64_t undelayed, bool short_ids) {
  const std::uint64_t ids = divided(undelayed, blocks);
  const std::uint64_t gap = undelayed == 0 ? blocks : divided(blocks, unsigned(undelayed));
  return 25 + kSpills +
         (short_ids ? ids / 2 * (8 + kTurn) + 9 + gap * (5 + kTurn) : ids * (4 + kTurn));
}

// With a full list of fired neurons, none of them dropped, which are spread evenly over the blocks.
// Prologue: 18 fields, the ids that are kept 14. The window, which takes longer than the other
// records: the workers' tests 6, whether all were kept 4, the spans 4, the row of the history 4,
// six stores. A block of a worker:
//    3  the turn, whose next one adds the counts up to there
//   13  the section's count 3, its end, its ids of it 4, entries and branches 5
//   29  the address of its first id 7, the first id of another's word 5, the words 5, their
//       addresses 8, their operands 2, branches 2
//       pack_words; of 32 bits each id ld32, two stores, two addresses, the branch, kTurn
//   23  a last id, whose word another block's ends: its load, the list's end 4, the next block's
//       count and its test 9, that block's id 5, shl, or, two stores
//    4  the other section's count, the branch; kSpills
// Where the list is read late, a test whether all were kept 3; a block of a worker, for each
// reader: the numbers before it, their address 4 and their loop; write_undelayed.
constexpr std::uint64_t merge_lists(unsigned blocks, unsigned capacity, bool short_ids,
                                    unsigned readers = 0, unsigned undelayed = 0) {
  const std::uint64_t prologue = 18 + merge_sums(blocks) + 14;
  const std::uint64_t turns = of_worker(blocks), ids = divided(capacity, blocks);
  const std::uint64_t of_block =
      20 + kSpills +
      (ids == 0 ? 0 : 29 + (short_ids ? 23 + pack_words(ids / 2) : ids * (6 + kTurn)));
  const std::uint64_t between = merge_sums(unsigned(kWorkers));
  const std::uint64_t late =
      readers == 0
          ? 0
          : 3 + turns * readers *
                    (4 + sum_numbers(blocks - 1) + write_undelayed(blocks, undelayed, short_ids));
  return multi_vertex(prologue + 24 + turns * of_block + (turns - 1) * between + late);
}

// Prologue: 7 fields, the step's load and addition, two comparisons, the worker's range. A
// sample: two pointers of 4 operations each, branches on `inside` and the loop's, kSpills. A word:
// load, store and branch, kTurn.
constexpr std::uint64_t fetch_step(unsigned samples, unsigned row, bool short_entries) {
  const std::uint64_t words = short_entries ? divided(row, 2) : row;
  return multi_vertex(11 + kWorkerRange +
                      samples * (11 + kSpills + of_worker(words) * (3 + kTurn)));
}

// Workers that copy a list's words; of the others one copies counts, one windows.
constexpr std::uint64_t kPairWriters = kWorkers - 2;

// fetch_ipu.hpp: .align {rpt}, a turn of copy_fourths ld64step and st64step; of move_fourths, which
// keeps the list before, ld64, st64step, ld64step, st64step.
constexpr std::uint64_t copy_fourths(std::uint64_t turns) { return 2 + 2 * turns; }
constexpr std::uint64_t move_fourths(std::uint64_t turns) { return 2 + 4 * turns; }

// A writer: 10 fields, the tests of the worker 4, the row 3, whether the history has it 3, the
// pairs and the turns 4, the number of its first pair's words, three pointers and whether there is
// a list before 8. A sample: copies of three pointers and their steps 6, whether the loop moves or
// copies, the branch; its words.
// The worker of the counts: 9 fields, its test, the row and whether the history has it 6, pointers
// and strides 6. A sample: two words are load and store, to keep them twice, two branches, three
// steps and the branch. That of the windows takes less.
constexpr std::uint64_t fetch_list(unsigned samples, unsigned padded_capacity, bool short_ids,
                                   bool keeps) {
  const std::uint64_t pairs = divided(padded_capacity, short_ids ? 4 : 2);
  const std::uint64_t turns = divided(pairs, kPairWriters);
  const std::uint64_t list = 8 + (keeps ? move_fourths(turns) : copy_fourths(turns));
  const std::uint64_t writer = 32 + samples * list;
  const std::uint64_t counts = 22 + samples * std::uint64_t{14};
  return multi_vertex(writer > counts ? writer : counts);
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

// ranges_ipu.hpp: shr .align {rpt}, a loop of add, ldz16, sub, cmpult, mul, add, shr, then add,
// ldz16, cmpult, add: 7 for each step that halves the entries, rounded up.
constexpr std::uint64_t halvings(unsigned entries) {
  return entries < 2 ? 0 : 1 + halvings(entries - entries / 2);
}
constexpr std::uint64_t count_below(unsigned entries) { return 7 + 7 * halvings(entries); }

// Prologue: 8 fields and the step's 3. A sample, with a full list: two rows of the history, 10,
// the branch, kSpills. A range: its begin, a product and a quotient, the store and its
// address 3, the loop's entry and branch, the search, of ids of 16 bits with its steps 4 and two
// branches. The worker of the first range, which has no search, writes the last bound.
constexpr std::uint64_t list_ranges(unsigned samples, unsigned entries, bool short_ids) {
  const std::uint64_t search = short_ids ? 6 + count_below(entries) : lower_bound(entries);
  return multi_vertex(
      11 + samples * (11 + kSpills + of_worker(kWorkerRanges) * (6 + kQuotient + search)));
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
