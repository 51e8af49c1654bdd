// Loops over the rows of active inputs for a host; false where those of rows.hpp are as fast.
//
// A matrix of many columns lies in the second cache or beyond, and rows are read at random: the
// prefetcher helps where a few rows are followed side by side from their first column to their
// last. On 733 columns (4 MB, Zen 5) a row's element takes 0.07 ns in `gather` and 0.25 ns in
// blocks of 64 columns; in `dots` 0.07 ns and 0.27 ns one row at a time. An element of 16 bits
// takes 0.17 ns in `dots`; 0.30 ns where each is converted by itself, as GCC 12 does unless told.
#pragma once
#include <poplar/HalfFloat.hpp>

#include "constant.hpp"

namespace popsnn {
namespace host {

constexpr unsigned kDotColumns = 32;
constexpr unsigned kScatterColumns = 64;

// Calls visit with a number of columns up to `Most` as a Constant; false where there are more. A
// loop over a few columns, if their number is not a constant, takes several times as long.
template <unsigned Most = 15, class Visit>
inline bool few_columns(unsigned columns, Visit visit) {
  if constexpr (Most > 0) {
    if (columns != Most) return few_columns<Most - 1>(columns, visit);
    visit(Constant<Most>());
    return true;
  }
  return false;
}

// Eight lanes in a vector: GCC 12 leaves the same loops over arrays at half the speed.
typedef float Lanes __attribute__((vector_size(32), aligned(4), may_alias));
constexpr unsigned kLanes = 8;

inline float sum_of(const Lanes& lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

inline Lanes lanes_of(const float* from) { return *reinterpret_cast<const Lanes*>(from); }

// Exponent and fraction are shifted to their bits, and the product corrects the exponents' offset,
// of subnormal numbers too; the largest exponent, of infinities and NaN, is set.
inline Lanes lanes_of(const half* from) {
  typedef unsigned short Halves __attribute__((vector_size(16), aligned(2), may_alias));
  typedef unsigned Words __attribute__((vector_size(32)));
  const Words bits = __builtin_convertvector(*reinterpret_cast<const Halves*>(from), Words);
  const Words moved = (bits & 0x7FFFu) << 13;
  const Words largest = Words(moved >= 0x0F800000u) & 0x7F800000u;
  const Lanes scaled = Lanes(moved) * 0x1p112f;
  return Lanes(Words(scaled) | largest | (bits & 0x8000u) << 16);
}

// sum += rows[ids[0]] + ... + rows[ids[Rows - 1]], in this order.
template <unsigned Rows, class Weight, class Id>
inline void add_rows(const Weight* rows,  // [inputs, columns]
                     unsigned columns,
                     const Id* ids,            // [Rows]
                     float* __restrict__ sum)  // [columns]
{
  const Weight* row[Rows];
  for (unsigned r = 0; r < Rows; ++r) row[r] = rows + ids[r] * columns;
  unsigned j = 0;
  for (; j + kLanes <= columns; j += kLanes) {
    Lanes& total = *reinterpret_cast<Lanes*>(sum + j);
    for (unsigned r = 0; r < Rows; ++r) total += lanes_of(row[r] + j);
  }
  for (; j < columns; ++j)
    for (unsigned r = 0; r < Rows; ++r) sum[j] += float(row[r][j]);
}

template <class Weight, class Id>
inline bool gather(const Weight* rows,  // [inputs, columns]
                   unsigned columns,
                   const Id* ids,  // [count]
                   unsigned count,
                   float* sum) {  // [columns]
  const auto few = [=](auto width) {
    float block[width()];
    for (unsigned j = 0; j < width(); ++j) block[j] = sum[j];
    for (unsigned k = 0; k < count; ++k)
      for (unsigned j = 0; j < width(); ++j) block[j] += float(rows[ids[k] * width() + j]);
    for (unsigned j = 0; j < width(); ++j) sum[j] = block[j];
  };
  if (few_columns(columns, few)) return true;
  unsigned k = 0;
  for (; k + 8 <= count; k += 8) add_rows<8>(rows, columns, ids + k, sum);
  for (; k + 2 <= count; k += 2) add_rows<2>(rows, columns, ids + k, sum);
  for (; k < count; ++k) add_rows<1>(rows, columns, ids + k, sum);
  return true;
}

// dots[r] = dot(rows[ids[r]], vector).
template <unsigned Rows, class Weight, class Id>
inline void dots_of(const Weight* rows,  // [inputs, columns]
                    unsigned columns,
                    const Id* ids,        // [Rows]
                    const float* vector,  // [columns]
                    float* dots) {        // [Rows]
  const Weight* row[Rows];
  for (unsigned r = 0; r < Rows; ++r) row[r] = rows + ids[r] * columns;
  Lanes even[Rows] = {}, odd[Rows] = {};
  unsigned j = 0;
  for (; j + 2 * kLanes <= columns; j += 2 * kLanes) {
    const Lanes first = lanes_of(vector + j);
    const Lanes second = lanes_of(vector + j + kLanes);
    for (unsigned r = 0; r < Rows; ++r) {
      even[r] += lanes_of(row[r] + j) * first;
      odd[r] += lanes_of(row[r] + j + kLanes) * second;
    }
  }
  for (unsigned r = 0; r < Rows; ++r) {
    float dot = sum_of(even[r]) + sum_of(odd[r]);
    for (unsigned i = j; i < columns; ++i) dot += float(row[r][i]) * vector[i];
    dots[r] = dot;
  }
}

template <class Weight, class Id>
inline bool dots(const Weight* rows,  // [inputs, columns]
                 unsigned columns,
                 const Id* ids,  // [count]
                 unsigned count,
                 const float* vector,  // [columns]
                 float* out) {         // [count]
  const auto few = [=](auto width) {
    for (unsigned k = 0; k < count; ++k) {
      float dot = 0.0f;
      for (unsigned j = 0; j < width(); ++j) dot += float(rows[ids[k] * width() + j]) * vector[j];
      out[k] = dot;
    }
  };
  if (few_columns(columns, few)) return true;
  if (columns < kDotColumns) return false;
  unsigned k = 0;
  for (; k + 4 <= count; k += 4) dots_of<4>(rows, columns, ids + k, vector, out + k);
  for (; k < count; ++k) dots_of<1>(rows, columns, ids + k, vector, out + k);
  return true;
}

// Whole rows: blocks of fewer than 64 columns take up to four times as long.
template <class Id>
inline bool scatter(float* rows,  // [inputs, columns]
                    unsigned columns,
                    const Id* ids,  // [count]
                    unsigned count,
                    const float* vector) {  // [columns]
  const auto few = [=](auto width) {
    for (unsigned k = 0; k < count; ++k)
      for (unsigned j = 0; j < width(); ++j) rows[ids[k] * width() + j] += vector[j];
  };
  if (few_columns(columns, few)) return true;
  if (columns >= kScatterColumns) return false;
  for (unsigned k = 0; k < count; ++k) {
    float* __restrict__ const row = rows + ids[k] * columns;
    for (unsigned j = 0; j < columns; ++j) row[j] += vector[j];
  }
  return true;
}

}  // namespace host
}  // namespace popsnn
