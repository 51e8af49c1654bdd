// scan_masks: converts the masks of a range of a layer's tiles, for one sample, to a block of ids,
// ascending.
//
// The first of two phases from masks to a list (merge_lists is the second); ranges of tiles are
// scanned in parallel.
#include <poplar/Vertex.hpp>

#include "scan_block.hpp"

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
    scan_block(&masks[0], tiles, words, bits, shift, first_neuron, neurons_per_tile, block_capacity,
               &ids[0], &counts[0]);
    return true;
  }
};

}  // namespace popsnn
