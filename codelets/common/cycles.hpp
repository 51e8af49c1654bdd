// Terms of all cycle estimators, and the cycles of the loops in rows.hpp.
//
// A worker issues one bundle {main | aux} each sixth cycle of its tile; what a bundle loads or
// computes, the next one may use, so that loops are counted by their bundles alone. Three kinds of
// code are counted:
//
//   in assembly   bundles as they stand (rows_ipu.hpp); a test runs them and compares.
//   in C++        one bundle for each load, store, operation on integers, comparison, branch and
//                 float operation of the source's loop, none co-issued, and kTurn.
//   called once   the same; what lies outside of the loops over samples is the prologue. Calls and
//                 values without a register are counted by the constants below.
//
// Those constants are from an audit of these sources at f972f64: a code generator for the chip's
// workers, written from public sources, compiled eleven vertices and ran them. Its counts are in
// tests/codelets/test_audit.py, which holds the estimates to them. popc itself has compiled none of
// this: it may make post-increments and hardware loops of what kTurn counts.
//
// Lists are counted as full: what a graph is compiled for, an estimator can know; what a run puts
// into a list, it cannot.
//
// Sources: the assembly and the estimators of graphcore/poplibs@7eac0f2 (lib/...).
#pragma once
#include <cstdint>

namespace popsnn {
namespace cycles {

constexpr std::uint64_t kWorkers = 6;

// runall, sync and return of the supervisor, cycles of the tile: poplibs basicOpSupervisorOverhead
constexpr std::uint64_t kSupervisor = 11;

// A compute set in addition to its vertices, cycles of the tile: what remains of two public
// measurements of sums on a Bow beyond poplibs' estimates (emulator/src/model/cycles_table.hpp).
constexpr std::uint64_t kComputeSet = 82;

// Entry of compute(), its return and `exitz`: poplibs charges 5 to 7.
constexpr std::uint64_t kEntry = 6;

constexpr std::uint64_t kWorkerId = 2;  // get $WSR; and

// Saved and restored registers of a call that is not inlined: 10 to 24 bundles in the audit's
// listing, here the middle. Also of compute() of every MultiVertex, which has more values than the
// ten integer registers that a worker's code may use.
constexpr std::uint64_t kFrame = 17;

// A turn of a loop in C++, in addition to its branch: the steps of two pointers and the comparison.
// In the audit 3 in clear_spike_grad, 4 in fetch_step, 4.5 in li_step, over what it calls best.
constexpr std::uint64_t kTurn = 3;

// A step of a bisection, in the same way: 13 for the 7 of 72 entries.
constexpr std::uint64_t kBisectionTurn = 2;

// Loads and stores of a sample's addresses that do not fit into registers: clear_spike_grad and
// scatter_spike_grad take 8 to 12 a sample more than their operations.
constexpr std::uint64_t kSpills = 8;

// A quotient by a constant (worker_range.hpp): its operand's comparison and branch, the constant,
// mul, shr. A division would take 17.
constexpr std::uint64_t kQuotient = 5;

// Begin and end of a worker's range: two products, two quotients.
constexpr std::uint64_t kWorkerRange = 2 * (1 + kQuotient);

// What a lambda captures by reference goes through memory: a store, a load.
constexpr std::uint64_t kCapture = 2;

// Operands of a model's loop in assembly, of which only some find registers.
constexpr std::uint64_t kOperand = 2;

// Operations that take more than a bundle.
constexpr std::uint64_t kFloatDivide = 3;  // f32div: 1 or 3, by operand (popopsCycleEstimators)
constexpr std::uint64_t kSquareRoot = 4;   // f32sqrt: 10 for two with load and store
constexpr std::uint64_t kExponential = 2;  // f32exp: "2 of f32exp" in 6 for two elements

constexpr std::uint64_t divided(std::uint64_t total, std::uint64_t divisor) {
  return (total + divisor - 1) / divisor;
}

// Samples, or elements, of the worker that has most of them.
constexpr std::uint64_t of_worker(std::uint64_t total) { return divided(total, kWorkers); }

// Cycles of the tile for a MultiVertex whose slowest worker issues `bundles` in compute().
constexpr std::uint64_t multi_vertex(std::uint64_t bundles) {
  return kSupervisor + kWorkers * (kEntry + kWorkerId + kFrame + bundles);
}

// Bundles of the loops in rows.hpp, for one list. Ids of 16 bits and rows of an even number of
// columns have loops in assembly.
constexpr bool in_assembly(unsigned columns, bool short_ids) {
  return short_ids && columns % 2 == 0;
}

// The choice of a loop: and, brnz, the row's bytes, cmpeq, brnz; the repeat's count:
// cmpult, sub, min, branch. None of it is called (inlined.hpp).
constexpr std::uint64_t kDispatch = 9;

// For each block of columns: the columns left, two comparisons, the branch, and two pointers'
// steps, 2 each.
constexpr std::uint64_t kBlock = 8;

// Each walk in C++ of a block of `width` columns: the block to registers and back, 2 * width, and
// the branch into the loop; a row costs `row` bundles and kTurn, then each column `column`. To find
// the row of an id takes its load, the product with the row's length, the addition to the base and
// the branch.
constexpr std::uint64_t kRowOfId = 4;
constexpr std::uint64_t block_walk(std::uint64_t width, std::uint64_t count, std::uint64_t row,
                                   std::uint64_t column) {
  return 2 * width + 2 + count * (row + kTurn + width * column);
}

// Blocks of 64, 16, 4, 2 and 1 columns cover them; registers hold at most 4 of a block's
// accumulators, more would be on the stack: wide blocks count as blocks of 4.
constexpr std::uint64_t blocks_walk(std::uint64_t columns, std::uint64_t count, std::uint64_t row,
                                    std::uint64_t column) {
  return columns / 4 * block_walk(4, count, row, column) +
         columns % 4 / 2 * block_walk(2, count, row, column) +
         columns % 2 * block_walk(1, count, row, column);
}

// Pairs of rows that have their own walk, which a switch finds: sub, cmpult, branch, the load
// of its address and the jump.
constexpr bool has_row_walk(unsigned columns) { return columns >= 8 && columns <= 48; }
constexpr std::uint64_t kSwitch = 5;

// gather2: {ld64 sum | mov} .align {rpt}, a loop of
//   {ldz16step id | f32v2add}
//   {ld64 row     | fnop}
// then f32v2add, st64: 2 an id.
// gather6 and 8: a ld64 for each pair of sums (with mov, or setzi and uput) .align {rpt},
// a loop of
//   {ldz16step id | f32v2add, or f32v4acc}
//   {mul          | fnop}
//   {ld64 row     | f32v2add} for each pair
// then a st64 for each pair, bundled with the last sums: 5 and 6 an id.
// Rows of whole 128 bits: gather4_quad: {ld64 | setzi}, {ld64 | uput} .align {rpt}, a loop of
//   {ldz16step id | f32v4acc}
//   {mul          | fnop}
//   {ld128        | fnop}
// then f32v4acc, f32v2gina, {st64 | f32v2gina}, st64: 3 an id.
// gather8_quads: four ld64 .align {rpt}, a loop of
//   {ldz16step id | f32v2add}
//   {mul          | f32v2add}
//   {ld128        | fnop}
//   {ld128        | f32v4acc}
// then f32v2add and four st64: 4 an id.
// gather10 is gather6 and a loop of 4 columns; gather16_quads gather8_quads twice.
constexpr std::uint64_t gather2(std::uint64_t count) { return 2 * count + 5; }
constexpr std::uint64_t gather6(std::uint64_t count) { return 5 * count + 8; }
constexpr std::uint64_t gather8(std::uint64_t count) { return 6 * count + 10; }
constexpr std::uint64_t gather10(std::uint64_t count) { return gather6(count) + 4 * count + 6; }
constexpr std::uint64_t gather4_quad(std::uint64_t count) { return 3 * count + 8; }
constexpr std::uint64_t gather8_quads(std::uint64_t count) { return 4 * count + 11; }
constexpr std::uint64_t gather16_quads(std::uint64_t count) { return 2 * gather8_quads(count); }

// For rows of 16 bits.
// gather_half2: {ld64 sum | mov}, mov .align {rpt}, a loop of
//   {ldz16step id | f32v2add}
//   {ld32 row     | f16v2tof32}
// then f32v2add, f16v2tof32, f32v2add, st64: 2 an id; gather_words2 with a mul: 3.
// gather_half4: {ld64 sum | setzi}, {ld64 sum | uput}, f32v4acc .align {rpt | mov}, a loop of
//   {ldz16step id | f16v4acc}
//   {ld64 row     | fnop}
// then f16v4acc, f32v2gina, {st64 | f32v2gina}, st64: 2 an id; gather_half_quad with a mul: 3.
// gather_half8: four ld64 and four f32v2gina in 5, mov .align {rpt | mov}, a loop of
//   {ldz16step id | f16v8acc}
//   {mul          | fnop}
//   {ld64 row     | fnop} twice
// then f16v8acc, f32v2gina and four st64 in 6: 4 an id; gather_words8 with four ld32: 6.
// gather_words6: as gather_words8 with a load and a store less: 5 an id.
constexpr std::uint64_t gather_half2(std::uint64_t count) { return 2 * count + 8; }
constexpr std::uint64_t gather_words2(std::uint64_t count) { return 3 * count + 8; }
constexpr std::uint64_t gather_half4(std::uint64_t count) { return 2 * count + 9; }
constexpr std::uint64_t gather_half_quad(std::uint64_t count) { return 3 * count + 9; }
constexpr std::uint64_t gather_half8(std::uint64_t count) { return 4 * count + 14; }
constexpr std::uint64_t gather_words6(std::uint64_t count) { return 5 * count + 13; }
constexpr std::uint64_t gather_words8(std::uint64_t count) { return 6 * count + 14; }

// Blocks of 8, and a smaller one for the other columns.
constexpr std::uint64_t gather_half_rows(unsigned columns, std::uint64_t count) {
  if (columns == 2) return kDispatch + gather_half2(count);
  if (columns == 4) return kDispatch + gather_half4(count);
  const std::uint64_t eight = columns % 4 != 0 ? gather_words8(count) : gather_half8(count);
  const std::uint64_t left = columns % 8 == 6   ? kBlock + gather_words6(count)
                             : columns % 8 == 4 ? kBlock + gather_half_quad(count)
                             : columns % 8 == 2 ? kBlock + gather_words2(count)
                                                : 0;
  return kDispatch + columns / 8 * (kBlock + eight) + left;
}

// Blocks of 16, 8 and 4, or of 8, the last one of 10 or 6. In C++ a column costs ld32 and f32add,
// of 16 bits its conversion too.
constexpr std::uint64_t gather_rows(unsigned columns, bool short_ids, std::uint64_t count,
                                    bool half_weights = false) {
  if (!in_assembly(columns, short_ids))
    return blocks_walk(columns, count, kRowOfId, half_weights ? 3 : 2);
  if (half_weights) return gather_half_rows(columns, count);
  if (columns == 2) return kDispatch + gather2(count);
  if (columns % 4 == 0)
    return kDispatch + columns / 16 * (kBlock + gather16_quads(count)) +
           columns % 16 / 8 * (kBlock + gather8_quads(count)) +
           columns % 8 / 4 * (kBlock + gather4_quad(count));
  std::uint64_t bundles = kDispatch;
  for (; columns >= 8 && columns != 10; columns -= 8) bundles += kBlock + gather8(count);
  return bundles + kBlock + (columns == 10 ? gather10(count) : gather6(count));
}

// scatter2: ld64 vector .align {rpt}, a loop for two ids of
//   {ldz16step id | fnop}
//   {ldz16step id | fnop}
//   {ld64 row     | fnop}
//   {ld64 row     | f32v2add}
//   {st64 row     | f32v2add}
//   {st64 row     | fnop}
// then brz and for an odd id ldz16step, ld64, f32v2add, st64: 3 an id.
// scatter_pair: the same with a mul for each id: 4 an id.
// scatter4: ld64 twice .align {rpt}, a loop of
//   {ldz16step id | fnop}
//   {mul          | fnop}
//   {ld64 row     | fnop}
//   {ld64 row     | f32v2add}
//   {st64 row     | f32v2add}
//   {st64 row     | fnop}
// : 6 an id.
// scatter_row: or .align {rpt | uput}, a loop of
//   {ldz16step id | fnop}
//   {mul          | fnop}
//   {add row      | fnop}
//   {tapack       | fnop}
//   {ld2x64pace   | fnop}
//   {ld2x64pace   | f32v2axpy} twice
//   {ld2xst64pace | f32v2axpy} for each pair but three
//   {st64pace     | f32v2axpy} twice
//   {st64pace     | fnop}
// : 7 an id and 1 a pair.
// scatter_lists_row: or, uput, then for each list ld32step twice, sub, shl .align {rpt}, that loop,
// add twice and brnzdec: 9 a list; also of 3 pairs.
// scatter_lists2: for each list ld32step twice, sub, shl, ld64 .align {rpt}, a loop of
//   {ldz16step id | fnop}
//   {ld64 row     | fnop}
//   {nop          | f32v2add}
//   {st64 row     | fnop}
// then add twice and brnzdec: 10 a list and 4 an id.
// scatter_lists4: ld64 once more, the loop of scatter4 with shl: 11 a list and 6 an id.
constexpr std::uint64_t scatter2(std::uint64_t count) { return count / 2 * 6 + count % 2 * 4 + 4; }
constexpr std::uint64_t scatter_pair(std::uint64_t count) {
  return count / 2 * 8 + count % 2 * 5 + 4;
}
constexpr std::uint64_t scatter4(std::uint64_t count) { return 6 * count + 4; }
constexpr std::uint64_t scatter_row(std::uint64_t pairs, std::uint64_t count) {
  return count * (7 + pairs) + 3;
}
constexpr std::uint64_t scatter_lists_row(std::uint64_t pairs, std::uint64_t lists,
                                          std::uint64_t count) {
  return 2 + lists * (9 + count * (7 + pairs));
}
constexpr std::uint64_t scatter_lists2(std::uint64_t lists, std::uint64_t count) {
  return lists * (10 + 4 * count);
}
constexpr std::uint64_t scatter_lists4(std::uint64_t lists, std::uint64_t count) {
  return lists * (11 + 6 * count);
}
constexpr std::uint64_t scatter_lists(std::uint64_t columns, std::uint64_t lists,
                                      std::uint64_t count) {
  return columns == 2 ? scatter_lists2(lists, count)
         : columns == 4
             ? scatter_lists4(lists, count)
             : (columns == 6 ? 0 : kSwitch) + scatter_lists_row(columns / 2, lists, count);
}

// Rows without their own walk: blocks of 4, a last one of 2. In C++ a column costs ld32,
// f32add and st32.
constexpr std::uint64_t scatter_rows(unsigned columns, bool short_ids, std::uint64_t count) {
  if (!in_assembly(columns, short_ids)) return blocks_walk(columns, count, kRowOfId, 3);
  if (columns == 2) return kDispatch + scatter2(count);
  if (has_row_walk(columns)) return kDispatch + kSwitch + scatter_row(columns / 2, count);
  return kDispatch + columns / 4 * (kBlock + scatter4(count)) +
         columns % 4 / 2 * (kBlock + scatter_pair(count));
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
// then f32v2mul, f32v2add, f32add, st32step: 5 an id.
// dot_row: {ldz16step | setzi}, {mul | uput}, mov, add .align {rpt}, a loop of
//   {ld2x64pace   | fnop}
//   {ld2x64pace   | f32v2mac} for each pair but the first
//   {ldz16step id | f32v2mac}
//   {mul          | f32v2gina}
//   {add row      | f32add}
//   {st32step     | fnop}
// and its last turn without the next id's bundles, but f32v2mac, f32v2gina, f32add and st32step: 4
// an id and 1 a pair.
// dot_pairs: {ldz16step | setzi}, {mul | uput}, mov .align {bri}, a loop of
//   {ldz16step id | f32v2gina}
//   {mul          | f32add}
//   {st32step     | fnop}
//   {add row      | fnop}
//   {ld2x64pace   | fnop}
//   {rpt          | fnop}, {ld2x64pace | f32v2mac} for each pair between the first and the last
//   {ld2x64pace   | f32v2mac}
//   {brnzdec      | f32v2mac}
// entered at its fourth bundle, then f32v2gina, f32add, st32step: 8 an id and 1 a pair between the
// first and the last. All count at least one id.
constexpr std::uint64_t dot2(std::uint64_t count) { return 3 * count + 4; }
constexpr std::uint64_t dot4(std::uint64_t count) { return 5 * count + 7; }
constexpr std::uint64_t dot_row(std::uint64_t pairs, std::uint64_t count) {
  return count * (4 + pairs) + 6;
}
constexpr std::uint64_t dot_pairs(std::uint64_t pairs, std::uint64_t count) {
  return count * (8 + pairs) + 5;
}

// For rows of 16 bits.
// dot_half2: ld64 vector, ldz16step, ld32 row .align {rpt | f16v2tof32}, a loop of
//   {ldz16step id | f32v2mul}
//   {ld32 row     | f32add}
//   {st32step     | f16v2tof32}
// then f32v2mul, f32add, st32step: 3 an id.
// dot_half4: ld64 twice, ldz16step, ld64 row, f16v2tof32, f32v2mul, f16v2tof32
// .align {rpt | f32v2mul}, a loop of
//   {ldz16step id | f32v2add}
//   {ld64 row     | f32add}
//   {st32step     | f16v2tof32}
//   {nop          | f32v2mul}
//   {nop          | f16v2tof32}
//   {nop          | f32v2mul}
// then f32v2add, f32add, st32step: 6 an id.
// dot_half_pairs: {ldz16step | setzi}, {mul | uput}, mov .align {bri}, a loop of
//   {ldz16step id | f32v2gina}
//   {mul          | f32add}
//   {st32step     | fnop}
//   {add row      | fnop}
//   {ld32step row | fnop}
//   {ld64step     | f16v2tof32}
//   {rpt          | fnop}, {ld32step | f32v2mac}, {ld64step | f16v2tof32} for each pair between
//   {ld32step row | f32v2mac}
//   {ld64step     | f16v2tof32}
//   {brnzdec      | f32v2mac}
// entered at its fourth bundle, then f32v2gina, f32add, st32step: 10 an id and 2 a pair between the
// first and the last. All count at least one id.
constexpr std::uint64_t dot_half2(std::uint64_t count) { return 3 * count + 5; }
constexpr std::uint64_t dot_half4(std::uint64_t count) { return 6 * count + 6; }
constexpr std::uint64_t dot_half_pairs(std::uint64_t pairs, std::uint64_t count) {
  return count * (10 + 2 * pairs) + 5;
}

constexpr std::uint64_t dot_half_rows(unsigned columns, std::uint64_t count) {
  return kDispatch + (count == 0     ? 0
                      : columns == 2 ? dot_half2(count)
                      : columns == 4 ? dot_half4(count)
                                     : dot_half_pairs(columns / 2 - 2, count));
}

// In C++: an id costs its load, the product with the row's length, the addition to the base, the
// sum's zero, the store and the branch; a column two loads, f32mul, f32add and the branch, of 16
// bits its conversion too; each of both kTurn.
constexpr std::uint64_t dot_rows(unsigned columns, bool short_ids, std::uint64_t count,
                                 bool half_weights = false) {
  const unsigned most = half_weights ? 8192 : 1024;  // kMostHalfDotColumns, kMostDotColumns
  if (!in_assembly(columns, short_ids) || columns > most)
    return 2 + count * (6 + kTurn + columns * ((half_weights ? 6 : 5) + kTurn));
  if (half_weights) return dot_half_rows(columns, count);
  return kDispatch + (count == 0              ? 0
                      : columns == 2          ? dot2(count)
                      : columns == 4          ? dot4(count)
                      : has_row_walk(columns) ? kSwitch + dot_row(columns / 2, count)
                                              : dot_pairs(columns / 2 - 2, count));
}

// Rows ahead (ahead_ipu.hpp).
// sum_pairs_ahead: or .align {rpt | uput}, a loop of
//   {ldz16step id    | fnop}
//   {ld32 step       | fnop}
//   {mul             | fnop}
//   {mul             | fnop}
//   {add row         | fnop}
//   {add step's row  | fnop}
//   {tapack          | fnop}
// and the rest of scatter_row's: 10 an id and 1 a pair. sum2_ahead: .align {rpt}, a loop of
//   {ldz16step id    | fnop}
//   {ld32 step       | fnop}
//   {mul             | fnop}
//   {ld64 row        | fnop}
//   {ld64 step's row | fnop}
//   {nop             | f32v2add}
//   {st64            | fnop}
// : 7 an id. sum4_ahead: the same with shl and
//   {ld64 row        | f32v2add}
//   {ld64 step's row | fnop}
//   {st64            | f32v2add}
//   {st64            | fnop}
// at its end: 10 an id.
// dot_row_ahead: {ldz16step | setzi}, {ld32 | uput}, mul, mul, add, add .align {rpt}, a loop of
//   {ld2x64pace      | fnop}
//   {ld2x64pace      | f32v2mac} for each pair but the first
//   {ldz16step id    | f32v2mac}
//   {ld32 step       | f32v2gina}
//   {mul             | f32add}
//   {mul             | fnop}
//   {add row         | fnop}
//   {add step's row  | fnop}
//   {st32step        | fnop}
// and its last turn without the next id's bundles, but f32v2mac, f32v2gina, f32add and st32step: 7
// an id and 1 a pair. It counts at least one id.
constexpr std::uint64_t sum_row_ahead(std::uint64_t pairs, std::uint64_t count) {
  return pairs == 1 ? 7 * count + 2 : pairs == 2 ? 10 * count + 2 : count * (10 + pairs) + 3;
}
constexpr std::uint64_t dot_row_ahead(std::uint64_t pairs, std::uint64_t count) {
  return count * (7 + pairs) + 5;
}

// To choose such a loop, with the delays, the rows of time steps and the bytes between these.
constexpr bool has_ahead_walk(unsigned columns, bool short_ids) {
  return in_assembly(columns, short_ids) && columns > 0 && columns <= 48;
}
constexpr std::uint64_t kAheadWalk = kDispatch + kSwitch + 3 * kOperand;

// In C++ an id costs its row, and its delay's load, product and addition; of products the sum's
// zero and the store too. A column costs two loads, f32add, st32 and the branch, of products f32mul
// instead of st32; each of both kTurn.
constexpr std::uint64_t row_ahead(unsigned columns, std::uint64_t count) {
  return 2 + count * (kRowOfId + 3 + kTurn + columns * (5 + kTurn));
}
constexpr std::uint64_t add_rows_ahead(unsigned columns, bool short_ids, std::uint64_t count) {
  return has_ahead_walk(columns, short_ids) ? kAheadWalk + sum_row_ahead(columns / 2, count)
                                            : row_ahead(columns, count);
}
constexpr std::uint64_t dot_rows_ahead(unsigned columns, bool short_ids, std::uint64_t count) {
  if (!has_ahead_walk(columns, short_ids)) return row_ahead(columns, count) + count * 2;
  return kAheadWalk + (count == 0 ? 0 : dot_row_ahead(columns / 2, count));
}

// Where a vertex keeps the gradient of every time step, the row of the present one: add, two
// products, the addition to the base.
constexpr std::uint64_t kAheadRow = 4;

// Steps of a bisection of `entries` entries.
constexpr std::uint64_t search_steps(unsigned entries) {
  return entries == 0 ? 0 : 1 + search_steps(entries / 2);
}

// A step of the bisection: shr, add, ldz16, comparison, two selections of 2 and the branch.
constexpr std::uint64_t lower_bound(unsigned entries) {
  return search_steps(entries) * (9 + kBisectionTurn);
}

// sum_sources (part_ipu.hpp): {ld32step | mov} .align {rpt}, a loop of {ld32step | f32add}, then
// f32add, st32step.
constexpr std::uint64_t sum_sources(std::uint64_t sources) { return sources + 4; }

// copy_pairs: .align {rpt}, a loop of {ld64step | fnop}, {st64step | fnop}.
constexpr std::uint64_t copy_pairs(unsigned pairs) { return 2 + 2 * std::uint64_t{pairs}; }

// copy_row: its choice 4, two pointers. In C++ a column costs load, store and branch, kTurn.
constexpr std::uint64_t copy_row(unsigned columns) {
  return columns % 2 == 0 ? 4 + 2 * kOperand + copy_pairs(columns / 2) : columns * (3 + kTurn);
}

}  // namespace cycles
}  // namespace popsnn
