// largest_bucket: the largest of the buckets that count_arrivals has found for lists, which selects
// the case of a Switch.
//
// A bucket is as many bits, the lowest: the largest has those of all, for which the chip needs no
// comparison.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

#ifdef __IPU__
#include "largest_ipu.hpp"
#endif

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class LargestBucket : public Vertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 8>> buckets;  // [lists]
  Output<int> largest;
  const unsigned lists;

  bool compute() {
    unsigned bits = 0, k = 0;
#ifdef __IPU__
    ipu::bits_of_any(&buckets[0], lists / 2, bits);
    k = lists / 2 * 2;
#endif
    for (; k < lists; ++k) bits |= buckets[k];
    *largest = bits == 0 ? 0 : int(kMaskBits) - __builtin_clz(bits);
    return true;
  }
};

}  // namespace popsnn
