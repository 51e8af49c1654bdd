// Loops of merge_lists over the counts and the ids of mask blocks in the IPU's assembly.
// common/rows_ipu.hpp tells how to read this text;
// tests/codelets/lists/test_lists_ipu.py runs it.
#pragma once
#include "common/inlined.hpp"
#include "common/repeats_ipu.hpp"

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

// Adds the first number of each pair; at most as many as `rpt` takes.
POPSNN_INLINED inline void sum_numbers(const unsigned* numbers,  // [count, 2] from the first one on
                                       unsigned count, unsigned& sum) {
  unsigned number;
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[count], 1
        fnop
      }
        {
          ld32step  %[number], $mzero, %[numbers]+=, 2
          fnop
        }
        {
          add       %[sum], %[sum], %[number]
          fnop
        }
      )"
      : [number] "=&r"(number), [numbers] "+r"(numbers), [sum] "+r"(sum)
      : [count] "r"(count)
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

// Two ids of 16 bits to each of the words of two rows, one word and `more` after it, at most what
// `rpt` takes. The pointers go on.
POPSNN_INLINED inline void pack_words(const unsigned*& from,  // [2 * (1 + more), next] at the first
                                      int next,               // words from id to id
                                      unsigned more,
                                      unsigned*& list,     // [1 + more]
                                      unsigned*& saved) {  // [1 + more]
  asm volatile(
      R"(
      ld32step      $a0, $mzero, %[from]+=, %[next]
      ld32step      $a1, $mzero, %[from]+=, %[next]
      .align 8
      {
        rpt         %[more], 3
        fnop
      }
        {
          ld32step  $a0, $mzero, %[from]+=, %[next]
          sort4x16lo $a2, $a0, $a1
        }
        {
          ld32step  $a1, $mzero, %[from]+=, %[next]
          fnop
        }
        {
          st32step  $a2, $mzero, %[list]+=, 1
          fnop
        }
        {
          st32step  $a2, $mzero, %[saved]+=, 1
          fnop
        }
      sort4x16lo    $a2, $a0, $a1
      st32step      $a2, $mzero, %[list]+=, 1
      st32step      $a2, $mzero, %[saved]+=, 1
      )"
      : [from] "+r"(from), [list] "+r"(list), [saved] "+r"(saved)
      : [next] "r"(next), [more] "r"(more)
      : "$a0", "$a1", "$a2", "memory");
}

}  // namespace ipu
}  // namespace popsnn
