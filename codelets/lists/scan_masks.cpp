// scan_masks: converts the masks of a range of a layer's tiles, for one sample, to a block of ids,
// ascending.
//
// The first of two phases from masks to a list (merge_lists is the second); ranges of tiles are
// scanned in parallel. Bits are found from the highest to the lowest, since the IPU counts leading
// zeros alone: ids of fired neurons fill a block from its back, the others from its front.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

#ifdef __IPU__
#include "scan_ipu.hpp"
#endif

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
    unsigned* const begin = &ids[0];
    unsigned* const end = begin + block_capacity;
    unsigned* fired = end;     // before it ids of fired neurons go on
    unsigned* others = begin;  // at it those of others
    const auto add_fired = [&](unsigned id) { *--fired = id; };
    const auto add_other = [&](unsigned id) { *others++ = id; };
    const unsigned step = neurons_per_tile;
    const unsigned* row = &masks[0] + tiles * words;
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
      return true;
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
    return true;
  }

 private:
  // Calls visit(first + i) for every set bit i, descending.
  template <class Visit>
  static inline void visit_bits(unsigned mask, unsigned first, Visit visit) {
    const unsigned top = first + kMaskBits - 1;
    while (mask != 0) {
      const unsigned zeros = unsigned(__builtin_clz(mask));
      visit(top - zeros);
      mask ^= (1u << (kMaskBits - 1)) >> zeros;
    }
  }
};

}  // namespace popsnn
