// Loops of merge_lists over the counts of mask blocks in the IPU's assembly.
// common/rows_ipu.hpp tells how to read this text;
// tests/codelets/lists/test_lists_ipu.py runs it.
#pragma once
#include "common/inlined.hpp"

namespace popsnn {
namespace ipu {

// Adds the counts of all blocks; at most as many as `rpt` takes.
POPSNN_INLINED inline void sum_counts(const unsigned* counts,  // [blocks, 2]
                                      unsigned blocks, unsigned& fired, unsigned& subthreshold) {
  unsigned first, second;
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[blocks], 3
        fnop
      }
        {
          ld32step  %[first], $mzero, %[counts]+=, 1
          fnop
        }
        {
          ld32step  %[second], $mzero, %[counts]+=, 1
          fnop
        }
        {
          add       %[fired], %[fired], %[first]
          fnop
        }
        {
          add       %[subthreshold], %[subthreshold], %[second]
          fnop
        }
      )"
      : [first] "=&r"(first), [second] "=&r"(second), [counts] "+r"(counts), [fired] "+r"(fired),
        [subthreshold] "+r"(subthreshold)
      : [blocks] "r"(blocks)
      : "memory");
}

// Steps `at` past the block that has the id of this rank, and takes from the
// rank the ids before that block.
POPSNN_INLINED inline void seek_block(const unsigned*& at,  // [blocks, 2] from a section's counts
                                      unsigned& rank) {
  unsigned count, below;
  asm volatile(
      R"(
      1:
      ld32step      %[count], $mzero, %[at]+=, 2
      cmpult        %[below], %[rank], %[count]
      brnz          %[below], 2f
      sub           %[rank], %[rank], %[count]
      bri           1b
      2:
      )"
      : [count] "=&r"(count), [below] "=&r"(below), [at] "+r"(at), [rank] "+r"(rank)
      :
      : "memory");
}

}  // namespace ipu
}  // namespace popsnn
