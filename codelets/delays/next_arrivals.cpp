// next_arrivals: makes the list of arrivals of the next backward time step the current one.
//
// take_spikes makes that list while products still read the one before, which no vertex may write
// meanwhile. Workers copy ranges of the words of the ids that are listed, and a word of the records
// each: counts, and where each worker's range of the list begins.
#include <poplar/Vertex.hpp>

#include "common/list_words.hpp"
#include "common/spike_records.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class NextArrivals : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> next_ids;            // [samples, padded_capacity]
  Input<Vector<unsigned, ONE_PTR, 4>> next_records;  // [samples, records], counts first
  InOut<Vector<Id, ONE_PTR, 4>> ids;                 // [samples, padded_capacity]
  Output<Vector<unsigned, ONE_PTR, 4>> records_now;  // [samples, records]
  const unsigned samples;
  const unsigned padded_capacity;
  const unsigned records;  // words of a sample

  bool compute(unsigned worker) {
    for (unsigned b = 0; b < samples; ++b) {
      const unsigned* const record = &next_records[b * records];
      const unsigned words = (record[kActive] + kIdsOfWord<Id> - 1) / kIdsOfWord<Id>;
      const unsigned* const from =
          reinterpret_cast<const unsigned*>(&next_ids[b * padded_capacity]);
      unsigned* const to = reinterpret_cast<unsigned*>(&ids[b * padded_capacity]);
      each_of_worker(words, worker, numWorkers(), [&](unsigned k) { to[k] = from[k]; });
      for (unsigned k = worker; k < records; k += numWorkers())
        records_now[b * records + k] = record[k];
    }
    return true;
  }
};

template class NextArrivals<unsigned short>;
template class NextArrivals<unsigned>;

}  // namespace popsnn
