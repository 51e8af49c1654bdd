// The loops of fetch_list in the IPU's assembly. common/rows_ipu.hpp tells how to read this text;
// tests/codelets/lists/test_lists_ipu.py runs it.
#pragma once
#include "common/inlined.hpp"

namespace popsnn {
namespace ipu {

// to = from; at most as many words as `rpt` takes.
POPSNN_INLINED inline void copy_words(const unsigned* from,  // [words]
                                      unsigned words,
                                      unsigned* to) {  // [words]
  unsigned word;
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[words], 1
        fnop
      }
        {
          ld32step  %[word], $mzero, %[from]+=, 1
          fnop
        }
        {
          st32step  %[word], $mzero, %[to]+=, 1
          fnop
        }
      )"
      : [word] "=&r"(word), [from] "+r"(from), [to] "+r"(to)
      : [words] "r"(words)
      : "memory");
}

// before = to, to = from; at most as many words as `rpt` takes.
POPSNN_INLINED inline void move_words(const unsigned* from,  // [words]
                                      unsigned words,
                                      unsigned* to,        // [words]
                                      unsigned* before) {  // [words]
  unsigned word;
  asm volatile(
      R"(
      .align 8
      {
        rpt         %[words], 3
        fnop
      }
        {
          ld32      %[word], $mzero, %[to], 0
          fnop
        }
        {
          st32step  %[word], $mzero, %[before]+=, 1
          fnop
        }
        {
          ld32step  %[word], $mzero, %[from]+=, 1
          fnop
        }
        {
          st32step  %[word], $mzero, %[to]+=, 1
          fnop
        }
      )"
      : [word] "=&r"(word), [from] "+r"(from), [to] "+r"(to), [before] "+r"(before)
      : [words] "r"(words)
      : "memory");
}

}  // namespace ipu
}  // namespace popsnn
