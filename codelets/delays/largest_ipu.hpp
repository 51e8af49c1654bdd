// The loop of largest_bucket in the IPU's assembly. common/rows_ipu.hpp tells how to read this
// text; tests/codelets/delays/test_take_ipu.py runs it.
#pragma once
#include "common/inlined.hpp"

namespace popsnn {
namespace ipu {

// The bits that any of so many pairs of words has, at most as many pairs as `rpt` takes.
POPSNN_INLINED inline void bits_of_any(const unsigned* from,  // [pairs, 2]
                                       unsigned pairs, unsigned& bits) {
  asm volatile(
      R"(
      mov           $a0:1, $azeros
      .align 8
      {
        rpt         %[pairs], 0
        mov         $a2:3, $azeros
      }
        {
          ld64step  $a0:1, $mzero, %[from]+=, 1
          or64      $a2:3, $a2:3, $a0:1
        }
      or64          $a2:3, $a2:3, $a0:1
      or            $a2, $a2, $a3
      atom          %[bits], $a2
      )"
      : [bits] "=&r"(bits), [from] "+r"(from)
      : [pairs] "r"(pairs)
      : "$a0:1", "$a2:3", "memory");
}

}  // namespace ipu
}  // namespace popsnn
