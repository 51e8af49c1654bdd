// The loops of scan_masks in the IPU's assembly: the set bits of rows of masks
// from the last to the first, to the ids of two lists. common/rows_ipu.hpp
// tells how to read this text; tests/codelets/lists/test_lists_ipu.py runs it.
#pragma once
#include "common/inlined.hpp"

namespace popsnn {
namespace ipu {

// The set bits of `mask`, not 0, from the highest on, to the ids of fired neurons.
#define POPSNN_LIST_FIRED                               \
  "\n      2:"                                          \
  "\n      clz           %[at], %[mask]"                \
  "\n      sub           %[id], %[top], %[at]"          \
  "\n      st32step      %[id], $mzero, %[fired]+=, -1" \
  "\n      shr           %[at], %[bit], %[at]"          \
  "\n      xor           %[mask], %[mask], %[at]"       \
  "\n      brnz          %[mask], 2b"

// Those of the others, and the end of the loop over rows.
#define POPSNN_LIST_OTHERS                              \
  "\n      4:"                                          \
  "\n      clz           %[at], %[mask]"                \
  "\n      sub           %[id], %[top], %[at]"          \
  "\n      st32step      %[id], $mzero, %[others]+=, 1" \
  "\n      shr           %[at], %[bit], %[at]"          \
  "\n      xor           %[mask], %[mask], %[at]"       \
  "\n      brnz          %[mask], 4b"                   \
  "\n      5:"                                          \
  "\n      sub           %[top], %[top], %[step]"       \
  "\n      brnzdec       %[more], 1b"

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
      )" POPSNN_LIST_FIRED R"(
      3:
      ld32          %[mask], $mzero, %[row], 1
      shr           %[mask], %[mask], 16
      shl           %[mask], %[mask], 16
      brz           %[mask], 5f
      )" POPSNN_LIST_OTHERS
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
      )" POPSNN_LIST_FIRED R"(
      3:
      ld32          %[mask], $mzero, %[row], 2
      brz           %[mask], 5f
      )" POPSNN_LIST_OTHERS
      : [mask] "=&r"(mask), [at] "=&r"(at), [id] "=&r"(id), [row] "+r"(row), [more] "+r"(more),
        [top] "+r"(top), [fired] "+r"(fired), [others] "+r"(others)
      : [step] "r"(step), [bit] "r"(bit)
      : "memory");
}

// Of an id and of `more` after it, those whose delay is 0.
POPSNN_INLINED inline void list_undelayed(const unsigned* from,  // [1 + more]
                                          unsigned more,
                                          const unsigned* delays,  // by id
                                          unsigned*& next) {
  unsigned id, delay;
  asm volatile(
      R"(
      1:
      ld32step      %[id], $mzero, %[from]+=, 1
      ld32          %[delay], $mzero, %[delays], %[id]
      brnz          %[delay], 2f
      st32step      %[id], $mzero, %[next]+=, 1
      2:
      brnzdec       %[more], 1b
      )"
      :
      [id] "=&r"(id), [delay] "=&r"(delay), [from] "+r"(from), [next] "+r"(next), [more] "+r"(more)
      : [delays] "r"(delays)
      : "memory");
}

#undef POPSNN_LIST_FIRED
#undef POPSNN_LIST_OTHERS

}  // namespace ipu
}  // namespace popsnn
