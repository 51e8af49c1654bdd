// put_spikes: enters the spikes of time step t in the ring of those that arrive at later ones.
//
//   ring[t + delays[id], kind] |= the bit of id  for the entries of a list, by its two sections
//
// The slot of step t - 1, whose spikes have been taken, becomes that of t + slots - 1 first. Each
// worker has a range of the words of bits, and so a range of each section, whose ids ascend.
#include <poplar/Vertex.hpp>

#include "common/lower_bound.hpp"
#include "common/spike_records.hpp"
#include "ring.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class PutSpikes : public MultiVertex {
 public:
  Input<Vector<Id, ONE_PTR, 4>> ids;           // [samples, padded_capacity] of this time step
  Input<Vector<unsigned, ONE_PTR, 4>> counts;  // [samples, 2]
  Input<Vector<unsigned, ONE_PTR, 4>> delays;  // [neurons] in time steps, below slots
  Input<int> step;
  InOut<Vector<unsigned, ONE_PTR, 4>> ring;  // [samples, slots, 2, words]
  const unsigned samples;
  const unsigned padded_capacity;
  const unsigned slots;
  const unsigned words;  // of a bit for each neuron

  bool compute(unsigned worker) {
    const unsigned now = ring_slot(unsigned(*step), slots);
    const unsigned first = words * worker / numWorkers(), end = words * (worker + 1) / numWorkers();
    for (unsigned b = 0; b < samples; ++b) {
      unsigned* const rows = &ring[b * slots * kMaskKinds * words];
      unsigned* const last = rows + later_slot(now, slots - 1, slots) * kMaskKinds * words;
      for (unsigned w = first; w < end; ++w) last[w] = last[words + w] = 0;
      const Id* const list = &ids[b * padded_capacity];
      const unsigned fired = counts[b * kCountSize + kFired];
      put(list, fired, first, end, now, rows);
      put(list + fired, counts[b * kCountSize + kActive] - fired, first, end, now, rows + words);
    }
    return true;
  }

 private:
  void put(const Id* section, unsigned size, unsigned first, unsigned end, unsigned now,
           unsigned* rows) {  // [slots, 2, words] at the section's kind
    const unsigned to = lower_bound(section, size, end * kMaskBits);
    for (unsigned k = lower_bound(section, size, first * kMaskBits); k < to; ++k) {
      const unsigned id = section[k], slot = later_slot(now, delays[id], slots);
      rows[slot * kMaskKinds * words + id / kMaskBits] |= 1u << id % kMaskBits;
    }
  }
};

template class PutSpikes<unsigned short>;
template class PutSpikes<unsigned>;

}  // namespace popsnn
