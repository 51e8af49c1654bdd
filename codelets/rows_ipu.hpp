// The inner loops of rows.hpp in the IPU's assembly, for lists of 16-bit ids and rows of two or
// four floats, which are what a tile of a large network holds.
//
// A register offset counts elements of the access's size, so that for rows of 8 bytes an id is
// the offset of its row. A bundle is {main | aux}: loads, stores and integers | floats. `rpt`
// repeats the bundles after it without a cost of its own and takes none for a count of 0. Loads
// never go past the end of a list. rows.cycles.hpp counts the bundles, and
// tests/codelets/test_rows_ipu.py runs this text bundle by bundle.
#pragma once
#include <poplar/TileConstants.hpp>

namespace popsnn {
namespace ipu {

// sum[0:2] += sum over k of rows[ids[k]]; count at most what `rpt` takes.
inline void gather2(const float* rows,          // [inputs, 2]
                    const unsigned short* ids,  // [count]
                    unsigned count,
                    float* sum) {  // [2]
  unsigned id;
  asm volatile(
      R"(
      {
        ld64        $a0:1, $mzero, %[sum], 0
        mov         $a2:3, $azeros
      }
      .align 8
      {
        rpt         %[count], 1
        fnop
      }
        {
          ldz16step %[id], $mzero, %[ids]+=, 1
          f32v2add  $a0:1, $a0:1, $a2:3
        }
        {
          ld64      $a2:3, $mzero, %[rows], %[id]
          fnop
        }
      f32v2add      $a0:1, $a0:1, $a2:3
      st64          $a0:1, $mzero, %[sum], 0
      )"
      : [id] "=&r"(id), [ids] "+r"(ids)
      : [rows] "r"(rows), [count] "r"(count), [sum] "r"(sum)
      : "$a0:1", "$a2:3", "memory");
}

// sum[0:4] += sum over k of rows[ids[k]]; count at most what `rpt` takes.
inline void gather4(const float* rows,          // [inputs, 4]
                    const unsigned short* ids,  // [count]
                    unsigned count,
                    float* sum) {  // [4]
  unsigned at;
  asm volatile(
      R"(
      {
        ld64        $a0:1, $mzero, %[sum], 0
        mov         $a4:5, $azeros
      }
      {
        ld64        $a2:3, $mzero, %[sum], 1
        mov         $a6:7, $azeros
      }
      .align 8
      {
        rpt         %[count], 3
        fnop
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          f32v2add  $a0:1, $a0:1, $a4:5
        }
        {
          shl       %[at], %[at], 4
          f32v2add  $a2:3, $a2:3, $a6:7
        }
        {
          ld64      $a4:5, %[at], %[rows], 0
          fnop
        }
        {
          ld64      $a6:7, %[at], %[rows], 1
          fnop
        }
      f32v2add      $a0:1, $a0:1, $a4:5
      {
        st64        $a0:1, $mzero, %[sum], 0
        f32v2add    $a2:3, $a2:3, $a6:7
      }
      st64          $a2:3, $mzero, %[sum], 1
      )"
      : [at] "=&r"(at), [ids] "+r"(ids)
      : [rows] "r"(rows), [count] "r"(count), [sum] "r"(sum)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

// rows[ids[k]] += vector for `pairs` times two ids, then for one more where `odd`; ids differ.
inline void scatter2(float* rows,                // [inputs, 2]
                     const unsigned short* ids,  // [2 * pairs + odd]
                     unsigned pairs, unsigned odd,
                     const float* vector) {  // [2]
  unsigned first, second;
  asm volatile(
      R"(
      ld64          $a0:1, $mzero, %[vector], 0
      .align 8
      {
        rpt         %[pairs], 5
        fnop
      }
        {
          ldz16step %[first], $mzero, %[ids]+=, 1
          fnop
        }
        {
          ldz16step %[second], $mzero, %[ids]+=, 1
          fnop
        }
        {
          ld64      $a2:3, $mzero, %[rows], %[first]
          fnop
        }
        {
          ld64      $a4:5, $mzero, %[rows], %[second]
          f32v2add  $a2:3, $a2:3, $a0:1
        }
        {
          st64      $a2:3, $mzero, %[rows], %[first]
          f32v2add  $a4:5, $a4:5, $a0:1
        }
        {
          st64      $a4:5, $mzero, %[rows], %[second]
          fnop
        }
      brz           %[odd], 1f
      ldz16step     %[first], $mzero, %[ids]+=, 1
      ld64          $a2:3, $mzero, %[rows], %[first]
      f32v2add      $a2:3, $a2:3, $a0:1
      st64          $a2:3, $mzero, %[rows], %[first]
      1:
      )"
      : [first] "=&r"(first), [second] "=&r"(second), [ids] "+r"(ids)
      : [rows] "r"(rows), [pairs] "r"(pairs), [odd] "r"(odd), [vector] "r"(vector)
      : "$a0:1", "$a2:3", "$a4:5", "memory");
}

// rows[ids[k]] += vector; ids differ; count at most what `rpt` takes.
inline void scatter4(float* rows,                // [inputs, 4]
                     const unsigned short* ids,  // [count]
                     unsigned count,
                     const float* vector) {  // [4]
  unsigned at;
  asm volatile(
      R"(
      ld64          $a0:1, $mzero, %[vector], 0
      ld64          $a2:3, $mzero, %[vector], 1
      .align 8
      {
        rpt         %[count], 5
        fnop
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          fnop
        }
        {
          shl       %[at], %[at], 4
          fnop
        }
        {
          ld64      $a4:5, %[at], %[rows], 0
          fnop
        }
        {
          ld64      $a6:7, %[at], %[rows], 1
          f32v2add  $a4:5, $a4:5, $a0:1
        }
        {
          st64      $a4:5, %[at], %[rows], 0
          f32v2add  $a6:7, $a6:7, $a2:3
        }
        {
          st64      $a6:7, %[at], %[rows], 1
          fnop
        }
      )"
      : [at] "=&r"(at), [ids] "+r"(ids)
      : [rows] "r"(rows), [count] "r"(count), [vector] "r"(vector)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

// dots[k] = dot(rows[ids[k]], vector) for one id and `more` after it, at most what `rpt` takes.
inline void dot2(const float* rows,          // [inputs, 2]
                 const unsigned short* ids,  // [1 + more]
                 unsigned more,
                 const float* vector,  // [2]
                 float* dots) {        // [1 + more]
  unsigned id;
  asm volatile(
      R"(
      ld64          $a0:1, $mzero, %[vector], 0
      ldz16step     %[id], $mzero, %[ids]+=, 1
      ld64          $a2:3, $mzero, %[rows], %[id]
      .align 8
      {
        rpt         %[more], 2
        f32v2mul    $a4:5, $a0:1, $a2:3
      }
        {
          ldz16step %[id], $mzero, %[ids]+=, 1
          f32add    $a6, $a4, $a5
        }
        {
          ld64      $a2:3, $mzero, %[rows], %[id]
          fnop
        }
        {
          st32step  $a6, $mzero, %[dots]+=, 1
          f32v2mul  $a4:5, $a0:1, $a2:3
        }
      f32add        $a6, $a4, $a5
      st32step      $a6, $mzero, %[dots]+=, 1
      )"
      : [id] "=&r"(id), [ids] "+r"(ids), [dots] "+r"(dots)
      : [rows] "r"(rows), [more] "r"(more), [vector] "r"(vector)
      : "$a0:1", "$a2:3", "$a4:5", "$a6", "memory");
}

// dots[k] = dot(rows[ids[k]], vector) for one id and `more` after it, at most what `rpt` takes.
inline void dot4(const float* rows,          // [inputs, 4]
                 const unsigned short* ids,  // [1 + more]
                 unsigned more,
                 const float* vector,  // [4]
                 float* dots) {        // [1 + more]
  unsigned at;
  asm volatile(
      R"(
      ld64          $a0:1, $mzero, %[vector], 0
      ld64          $a2:3, $mzero, %[vector], 1
      ldz16step     %[at], $mzero, %[ids]+=, 1
      shl           %[at], %[at], 4
      ld64          $a4:5, %[at], %[rows], 0
      ld64          $a6:7, %[at], %[rows], 1
      .align 8
      {
        rpt         %[more], 4
        f32v2mul    $a4:5, $a0:1, $a4:5
      }
        {
          ldz16step %[at], $mzero, %[ids]+=, 1
          f32v2mul  $a6:7, $a2:3, $a6:7
        }
        {
          shl       %[at], %[at], 4
          f32v2add  $a6:7, $a4:5, $a6:7
        }
        {
          ld64      $a4:5, %[at], %[rows], 0
          f32add    $a6, $a6, $a7
        }
        {
          st32step  $a6, $mzero, %[dots]+=, 1
          f32v2mul  $a4:5, $a0:1, $a4:5
        }
        {
          ld64      $a6:7, %[at], %[rows], 1
          fnop
        }
      f32v2mul      $a6:7, $a2:3, $a6:7
      f32v2add      $a6:7, $a4:5, $a6:7
      f32add        $a6, $a6, $a7
      st32step      $a6, $mzero, %[dots]+=, 1
      )"
      : [at] "=&r"(at), [ids] "+r"(ids), [dots] "+r"(dots)
      : [rows] "r"(rows), [more] "r"(more), [vector] "r"(vector)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

// The longest stretch of a list that one `rpt` walks; even.
constexpr unsigned kStretch = CSR_W_REPEAT_COUNT__VALUE__MASK & ~1u;

// Calls walk(first entry, entries) for stretches of a list.
template <class Walk>
inline void for_stretches(unsigned count, Walk walk) {
  for (unsigned first = 0; first < count; first += kStretch) {
    const unsigned rest = count - first;
    walk(first, rest < kStretch ? rest : kStretch);
  }
}

// True where the loop in assembly did the work, as for the two functions after it.
inline bool gather(const float* rows, unsigned columns, const unsigned short* ids, unsigned count,
                   float* sum) {
  if (columns != 2 && columns != 4) return false;
  for_stretches(count, [=](unsigned first, unsigned entries) {
    if (columns == 2)
      gather2(rows, ids + first, entries, sum);
    else
      gather4(rows, ids + first, entries, sum);
  });
  return true;
}

inline bool scatter(float* rows, unsigned columns, const unsigned short* ids, unsigned count,
                    const float* vector) {
  if (columns != 2 && columns != 4) return false;
  for_stretches(count, [=](unsigned first, unsigned entries) {
    if (columns == 2)
      scatter2(rows, ids + first, entries / 2, entries % 2, vector);
    else
      scatter4(rows, ids + first, entries, vector);
  });
  return true;
}

inline bool dots(const float* rows, unsigned columns, const unsigned short* ids, unsigned count,
                 const float* vector, float* out) {
  if (columns != 2 && columns != 4) return false;
  for_stretches(count, [=](unsigned first, unsigned entries) {
    if (columns == 2)
      dot2(rows, ids + first, entries - 1, vector, out + first);
    else
      dot4(rows, ids + first, entries - 1, vector, out + first);
  });
  return true;
}

// Lists of 32-bit ids have the portable loops alone.
inline bool gather(const float*, unsigned, const unsigned*, unsigned, float*) { return false; }
inline bool scatter(float*, unsigned, const unsigned*, unsigned, const float*) { return false; }
inline bool dots(const float*, unsigned, const unsigned*, unsigned, const float*, float*) {
  return false;
}

}  // namespace ipu
}  // namespace popsnn
