// The loop of largest_bucket in the IPU's assembly. common/rows_ipu.hpp tells how to read this
// text; tests/codelets/delays/test_take_ipu.py runs it.
#pragma once
#include "common/inlined.hpp"

namespace popsnn {
namespace ipu {

// Raises `most` to the largest of so many numbers below 2^31, at most what `rpt` takes.
POPSNN_INLINED inline void largest_of(const unsigned* from,  // [count]
                                      unsigned count, unsigned& most) {
  unsigned value;
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[count], 1
        fnop
      }
        {
          ld32step  %[value], $mzero, %[from]+=, 1
          fnop
        }
        {
          max       %[most], %[most], %[value]
          fnop
        }
      )"
      : [value] "=&r"(value), [most] "+r"(most), [from] "+r"(from)
      : [count] "r"(count)
      : "memory");
}

}  // namespace ipu
}  // namespace popsnn
