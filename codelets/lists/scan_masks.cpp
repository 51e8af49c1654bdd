// scan_masks: a stretch of a layer's tiles, one sample: the ids in their masks, ascending.
//
// The first of two steps from masks to a list (merge_lists is the second): stretches are scanned
// side by side. Ids of the fired fill a segment from its front, the others from its back.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class ScanMasks : public Vertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> masks;     // [tiles, words] each tile's row with this sample
  Output<Vector<unsigned, ONE_PTR, 4>> segment;  // [slots] ids: a 16-bit store would take longer
  Output<Vector<unsigned, ONE_PTR, 4>> counts;   // [2] fired, and only above
  const unsigned tiles;
  const unsigned words;
  const unsigned bits;   // of half a field; kMaskBits: masks are not packed
  const unsigned shift;  // of this sample's field
  const unsigned first_neuron;
  const unsigned neurons_per_tile;
  const unsigned slots;

  bool compute() {
    unsigned* const front = &segment[0];
    unsigned* const back = front + slots;
    unsigned fired = 0, above = 0;
    const auto keep_fired = [&](unsigned id) { front[fired++] = id; };
    const auto keep_above = [&](unsigned id) { back[-int(++above)] = id; };
    unsigned id = first_neuron;
    for (unsigned tile = 0; tile < tiles; ++tile, id += neurons_per_tile) {
      const unsigned* row = &masks[tile * words];
      if (bits < kMaskBits) {
        const unsigned field = row[0] >> shift & (~0u >> (kMaskBits - 2 * bits));
        if (field == 0) continue;  // most are
        each(field & ((1u << bits) - 1), id, keep_fired);
        each(field >> bits, id, keep_above);
      } else {
        const unsigned half = words / kMaskParts;
        for (unsigned w = 0; w < half; ++w) {
          each(row[kFiredMask * half + w], id + w * kMaskBits, keep_fired);
          each(row[kAboveMask * half + w], id + w * kMaskBits, keep_above);
        }
      }
    }
    counts[kFiredMask] = fired;
    counts[kAboveMask] = above;
    return true;
  }

 private:
  // Calls visit(first + i) for every set bit i, ascending. The IPU counts leading zeros alone.
  template <class Visit>
  static inline void each(unsigned mask, unsigned first, Visit visit) {
    const unsigned top = first + kMaskBits - 1;
    while (mask != 0) {
      const unsigned lowest = mask & (0u - mask);
      visit(top - unsigned(__builtin_clz(lowest)));
      mask ^= lowest;
    }
  }
};

}  // namespace popsnn
