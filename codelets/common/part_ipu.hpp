// The loops of set_spike_grad and set_arrivals in the IPU's assembly. common/rows_ipu.hpp tells how
// to read this text; tests/codelets/products/test_part_ipu.py runs it.
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

// sum = sum of an entry of one source and `more` after it, at most what `rpt` takes.
POPSNN_INLINED inline void sum_sources(const float* entry,  // [1 + more, stride], at the entry
                                       unsigned stride,     // floats from source to source
                                       unsigned more,
                                       float* sum) {  // [1]
  asm volatile(
      R"(
      {
        ld32step    $a0, $mzero, %[entry]+=, %[stride]
        mov         $a1, $azero
      }
      .align 8
      {
        rpt         %[more], 0
        fnop
      }
        {
          ld32step  $a0, $mzero, %[entry]+=, %[stride]
          f32add    $a1, $a1, $a0
        }
      f32add        $a1, $a1, $a0
      st32step      $a1, $mzero, %[sum]+=, 1
      )"
      : [entry] "+r"(entry), [sum] "+r"(sum)
      : [stride] "r"(stride), [more] "r"(more)
      : "$a0", "$a1", "memory");
}

}  // namespace ipu
}  // namespace popsnn
