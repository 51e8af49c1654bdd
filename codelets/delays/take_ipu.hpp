// The loops of take_spikes in the IPU's assembly. common/rows_ipu.hpp tells how to read this text;
// tests/codelets/delays/test_take_ipu.py runs it.
#pragma once
#include "common/inlined.hpp"

namespace popsnn {
namespace ipu {

// Adds so many numbers to `sum`, at most what `rpt` takes.
POPSNN_INLINED inline void sum_sizes(const unsigned* from,  // [count]
                                     unsigned count, unsigned& sum) {
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
          add       %[sum], %[sum], %[value]
          fnop
        }
      )"
      : [value] "=&r"(value), [sum] "+r"(sum), [from] "+r"(from)
      : [count] "r"(count)
      : "memory");
}

// Steps past the next word that is not 0, of one and `more` after it; `mask` is 0 without any.
POPSNN_INLINED inline void next_word(const unsigned*& next,  // [1 + more]
                                     unsigned more, unsigned& mask) {
  asm volatile(
      R"(
      1:
      ld32step      %[mask], $mzero, %[next]+=, 1
      brnz          %[mask], 2f
      brnzdec       %[more], 1b
      2:
      )"
      : [mask] "=&r"(mask), [next] "+r"(next), [more] "+r"(more)
      :
      : "memory");
}

// The first bit of `mask`, not 0, from the highest on: its id, and the word without it.
#define POPSNN_TAKE_FIRST                         \
  "\n      1:"                                    \
  "\n      clz           %[at], %[mask]"          \
  "\n      add           %[low], %[base], %[at]"  \
  "\n      shr           %[at], %[bit], %[at]"    \
  "\n      xor           %[mask], %[mask], %[at]" \
  "\n      brz           %[mask], 4f"

// The second id of a word of the list, which is stored with it.
#define POPSNN_TAKE_SECOND                            \
  "\n      2:"                                        \
  "\n      clz           %[at], %[mask]"              \
  "\n      add           %[id], %[base], %[at]"       \
  "\n      shr           %[at], %[bit], %[at]"        \
  "\n      xor           %[mask], %[mask], %[at]"     \
  "\n      shl           %[id], %[id], 16"            \
  "\n      or            %[id], %[id], %[low]"        \
  "\n      st32step      %[id], $mzero, %[list]+=, 1" \
  "\n      brnz          %[mask], 1b"

// The ids of the bits of a word and of `more` after it to words of two ids. On return `id` is 1
// where `low` has a last one alone, else 0.
POPSNN_INLINED inline void take_words(const unsigned*& next,  // [more]
                                      unsigned more, unsigned mask,
                                      unsigned base,  // id of the word's highest bit
                                      unsigned*& list, unsigned& low, unsigned& id) {
  unsigned at;
  const unsigned bit = 1u << 31;
  asm volatile(
      R"(
      brz           %[mask], 3f
      )" POPSNN_TAKE_FIRST POPSNN_TAKE_SECOND R"(
      3:
      brnzdec       %[more], 5f
      mov           %[id], $mzero
      bri           7f
      5:
      ld32step      %[mask], $mzero, %[next]+=, 1
      add           %[base], %[base], 32
      brnz          %[mask], 1b
      bri           3b
      4:
      brnzdec       %[more], 6f
      add           %[id], $mzero, 1
      bri           7f
      6:
      ld32step      %[mask], $mzero, %[next]+=, 1
      add           %[base], %[base], 32
      brnz          %[mask], 2b
      bri           4b
      7:
      )"
      : [at] "=&r"(at), [id] "=&r"(id), [low] "=&r"(low), [next] "+r"(next), [more] "+r"(more),
        [mask] "+r"(mask), [base] "+r"(base), [list] "+r"(list)
      : [bit] "r"(bit)
      : "memory");
}

#undef POPSNN_TAKE_FIRST
#undef POPSNN_TAKE_SECOND

}  // namespace ipu
}  // namespace popsnn
