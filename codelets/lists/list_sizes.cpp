// list_sizes: the smallest bucket size of an exchange that holds every list of a time step.
//
// Exchanges of lists are compiled for a few bucket sizes, each of which limits the length of every
// list; sizes are numbered from the smallest. A worker reads every sixth sample of each list, and
// largest_size takes the maximum of the workers' results.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class ListSizes : public MultiVertex {
 public:
  Vector<Input<Vector<unsigned, ONE_PTR, 4>>> lengths;  // [lists][samples] active, or fired
  Vector<unsigned> limits;                              // [lists, smaller] ascending
  Output<Vector<unsigned, ONE_PTR, 4>> sizes;           // [kWorkerRanges]
  const unsigned samples;
  const unsigned smaller;  // bucket sizes but the largest, which holds any list

  bool compute(unsigned worker) {
    for (unsigned range = worker; range < kWorkerRanges; range += numWorkers()) {
      unsigned size = 0;
      for (unsigned list = 0; list < lengths.size(); ++list) {
        unsigned longest = 0;
        for (unsigned b = range; b < samples; b += kWorkerRanges)
          longest = lengths[list][b] > longest ? lengths[list][b] : longest;
        while (size < smaller && longest > limits[list * smaller + size]) ++size;
      }
      sizes[range] = size;
    }
    return true;
  }
};

}  // namespace popsnn
