// A loop in the IPU's assembly that copies rows of pairs of floats, which begin on 8 bytes.
#pragma once
#include "inlined.hpp"

namespace popsnn {
namespace ipu {

// to[0:2 * pairs] = from; pairs at most what `rpt` takes.
POPSNN_INLINED inline void copy_pairs(const float* from,  // [2 * pairs]
                                      unsigned pairs,
                                      float* to) {  // [2 * pairs]
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[pairs], 1
        fnop
      }
        {
          ld64step  $a0:1, $mzero, %[from]+=, 1
          fnop
        }
        {
          st64step  $a0:1, $mzero, %[to]+=, 1
          fnop
        }
      )"
      : [from] "+r"(from), [to] "+r"(to)
      : [pairs] "r"(pairs)
      : "$a0:1", "memory");
}

}  // namespace ipu
}  // namespace popsnn
