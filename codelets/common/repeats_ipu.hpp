// Loops of more turns than one `rpt` can count.
#pragma once
#include <poplar/TileConstants.hpp>

#include "inlined.hpp"

namespace popsnn {
namespace ipu {

// The largest even count of `rpt`.
constexpr unsigned kMostRepeats = CSR_W_REPEAT_COUNT__VALUE__MASK & ~1u;

// The most bundles after the first in the body of a `rpt`, by its immediate operand of 8 bits. An
// assembler may cut off higher bits without a word.
constexpr unsigned kMostBody = 255;

// Calls walk(first turn, turns) with at most kMostRepeats turns each.
template <class Walk>
POPSNN_INLINED inline void for_repeats(unsigned count, Walk walk) {
  for (unsigned first = 0; first < count; first += kMostRepeats) {
    const unsigned rest = count - first;
    walk(first, rest < kMostRepeats ? rest : kMostRepeats);
  }
}

}  // namespace ipu
}  // namespace popsnn
