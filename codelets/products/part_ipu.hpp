// The loop of set_spike_grad in the IPU's assembly. common/rows_ipu.hpp tells how to read this
// text; tests/codelets/products/test_part_ipu.py runs it.
#pragma once
#include "common/inlined.hpp"

namespace popsnn {
namespace ipu {

// Steps through every sixth entry of a list to the next one of a part, whose position in the part
// is `at`; where `at` is no less than `size` there is none in the first entry and `more` after it.
POPSNN_INLINED inline void next_of_part(const unsigned short*& entry,  // [1 + 6 * more]
                                        unsigned& more,  // entries after it, on return
                                        unsigned first, unsigned size, unsigned& at) {
  unsigned own;
  asm volatile(
      R"(
      1:
      ldz16step     %[at], $mzero, %[entry]+=, 6
      sub           %[at], %[at], %[first]
      cmpult        %[own], %[at], %[size]
      brnz          %[own], 2f
      brnzdec       %[more], 1b
      2:
      )"
      : [at] "=&r"(at), [own] "=&r"(own), [entry] "+r"(entry), [more] "+r"(more)
      : [first] "r"(first), [size] "r"(size)
      : "memory");
}

}  // namespace ipu
}  // namespace popsnn
