// list_bits: a bit for each of a range of inputs, set where a sample's list has the input.
//
//   bit i of bits[w] = whether input 32 * (first_word + w) + i fired
//
// Workers take ranges of words.
#include <poplar/Vertex.hpp>

#include "common/lower_bound.hpp"
#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class ListBits : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;           // [padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> counts;  // [2]
  Output<Vector<unsigned, ONE_PTR, 4>> bits;   // [words]
  const unsigned padded_capacity;
  const unsigned first_word;
  const unsigned words;

  bool compute(unsigned worker) {
    const unsigned begin = worker_begin(words, worker, numWorkers()),
                   end = worker_begin(words, worker + 1, numWorkers());
    if (begin == end) return true;
    const Id* const list = &ids[0];
    const unsigned fired = counts[kFired];
    unsigned id = (first_word + begin) * kMaskBits;
    unsigned k = lower_bound(list, fired, id);
    for (unsigned w = begin; w < end; ++w) {
      unsigned word = 0;
      id += kMaskBits;  // the first of the next word
      for (; k < fired && list[k] < id; ++k) word |= 1u << list[k] % kMaskBits;
      bits[w] = word;
    }
    return true;
  }
};

template class ListBits<unsigned short>;
template class ListBits<unsigned>;

}  // namespace popsnn
