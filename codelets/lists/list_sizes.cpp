// list_sizes: the smallest size of an exchange that holds every list of a step.
//
// What lists carry is compiled for a few sizes, each with a limit for every list. A worker looks at
// every sixth sample of each list; largest_size finds the largest of the workers' answers.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class ListSizes : public MultiVertex {
 public:
  Vector<Input<Vector<unsigned, ONE_PTR, 4>>> lengths;  // [lists][samples] listed, or fired
  Vector<unsigned> limits;                              // [lists, smaller] ascending
  Output<Vector<unsigned, ONE_PTR, 4>> sizes;           // [kShares]
  const unsigned samples;
  const unsigned smaller;  // sizes but the last, which holds any list

  bool compute(unsigned worker) {
    for (unsigned share = worker; share < kShares; share += numWorkers()) {
      unsigned size = 0;
      for (unsigned list = 0; list < lengths.size(); ++list) {
        unsigned longest = 0;
        for (unsigned b = share; b < samples; b += kShares)
          longest = lengths[list][b] > longest ? lengths[list][b] : longest;
        while (size < smaller && longest > limits[list * smaller + size]) ++size;
      }
      sizes[share] = size;
    }
    return true;
  }
};

}  // namespace popsnn
