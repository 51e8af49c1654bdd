// largest_bucket: the largest of the buckets that count_arrivals has found for lists, which selects
// the case of a Switch.
#include <poplar/Vertex.hpp>

#ifdef __IPU__
#include "largest_ipu.hpp"
#endif

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class LargestBucket : public Vertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> buckets;  // [lists]
  Output<int> largest;
  const unsigned lists;

  bool compute() {
    unsigned most = 0;
#ifdef __IPU__
    ipu::largest_of(&buckets[0], lists, most);
#else
    for (unsigned k = 0; k < lists; ++k) most = buckets[k] > most ? buckets[k] : most;
#endif
    *largest = int(most);
    return true;
  }
};

}  // namespace popsnn
