// What scan_masks and scan_late_masks have in common.
#pragma once
#include "common/inlined.hpp"
#include "common/spike_records.hpp"

#ifdef __IPU__
#include "scan_ipu.hpp"
#endif

namespace popsnn {

// Calls visit(first + i) for every set bit i, descending.
template <class Visit>
inline void visit_bits(unsigned mask, unsigned first, Visit visit) {
  const unsigned top = first + kMaskBits - 1;
  while (mask != 0) {
    const unsigned zeros = unsigned(__builtin_clz(mask));
    visit(top - zeros);
    mask ^= (1u << (kMaskBits - 1)) >> zeros;
  }
}

// The masks of a range of tiles, for one sample, to a block of ids: bits are found from the highest
// to the lowest, since the IPU counts leading zeros alone. Ids of fired neurons fill a block from
// its back, the others from its front.
POPSNN_INLINED inline void scan_block(const unsigned* masks,  // [tiles, words]
                                      unsigned tiles, unsigned words, unsigned bits, unsigned shift,
                                      unsigned first_neuron, unsigned neurons_per_tile,
                                      unsigned block_capacity,
                                      unsigned* ids,       // [block_capacity]
                                      unsigned* counts) {  // [2]
  unsigned* const begin = ids;
  unsigned* const end = begin + block_capacity;
  unsigned* fired = end;     // before it ids of fired neurons go on
  unsigned* others = begin;  // at it those of others
  const auto add_fired = [&](unsigned id) { *--fired = id; };
  const auto add_other = [&](unsigned id) { *others++ = id; };
  const unsigned step = neurons_per_tile;
  const unsigned* row = masks + tiles * words;
  unsigned id = first_neuron + tiles * step;
  // Most words are empty: loops by the words' layout ask for nothing else.
#ifdef __IPU__
  if (2 * bits == kMaskBits || (bits == kMaskBits && words == kMaskKinds)) {
    unsigned* last = end - 1;
    if (2 * bits == kMaskBits)
      ipu::scan_fields(row - 1, tiles - 1, id - step + kPackedBits - 1, step, last, others);
    else
      ipu::scan_words(row - 1, tiles - 1, id - step + kMaskBits - 1, step, last, others);
    counts[kFiredMask] = unsigned(end - 1 - last);
    counts[kSubthresholdMask] = unsigned(others - begin);
    return;
  }
#endif
  if (bits < kMaskBits) {
    for (unsigned tile = tiles; tile > 0; --tile) {
      id -= step;
      const unsigned field = *--row >> shift & (~0u >> (kMaskBits - 2 * bits));
      if (field == 0) continue;
      visit_bits(field & ((1u << bits) - 1), id, add_fired);
      visit_bits(field >> bits, id, add_other);
    }
  } else {
    const unsigned half = words / kMaskKinds;
    for (unsigned tile = tiles; tile > 0; --tile) {
      id -= step;
      row -= words;
      for (unsigned w = half; w-- > 0;) {
        visit_bits(row[kFiredMask * half + w], id + w * kMaskBits, add_fired);
        visit_bits(row[kSubthresholdMask * half + w], id + w * kMaskBits, add_other);
      }
    }
  }
  counts[kFiredMask] = unsigned(end - fired);
  counts[kSubthresholdMask] = unsigned(others - begin);
}

}  // namespace popsnn
