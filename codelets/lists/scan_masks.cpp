// scan_masks: converts the masks of a range of a layer's tiles, for one sample, to a block of ids,
// ascending.
//
// The first of two phases from masks to a list (merge_lists is the second); ranges of tiles are
// scanned in parallel. Ids of fired neurons fill a block from its front, the others from its back.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class ScanMasks : public Vertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> masks;  // [tiles, words] the rows that have this sample
  Output<Vector<unsigned, ONE_PTR, 4>>
      ids;  // [block_capacity] ids: a 16-bit store would take longer
  Output<Vector<unsigned, ONE_PTR, 4>> counts;  // [2] fired, subthreshold
  const unsigned tiles;
  const unsigned words;
  const unsigned bits;   // of half a field; kMaskBits: not packed
  const unsigned shift;  // of this sample's field
  const unsigned first_neuron;
  const unsigned neurons_per_tile;
  const unsigned block_capacity;

  bool compute() {
    unsigned* const front = &ids[0];
    unsigned* const back = front + block_capacity;
    unsigned fired = 0, subthreshold = 0;
    const auto add_fired = [&](unsigned id) { front[fired++] = id; };
    const auto add_subthreshold = [&](unsigned id) { back[-int(++subthreshold)] = id; };
    const unsigned* row = &masks[0];
    const unsigned step = neurons_per_tile;
    unsigned id = first_neuron;
    // Most words are empty: loops by the words' layout ask for nothing else.
    if (2 * bits == kMaskBits) {  // a word is a field
      for (unsigned tile = tiles; tile > 0; --tile, id += step) {
        const unsigned field = *row++;
        if (field == 0) continue;
        visit_bits(field & ((1u << kPackedBits) - 1), id, add_fired);
        visit_bits(field >> kPackedBits, id, add_subthreshold);
      }
    } else if (bits < kMaskBits) {
      for (unsigned tile = tiles; tile > 0; --tile, id += step) {
        const unsigned field = *row++ >> shift & (~0u >> (kMaskBits - 2 * bits));
        if (field == 0) continue;
        visit_bits(field & ((1u << bits) - 1), id, add_fired);
        visit_bits(field >> bits, id, add_subthreshold);
      }
    } else if (words == kMaskKinds) {
      for (unsigned tile = tiles; tile > 0; --tile, id += step) {
        const unsigned of_fired = row[kFiredMask], others = row[kSubthresholdMask];
        row += kMaskKinds;
        if ((of_fired | others) == 0) continue;
        visit_bits(of_fired, id, add_fired);
        visit_bits(others, id, add_subthreshold);
      }
    } else {
      const unsigned half = words / kMaskKinds;
      for (unsigned tile = tiles; tile > 0; --tile, id += step, row += words)
        for (unsigned w = 0; w < half; ++w) {
          visit_bits(row[kFiredMask * half + w], id + w * kMaskBits, add_fired);
          visit_bits(row[kSubthresholdMask * half + w], id + w * kMaskBits, add_subthreshold);
        }
    }
    counts[kFiredMask] = fired;
    counts[kSubthresholdMask] = subthreshold;
    return true;
  }

 private:
  // Calls visit(first + i) for every set bit i, ascending. The IPU counts leading zeros alone.
  template <class Visit>
  static inline void visit_bits(unsigned mask, unsigned first, Visit visit) {
    const unsigned top = first + kMaskBits - 1;
    while (mask != 0) {
      const unsigned lowest = mask & (0u - mask);
      visit(top - unsigned(__builtin_clz(lowest)));
      mask ^= lowest;
    }
  }
};

}  // namespace popsnn
