// The loops of scan_masks in the IPU's assembly: the set bits of rows of masks
// from the last to the first, to the ids of two lists. common/rows_ipu.hpp
// tells how to read this text; tests/codelets/lists/test_lists_ipu.py runs it.
#pragma once
#include "common/inlined.hpp"

namespace popsnn {
namespace ipu {

// Rows of a word: the fired neurons in its low half, the others in its high
// half.
POPSNN_INLINED inline void scan_fields(const unsigned* row,  // [1 + more, 1] at the last
                                       unsigned more,        // rows before the last
                                       unsigned top,      // id of a half's highest bit in that row
                                       unsigned step,     // neurons from row to row
                                       unsigned*& fired,  // ids before it, at the last on entry
                                       unsigned*& others) {  // ids after it, at the first on entry
  unsigned mask, at, id;
  const unsigned bit = 1u << 31;
  asm volatile(
      R"(
      1:
      ld32step      %[mask], $mzero, %[row]+=, -1
      brz           %[mask], 5f
      shl           %[mask], %[mask], 16
      brz           %[mask], 3f
      2:
      clz           %[at], %[mask]
      sub           %[id], %[top], %[at]
      st32step      %[id], $mzero, %[fired]+=, -1
      shr           %[at], %[bit], %[at]
      xor           %[mask], %[mask], %[at]
      brnz          %[mask], 2b
      3:
      ld32          %[mask], $mzero, %[row], 1
      shr           %[mask], %[mask], 16
      shl           %[mask], %[mask], 16
      brz           %[mask], 5f
      4:
      clz           %[at], %[mask]
      sub           %[id], %[top], %[at]
      st32step      %[id], $mzero, %[others]+=, 1
      shr           %[at], %[bit], %[at]
      xor           %[mask], %[mask], %[at]
      brnz          %[mask], 4b
      5:
      sub           %[top], %[top], %[step]
      brnzdec       %[more], 1b
      )"
      : [mask] "=&r"(mask), [at] "=&r"(at), [id] "=&r"(id), [row] "+r"(row), [more] "+r"(more),
        [top] "+r"(top), [fired] "+r"(fired), [others] "+r"(others)
      : [step] "r"(step), [bit] "r"(bit)
      : "memory");
}

// Rows of two words: the fired neurons, the others.
POPSNN_INLINED inline void scan_words(const unsigned* row,  // [1 + more, 2] at the last word
                                      unsigned more,        // rows before the last
                                      unsigned top,         // id of a word's highest bit there
                                      unsigned step,        // neurons from row to row
                                      unsigned*& fired,     // ids before it, at the last on entry
                                      unsigned*& others) {  // ids after it, at the first on entry
  unsigned mask, at, id;
  const unsigned bit = 1u << 31;
  asm volatile(
      R"(
      1:
      ld32step      %[at], $mzero, %[row]+=, -1
      ld32step      %[mask], $mzero, %[row]+=, -1
      or            %[at], %[at], %[mask]
      brz           %[at], 5f
      brz           %[mask], 3f
      2:
      clz           %[at], %[mask]
      sub           %[id], %[top], %[at]
      st32step      %[id], $mzero, %[fired]+=, -1
      shr           %[at], %[bit], %[at]
      xor           %[mask], %[mask], %[at]
      brnz          %[mask], 2b
      3:
      ld32          %[mask], $mzero, %[row], 2
      brz           %[mask], 5f
      4:
      clz           %[at], %[mask]
      sub           %[id], %[top], %[at]
      st32step      %[id], $mzero, %[others]+=, 1
      shr           %[at], %[bit], %[at]
      xor           %[mask], %[mask], %[at]
      brnz          %[mask], 4b
      5:
      sub           %[top], %[top], %[step]
      brnzdec       %[more], 1b
      )"
      : [mask] "=&r"(mask), [at] "=&r"(at), [id] "=&r"(id), [row] "+r"(row), [more] "+r"(more),
        [top] "+r"(top), [fired] "+r"(fired), [others] "+r"(others)
      : [step] "r"(step), [bit] "r"(bit)
      : "memory");
}

}  // namespace ipu
}  // namespace popsnn
