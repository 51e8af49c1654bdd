// Cycles of what makes, moves, searches and converts lists of spikes.
#pragma once
#include "common/cycles.hpp"
#include "common/spike_records.hpp"

namespace popsnn {
namespace cycles {

// Of its worker, with `listed` ids. Prologue: 10 fields, 4 for the masks of a field, counts 2.
// A tile: ld32, shr, and, the row's and the id's step, two branches; a field that is not empty,
// which `listed` are at most: and, shr, the loops' two entries and their end. Of masks that are not
// packed a word costs two loads, the id, two loops' entries and two branches. An id: neg, and, clz,
// sub, xor, st32step, its count, the branch.
constexpr std::uint64_t scan_masks(unsigned tiles, unsigned words, unsigned bits,
                                   std::uint64_t listed) {
  const std::uint64_t full = listed < tiles ? listed : tiles;
  const std::uint64_t rows = bits < kMaskBits ? tiles * std::uint64_t{7} + full * 5
                                              : tiles * (4 + words / kMaskParts * std::uint64_t{8});
  return kEntry + 16 + rows + listed * 8;
}

// With a full list of fired neurons and none over capacity. Prologue: 18 fields.
//   10  a segment, for the totals of both parts: twice pointer, ld32, add, comparison, branch
//   22  what keeps its place 12; the worker's words 10
// The worker that keeps the records:
//   56  the window's begin: four rounds of mix (7), their xors and the steps 6, a product of 64
//       bits by parts 16, its pointers 6
//   40  counts, window, drops and their histories
// The others:
//    5  a segment before the worker's last id: comparison, sub, add, ld32, branch
//   22  pointers 9, the run of ids 8, its first segment 5
//   14  a segment, of which a worker's ids meet two where a list is even: its count 3, its end 4,
//       the first id's address 5, two branches
//    6  an id: ld32step, its parity and a branch 2, shl, or, the branch
//    4  a word: two addresses, two stores
constexpr std::uint64_t merge_lists(unsigned parts, unsigned capacity, bool short_ids) {
  const std::uint64_t in_word = short_ids ? 2 : 1;
  const std::uint64_t words = divided(divided(capacity, in_word), kWorkers - 1);
  const std::uint64_t writes =
      words == 0 ? 0 : parts * std::uint64_t{5} + 22 + 2 * 14 + words * (in_word * 6 + 4);
  const std::uint64_t keeps = 56 + 40;
  return multi_vertex(18 + parts * std::uint64_t{10} + 22 + (writes > keeps ? writes : keeps));
}

// Prologue: 7 fields, the step's load and addition, two comparisons, the worker's range 6. A
// sample: two pointers of 4 operations each, branches on `inside` and the loop's. A word: load,
// store and branch.
constexpr std::uint64_t fetch_step(unsigned samples, unsigned row, bool short_entries) {
  const std::uint64_t words = short_entries ? divided(row, 2) : row;
  return multi_vertex(17 + samples * (11 + of_worker(words) * 3));
}

// Two fields, ld32, add, st32.
constexpr std::uint64_t count_step() { return kEntry + 5; }

// Prologue: 7 fields, the store. A list: its row's pointer 2, its limits' pointer 1, the loops'
// entries 2, the branch; a sample: ld32step, comparison, the selection's 2, the branch; a size that
// is too small: ld32, comparison, its number, two branches, which each list asks once at least.
constexpr std::uint64_t list_sizes(unsigned lists, unsigned samples, unsigned smaller) {
  return multi_vertex(8 + lists * (6 + of_worker(samples) * 5 + 5) + smaller * std::uint64_t{5});
}

// 4 fields, the step's row 5, the store; a share: ld32step, comparison, the selection's 2, the
// branch.
constexpr std::uint64_t largest_size() { return kEntry + 10 + kShares * std::uint64_t{5}; }

// The search in an ascending list: halvings until nothing is left of `slots` entries.
constexpr std::uint64_t halvings(unsigned slots) {
  return slots == 0 ? 0 : 1 + halvings(slots / 2);
}

// Each halving: shr, add, ldz16, comparison, two selections of 2 and the branch.
constexpr std::uint64_t first_from(unsigned slots) { return halvings(slots) * 9; }

// With a full list, of which the busiest worker meets all ids of its words. Prologue: 6 fields, the
// worker's words 6, the count, the first id 3, the search.
//    8  a word: its clearing, the next one's id, the entry into its loop 3, the store, its address,
//       the branch
//    9  an id: its position's comparison, ldz16, its comparison, two branches, and, shl, or, the
//       next position
constexpr std::uint64_t list_bits(unsigned slots, unsigned words) {
  const std::uint64_t of = of_worker(words), most = of * kMaskBits;
  return multi_vertex(16 + first_from(slots) + of * 8 + (most < slots ? most : slots) * 9);
}

// Prologue: 8 fields and the step's 3. A sample, with a full list: two rows of the history, 10, and
// the branch. A share: its begin (mul, and mul and shr for the division by 6), the store and its
// place 3, the loop's entry and branch, the search. The worker of the first share, which searches
// nothing, writes the last bound.
constexpr std::uint64_t list_shares(unsigned samples, unsigned slots) {
  return multi_vertex(11 + samples * (11 + of_worker(kShares) * (8 + first_from(slots))));
}

// Prologue: 15 fields. A row of anyone: 6 to count it. A row: the hash, four rounds of 9 and 6
// beside them, the records 10 and the branch; a place: comparison, select, two stores, branch. Of
// each part: 20, and an element twice load and comparison, 5 to count it, 6 to place it, two
// branches.
constexpr std::uint64_t compact_spikes(unsigned rows, unsigned size, unsigned places, bool silent) {
  const std::uint64_t part = 20 + size * std::uint64_t{17};
  return multi_vertex(15 + rows * std::uint64_t{6} +
                      of_worker(rows) * (53 + places * std::uint64_t{5} + (silent ? 2 : 1) * part));
}

// Prologue: 7 fields. A row: pointers to four rows 12, the count, the branch; an element's zero and
// branch; an entry's two loads, two comparisons, store and branch.
constexpr std::uint64_t expand_spikes(unsigned rows, unsigned size, unsigned places) {
  return multi_vertex(7 +
                      of_worker(rows) * (14 + size * std::uint64_t{2} + places * std::uint64_t{6}));
}

// Prologue: 7 fields. A row: pointers to four rows 12, the count, the branch; a place: two loads,
// two comparisons and branches, store and branch.
constexpr std::uint64_t pick_spikes(unsigned rows, unsigned places) {
  return multi_vertex(7 + of_worker(rows) * (14 + places * std::uint64_t{8}));
}

// Prologue: 9 fields. A list: pointers to four rows 12, two counts of load, comparison, select and
// store 8, the branch. An entry: load, comparison, select, and its store: of 16 bits a word is
// loaded, shifted and joined first.
constexpr std::uint64_t take_lists(unsigned samples, unsigned steps, unsigned places,
                                   bool short_ids) {
  const std::uint64_t entry = short_ids ? 8 : 5;
  return multi_vertex(9 + samples * of_worker(steps) * (21 + places * entry));
}

// Prologue: 8 fields. A list: pointers to four rows 12, two counts, the branch. A place: the id's
// load, two comparisons and selects, two stores, the branch.
constexpr std::uint64_t give_lists(unsigned samples, unsigned steps, unsigned places) {
  return multi_vertex(8 + samples * of_worker(steps) * (15 + places * std::uint64_t{8}));
}

}  // namespace cycles
}  // namespace popsnn
