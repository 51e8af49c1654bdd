// rows[ids[k]] += vector in the IPU's assembly, by width of the rows or of a block of their
// columns.
//
// A register offset counts elements of the access's size, so that for rows of 8 bytes an id is
// the offset of its row; wider rows take a product by their length. rows_ipu.hpp tells how to read
// this text.
#pragma once
#include "assembly_ipu.hpp"
#include "inlined.hpp"
#include "repeats_ipu.hpp"
#include "spike_records.hpp"

namespace popsnn {
namespace ipu {

// rows[ids[k]] += vector for `pairs` times two ids, then for one more where `odd`; ids differ.
POPSNN_INLINED inline void scatter2(float* rows,                // [inputs, 2]
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

// rows[ids[k]] += vector for two columns of wider rows, for `pairs` times two ids, then for one
// more where `odd`; ids differ.
POPSNN_INLINED inline void scatter_pair(float* rows,  // [inputs, stride / 4], at the first column
                                        unsigned stride,            // bytes from row to row
                                        const unsigned short* ids,  // [2 * pairs + odd]
                                        unsigned pairs, unsigned odd,
                                        const float* vector) {  // [2]
  unsigned first, second;
  asm volatile(
      R"(
      ld64          $a0:1, $mzero, %[vector], 0
      .align 8
      {
        rpt         %[pairs], 7
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
          mul       %[first], %[first], %[stride]
          fnop
        }
        {
          mul       %[second], %[second], %[stride]
          fnop
        }
        {
          ld64      $a2:3, %[first], %[rows], 0
          fnop
        }
        {
          ld64      $a4:5, %[second], %[rows], 0
          f32v2add  $a2:3, $a2:3, $a0:1
        }
        {
          st64      $a2:3, %[first], %[rows], 0
          f32v2add  $a4:5, $a4:5, $a0:1
        }
        {
          st64      $a4:5, %[second], %[rows], 0
          fnop
        }
      brz           %[odd], 1f
      ldz16step     %[first], $mzero, %[ids]+=, 1
      mul           %[first], %[first], %[stride]
      ld64          $a2:3, %[first], %[rows], 0
      f32v2add      $a2:3, $a2:3, $a0:1
      st64          $a2:3, %[first], %[rows], 0
      1:
      )"
      : [first] "=&r"(first), [second] "=&r"(second), [ids] "+r"(ids)
      : [rows] "r"(rows), [stride] "r"(stride), [pairs] "r"(pairs), [odd] "r"(odd),
        [vector] "r"(vector)
      : "$a0:1", "$a2:3", "$a4:5", "memory");
}

// rows[ids[k]] += vector; ids differ; count at most what `rpt` takes.
POPSNN_INLINED inline void scatter4(float* rows,      // [inputs, stride / 4], at the first column
                                    unsigned stride,  // bytes from row to row
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
          mul       %[at], %[at], %[stride]
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
      : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [vector] "r"(vector)
      : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

// rows[ids[k]] += vector; ids differ; count at most what `rpt` takes. For rows of 2 * Pairs floats
// in interleaved memory, and the vector in another element.
//
// A bundle loads a pair of the row and of the vector and stores the sum of three pairs before: a
// load and a store that are an odd number of pairs apart do not meet in one of the two elements
// that interleaved memory alternates between. f32v2axpy returns the sum before its own.
template <unsigned Pairs>
POPSNN_INLINED inline void scatter_row(float* rows,                // [inputs, 2 * Pairs]
                                       unsigned stride,            // bytes from row to row
                                       const unsigned short* ids,  // [count]
                                       unsigned count,
                                       const float* vector) {  // [2 * Pairs]
  static_assert(Pairs >= 3, "sums are stored three pairs behind");
  static_assert(Pairs + 6 <= kMostBody, "rpt counts the bundles of its body in 8 bits");
  asm volatile(
      R"(
      or            $a4, $azero, 0x3F800000
      .align 8
      {
        rpt         %[count], %[last]
        uput        $TAS, $a4
      }
        {
          ldz16step $m2, $mzero, %[ids]+=, 1
          fnop
        }
        {
          mul       $m2, $m2, %[stride]
          fnop
        }
        {
          add       $m2, $m2, %[rows]
          fnop
        }
        {
          tapack    $m0:1, $m2, %[vector], $m2
          fnop
        }
        )" POPSNN_ADD_PAIRS
      : [ids] "+r"(ids)
      : [rows] "r"(rows), [stride] "r"(stride), [count] "r"(count), [vector] "r"(vector),
        [middle] "i"(Pairs - 3), [last] "i"(Pairs + 6)
      : "$m0", "$m1", "$m2", "$a0:1", "$a2:3", "$a4:5", "memory");
}

static_assert(kWorkerRanges == 6, "a row of bounds is stepped over by 1 and 6");

// The head of a loop over lists: `list` becomes the bytes before its range, `id` their number.
#define POPSNN_NEXT_LIST                                  \
  "\n      2:"                                            \
  "\n      ld32step      %[list], $mzero, %[bounds]+=, 1" \
  "\n      ld32step      %[id], $mzero, %[bounds]+=, 6"   \
  "\n      sub           %[id], %[id], %[list]"           \
  "\n      shl           %[list], %[list], 1"

// scatter_row for a range of several lists, each with a vector. `ids` and `vectors` step from list
// to list, and `bounds` through rows of kWorkerRanges + 1.
template <unsigned Pairs>
POPSNN_INLINED inline void scatter_lists_row(float* rows,                // [inputs, 2 * Pairs]
                                             const unsigned short* ids,  // [1 + more, padded / 2]
                                             unsigned padded,            // bytes from list to list
                                             const unsigned* bounds,  // [1 + more, 7] begin and end
                                             const float* vectors,    // [1 + more, 2 * Pairs]
                                             unsigned more) {         // lists after the first
  static_assert(Pairs >= 3, "sums are stored three pairs behind");
  static_assert(Pairs + 6 <= kMostBody, "rpt counts the bundles of its body in 8 bits");
  unsigned list, id;
  asm volatile(
      R"(
      or            $a4, $azero, 0x3F800000
      uput          $TAS, $a4
      )" POPSNN_NEXT_LIST R"(
      .align 8
      {
        rpt         %[id], %[last]
        fnop
      }
        {
          ldz16step %[id], %[ids], %[list]+=, 1
          fnop
        }
        {
          mul       %[id], %[id], %[stride]
          fnop
        }
        {
          add       %[id], %[id], %[rows]
          fnop
        }
        {
          tapack    $m0:1, %[id], %[vectors], %[id]
          fnop
        }
        )" POPSNN_ADD_PAIRS R"(
      add           %[ids], %[ids], %[padded]
      add           %[vectors], %[vectors], %[stride]
      brnzdec       %[more], 2b
      )"
      : [list] "=&r"(list), [id] "=&r"(id), [ids] "+r"(ids), [bounds] "+r"(bounds),
        [vectors] "+r"(vectors), [more] "+r"(more)
      : [rows] "r"(rows), [padded] "r"(padded), [stride] "i"(8 * Pairs), [middle] "i"(Pairs - 3),
        [last] "i"(Pairs + 6)
      : "$m0", "$m1", "$a0:1", "$a2:3", "$a4:5", "memory");
}

// scatter_lists_row for rows of 2 columns.
POPSNN_INLINED inline void scatter_lists2(float* rows,                // [inputs, 2]
                                          const unsigned short* ids,  // [1 + more, padded / 2]
                                          unsigned padded,            // bytes from list to list
                                          const unsigned* bounds,     // [1 + more, 7] begin and end
                                          const float* vectors,       // [1 + more, 2]
                                          unsigned more) {            // lists after the first
  unsigned list, id;
  asm volatile(POPSNN_NEXT_LIST R"(
      ld64          $a0:1, $mzero, %[vectors], 0
      .align 8
      {
        rpt         %[id], 3
        fnop
      }
        {
          ldz16step %[id], %[ids], %[list]+=, 1
          fnop
        }
        {
          ld64      $a2:3, $mzero, %[rows], %[id]
          fnop
        }
        {
          nop
          f32v2add  $a2:3, $a2:3, $a0:1
        }
        {
          st64      $a2:3, $mzero, %[rows], %[id]
          fnop
        }
      add           %[ids], %[ids], %[padded]
      add           %[vectors], %[vectors], 8
      brnzdec       %[more], 2b
      )"
               : [list] "=&r"(list), [id] "=&r"(id), [ids] "+r"(ids), [bounds] "+r"(bounds),
                 [vectors] "+r"(vectors), [more] "+r"(more)
               : [rows] "r"(rows), [padded] "r"(padded)
               : "$a0:1", "$a2:3", "memory");
}

// scatter_lists_row for rows of 4 columns.
POPSNN_INLINED inline void scatter_lists4(float* rows,                // [inputs, 4]
                                          const unsigned short* ids,  // [1 + more, padded / 2]
                                          unsigned padded,            // bytes from list to list
                                          const unsigned* bounds,     // [1 + more, 7] begin and end
                                          const float* vectors,       // [1 + more, 4]
                                          unsigned more) {            // lists after the first
  unsigned list, id;
  asm volatile(POPSNN_NEXT_LIST R"(
      ld64          $a0:1, $mzero, %[vectors], 0
      ld64          $a2:3, $mzero, %[vectors], 1
      .align 8
      {
        rpt         %[id], 5
        fnop
      }
        {
          ldz16step %[id], %[ids], %[list]+=, 1
          fnop
        }
        {
          shl       %[id], %[id], 4
          fnop
        }
        {
          ld64      $a4:5, %[id], %[rows], 0
          fnop
        }
        {
          ld64      $a6:7, %[id], %[rows], 1
          f32v2add  $a4:5, $a4:5, $a0:1
        }
        {
          st64      $a4:5, %[id], %[rows], 0
          f32v2add  $a6:7, $a6:7, $a2:3
        }
        {
          st64      $a6:7, %[id], %[rows], 1
          fnop
        }
      add           %[ids], %[ids], %[padded]
      add           %[vectors], %[vectors], 16
      brnzdec       %[more], 2b
      )"
               : [list] "=&r"(list), [id] "=&r"(id), [ids] "+r"(ids), [bounds] "+r"(bounds),
                 [vectors] "+r"(vectors), [more] "+r"(more)
               : [rows] "r"(rows), [padded] "r"(padded)
               : "$a0:1", "$a2:3", "$a4:5", "$a6:7", "memory");
}

#undef POPSNN_NEXT_LIST

}  // namespace ipu
}  // namespace popsnn
