// The search of list_ranges in the IPU's assembly. common/rows_ipu.hpp tells how to read this text;
// tests/codelets/lists/test_lists_ipu.py runs it.
#pragma once
#include "common/inlined.hpp"

namespace popsnn {
namespace ipu {

// Adds to `low`, 0 on entry, the number of ids below `id`. A step halves what is left, rounded up:
// as many lead to one id from any list of `size`.
POPSNN_INLINED inline void count_below(const unsigned short* list,  // [size], ascending
                                       unsigned size,               // 1 at least
                                       unsigned steps,              // that halve `size` to 1
                                       unsigned id, unsigned& low) {
  unsigned half, at, value;
  const unsigned short* const before = list - 1;
  asm volatile(
      R"(
      shr           %[half], %[size], 1
      .align 8
      {
        rpt         %[steps], 6
        fnop
      }
        {
          add       %[at], %[low], %[half]
          fnop
        }
        {
          ldz16     %[value], $mzero, %[before], %[at]
          fnop
        }
        {
          sub       %[size], %[size], %[half]
          fnop
        }
        {
          cmpult    %[value], %[value], %[id]
          fnop
        }
        {
          mul       %[value], %[value], %[half]
          fnop
        }
        {
          add       %[low], %[low], %[value]
          fnop
        }
        {
          shr       %[half], %[size], 1
          fnop
        }
      add           %[at], %[low], 1
      ldz16         %[value], $mzero, %[before], %[at]
      cmpult        %[value], %[value], %[id]
      add           %[low], %[low], %[value]
      )"
      : [half] "=&r"(half), [at] "=&r"(at), [value] "=&r"(value), [size] "+r"(size), [low] "+r"(low)
      : [before] "r"(before), [steps] "r"(steps), [id] "r"(id)
      : "memory");
}

}  // namespace ipu
}  // namespace popsnn
