// Bundles of the loops in rows.hpp, for one list.
#pragma once
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Ids of 16 bits and rows of two or four columns have loops in assembly.
constexpr bool in_assembly(unsigned columns, bool short_ids) {
  return short_ids && (columns == 2 || columns == 4);
}

// The choice of a loop: two comparisons and branches; the stretch: cmpult, sub, min, branch.
constexpr std::uint64_t kDispatch = 8;

// Each walk in C++ of a block of `width` columns: the block to registers and back, 2 * width, and
// the branch into the loop; an id costs its load, the product with the row's length, the addition
// to the base and the branch, then each column `column` bundles.
constexpr std::uint64_t block_walk(std::uint64_t width, std::uint64_t count, std::uint64_t column) {
  return 2 * width + 2 + count * (4 + width * column);
}

// Blocks of 64, 16, 4, 2 and 1 columns cover them; registers hold at most 4 of a block's
// accumulators, more would be kept on the stack: wide blocks count as blocks of 4.
constexpr std::uint64_t blocks_walk(std::uint64_t columns, std::uint64_t count,
                                    std::uint64_t column) {
  return columns / 4 * block_walk(4, count, column) +
         columns % 4 / 2 * block_walk(2, count, column) +
         columns % 2 * block_walk(1, count, column);
}

// gather2: {ld64 sum | mov} .align {rpt}, a loop of
//   {ldz16step id | f32v2add}
//   {ld64 row     | fnop}
// then f32v2add, st64: 2 an id.
// gather4: {ld64 | mov} twice .align {rpt}, a loop of
//   {ldz16step id | f32v2add}
//   {shl          | f32v2add}
//   {ld64 row     | fnop}
//   {ld64 row     | fnop}
// then f32v2add, {st64 | f32v2add}, st64: 4 an id.
constexpr std::uint64_t gather2(std::uint64_t count) { return 2 * count + 5; }
constexpr std::uint64_t gather4(std::uint64_t count) { return 4 * count + 7; }

// In C++ a column costs ld32 and f32add.
constexpr std::uint64_t gather_rows(unsigned columns, bool short_ids, std::uint64_t count) {
  if (!in_assembly(columns, short_ids)) return blocks_walk(columns, count, 2);
  return kDispatch + (columns == 2 ? gather2(count) : gather4(count));
}

// scatter2: ld64 vector .align {rpt}, a loop for two ids of
//   {ldz16step id | fnop}
//   {ldz16step id | fnop}
//   {ld64 row     | fnop}
//   {ld64 row     | f32v2add}
//   {st64 row     | f32v2add}
//   {st64 row     | fnop}
// then brz and for an odd id ldz16step, ld64, f32v2add, st64: 3 an id.
// scatter4: ld64 twice .align {rpt}, a loop of
//   {ldz16step id | fnop}
//   {shl          | fnop}
//   {ld64 row     | fnop}
//   {ld64 row     | f32v2add}
//   {st64 row     | f32v2add}
//   {st64 row     | fnop}
// : 6 an id.
constexpr std::uint64_t scatter2(std::uint64_t count) { return count / 2 * 6 + count % 2 * 4 + 4; }
constexpr std::uint64_t scatter4(std::uint64_t count) { return 6 * count + 4; }

// In C++ a column costs ld32, f32add and st32.
constexpr std::uint64_t scatter_rows(unsigned columns, bool short_ids, std::uint64_t count) {
  if (!in_assembly(columns, short_ids)) return blocks_walk(columns, count, 3);
  return kDispatch + (columns == 2 ? scatter2(count) : scatter4(count));
}

// dot2: ld64 vector, ldz16step, ld64 row .align {rpt | f32v2mul}, a loop of
//   {ldz16step id | f32add}
//   {ld64 row     | fnop}
//   {st32step     | f32v2mul}
// then f32add, st32step: 3 an id.
// dot4: ld64 twice, ldz16step, shl, ld64 twice .align {rpt | f32v2mul}, a loop of
//   {ldz16step id | f32v2mul}
//   {shl          | f32v2add}
//   {ld64 row     | f32add}
//   {st32step     | f32v2mul}
//   {ld64 row     | fnop}
// then f32v2mul, f32v2add, f32add, st32step: 5 an id. Both count at least one id.
constexpr std::uint64_t dot2(std::uint64_t count) { return 3 * count + 4; }
constexpr std::uint64_t dot4(std::uint64_t count) { return 5 * count + 7; }

// In C++: an id costs its load, the product with the row's length, the addition to the base, the
// sum's zero, the store and the branch; a column two loads, f32mul, f32add and the branch.
constexpr std::uint64_t dot_rows(unsigned columns, bool short_ids, std::uint64_t count) {
  if (!in_assembly(columns, short_ids)) return 2 + count * (6 + columns * std::uint64_t{5});
  return kDispatch + (count == 0 ? 0 : columns == 2 ? dot2(count) : dot4(count));
}

}  // namespace cycles
}  // namespace popsnn
