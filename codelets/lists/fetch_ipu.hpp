// The loops of fetch_list in the IPU's assembly. common/rows_ipu.hpp tells how to read this text;
// tests/codelets/lists/test_lists_ipu.py runs it.
#pragma once
#include "common/inlined.hpp"

namespace popsnn {
namespace ipu {

// Workers that copy words: each takes every fourth pair of them.
constexpr unsigned kPairWriters = 4;

// to = from for every fourth pair of words; at most as many turns as `rpt` takes.
POPSNN_INLINED inline void copy_fourths(const unsigned* from,  // [turns, 4, 2], at its pair
                                        unsigned turns,
                                        unsigned* to) {  // [turns, 4, 2], at its pair
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[turns], 1
        fnop
      }
        {
          ld64step  $a0:1, $mzero, %[from]+=, 4
          fnop
        }
        {
          st64step  $a0:1, $mzero, %[to]+=, 4
          fnop
        }
      )"
      : [from] "+r"(from), [to] "+r"(to)
      : [turns] "r"(turns)
      : "$a0:1", "memory");
}

// before = to, to = from in the same way.
POPSNN_INLINED inline void move_fourths(const unsigned* from,  // [turns, 4, 2], at its pair
                                        unsigned turns,
                                        unsigned* to,        // [turns, 4, 2], at its pair
                                        unsigned* before) {  // [turns, 4, 2], at its pair
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[turns], 3
        fnop
      }
        {
          ld64      $a0:1, $mzero, %[to], 0
          fnop
        }
        {
          st64step  $a0:1, $mzero, %[before]+=, 4
          fnop
        }
        {
          ld64step  $a0:1, $mzero, %[from]+=, 4
          fnop
        }
        {
          st64step  $a0:1, $mzero, %[to]+=, 4
          fnop
        }
      )"
      : [from] "+r"(from), [to] "+r"(to), [before] "+r"(before)
      : [turns] "r"(turns)
      : "$a0:1", "memory");
}

}  // namespace ipu
}  // namespace popsnn
