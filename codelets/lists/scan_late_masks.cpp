// scan_late_masks: scan_masks for a list that is read late. It also lists the ids of the block that
// arrive without a delay, so that merge_lists knows where those of each block go.
#include <poplar/Vertex.hpp>

#include "common/late_list.hpp"
#include "scan_block.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class ScanLateMasks : public Vertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> masks;  // [tiles, words] the rows that have this sample
  Output<Vector<unsigned, ONE_PTR, 4>>
      ids;  // [block_capacity] ids: a 16-bit store would take longer
  Output<Vector<unsigned, ONE_PTR, 4>> counts;  // [2] fired, subthreshold
  // Of those who read the list late (common/late_list.hpp), two at most.
  Vector<Input<Vector<unsigned, ONE_PTR, 4>>> delays;          // [readers][neurons of the tiles]
  Vector<Output<Vector<unsigned, ONE_PTR, 4>>> undelayed_ids;  // [readers][undelayed_capacity]
  Output<Vector<unsigned, ONE_PTR, 4>> undelayed;              // [kMostReaders] their numbers
  const unsigned tiles;
  const unsigned words;
  const unsigned bits;   // of half a field; kMaskBits: not packed
  const unsigned shift;  // of this sample's field
  const unsigned first_neuron;
  const unsigned neurons_per_tile;
  const unsigned block_capacity;
  const unsigned usual_at_once;  // ids without a delay of a list, for the vertex's estimate

  bool compute() {
    scan_block(&masks[0], tiles, words, bits, shift, first_neuron, neurons_per_tile, block_capacity,
               &ids[0], &counts[0]);
    undelayed[1] = 0;
    for (unsigned reader = 0; reader < delays.size(); ++reader)
      undelayed[reader] =
          list_undelayed(&ids[block_capacity] - counts[kFiredMask], counts[kFiredMask],
                         &delays[reader][0] - first_neuron, &undelayed_ids[reader][0]);
    return true;
  }

 private:
  // The ids without a delay; returns their number.
  POPSNN_INLINED static unsigned list_undelayed(const unsigned* from,  // [count]
                                                unsigned count,
                                                const unsigned* delays_of,  // by id
                                                unsigned* to) {
    unsigned* next = to;
    if (count == 0) return 0;
#ifdef __IPU__
    ipu::list_undelayed(from, count - 1, delays_of, next);
#else
    for (unsigned k = 0; k < count; ++k)
      if (delays_of[from[k]] == 0) *next++ = from[k];
#endif
    return unsigned(next - to);
  }
};

}  // namespace popsnn
