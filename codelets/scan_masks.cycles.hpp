// Cycles of scan_masks.
#pragma once
#include "neuron.hpp"
#include "worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Of its worker, with `listed` ids. Prologue: 10 fields, 4 for the masks of a field, counts 2.
// A tile: ld32, shr and twice and, comparison and branch for both halves, the row's and the id's
// step, the branch; of masks that are not packed a word costs the same without shr and and. An id:
// ctz, add, its place 3, the 16-bit store, two to clear the bit, the branch.
constexpr std::uint64_t scan_masks(unsigned tiles, unsigned words, unsigned bits,
                                   std::uint64_t listed, bool short_ids) {
  const std::uint64_t tile = bits < kMaskBits ? 12 : 4 + words / kMaskParts * std::uint64_t{8};
  const std::uint64_t id = kTrailingZeros + 7 + (short_ids ? kStoreShort : 1);
  return kEntry + 16 + tiles * tile + listed * id;
}

}  // namespace cycles
}  // namespace popsnn
