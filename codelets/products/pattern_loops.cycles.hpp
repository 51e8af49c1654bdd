// Bundles of the loops in pattern_loops.hpp.
#pragma once
#include "common/rows.cycles.hpp"

namespace popsnn {
namespace cycles {

// sum_pairs: .align {rpt}, a loop of
//   {ld64step first  | fnop}
//   {ld64step base   | fnop}
//   {ld64step second | f32v2add}
//   {st64step        | f32v2add} twice
//   {st64step        | fnop}
// : 6 a pair.
constexpr std::uint64_t sum_pairs(std::uint64_t pairs) { return 6 * pairs + 2; }

// The call of its loop: four pointers, three of which an addition finds, and the stretch 4. In C++
// a column costs 3 loads, 3 additions, 3 stores, an address twice and the branch.
constexpr std::uint64_t sum_block(unsigned columns) {
  return columns % 2 != 0 ? columns * std::uint64_t{12} : 11 + sum_pairs(columns / 2);
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

// Rows that have no walk of their own: blocks of 4, a last one of 2. In C++ to find a pattern's row
// takes its load, the product with the row's length, the addition and the branch, and a column
// costs two loads, f32add, st32 and the branch.
constexpr std::uint64_t add_sums(unsigned columns, std::uint64_t count) {
  if (columns % 2 != 0) return count * (kRowOfId + columns * std::uint64_t{5});
  if (has_row_walk(columns)) return kDispatch + kSwitch + add_sums_row(columns / 2, count);
  return kDispatch + columns / 4 * (kBlock + add_sums4(count)) +
         columns % 4 / 2 * (kBlock + add_sums2(count));
}

}  // namespace cycles
}  // namespace popsnn
