// Cycles of scan_masks.
#pragma once
#include "common/neuron.hpp"
#include "common/worker.cycles.hpp"

namespace popsnn {
namespace cycles {

// Of its worker, with `listed` ids. Prologue: 10 fields, 4 for the masks of a field, counts 2.
// A tile: ld32, shr, and, the row's and the id's step, two branches; a field that is not empty,
// which `listed` are at most: and, shr, the loops' two entries and their end. Of masks that are not
// packed a word costs two loads, the id, two loops' entries and two branches. An id: neg, and, clz,
// sub, xor, st32step, its count, the branch.
constexpr std::uint64_t scan_masks(unsigned tiles, unsigned words, unsigned bits,
                                   std::uint64_t listed) {
  const std::uint64_t full = listed < tiles ? listed : tiles;
  const std::uint64_t rows = bits < kMaskBits ? tiles * std::uint64_t{7} + full * 5
                                              : tiles * (4 + words / kMaskParts * std::uint64_t{8});
  return kEntry + 16 + rows + listed * 8;
}

}  // namespace cycles
}  // namespace popsnn
