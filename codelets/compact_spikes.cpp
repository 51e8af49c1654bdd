// compact_spikes: the masks of a layer's tiles become id lists, for a range of samples.
//
// List of a sample: the fired neurons that keep their place, ascending, then those that are only
// above the gradient's threshold, ascending. Where a part does not fit its places, they go in
// cyclic order from a position hashed from (seed, layer, step, sample), so that no neuron is
// favoured; what is left over is counted. Samples are dealt to the workers in turn.
#include <poplar/Vertex.hpp>

#include "neuron.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

template <class Id>
class CompactSpikes : public MultiVertex {
 public:
  Input<Vector<unsigned, ONE_PTR, 4>> masks;  // [tiles, samples, 2, words] of the layer's tiles
  Input<unsigned> seed;
  Input<int> step;
  Output<Vector<Id, ONE_PTR, 4>> ids;                  // [samples, slots] this step's list
  Output<Vector<unsigned, ONE_PTR, 4>> counts;         // [samples, 2]
  Output<Vector<unsigned, ONE_PTR, 4>> window;         // [samples, 3]
  InOut<Vector<Id, ONE_PTR, 4>> ids_history;           // [samples, steps, slots]
  InOut<Vector<unsigned, ONE_PTR, 4>> counts_history;  // [samples, steps, 2]
  InOut<Vector<unsigned, ONE_PTR, 4>> window_history;  // [samples, steps, 3]
  InOut<Vector<unsigned, ONE_PTR, 4>> drop_history;    // [samples, steps, 2]
  const unsigned first_sample;
  const unsigned samples;
  const unsigned steps;
  const unsigned slots;     // row length of ids, >= capacity; even: workers share no word
  const unsigned capacity;  // places a sample
  const unsigned layer;
  const unsigned layer_size;
  const unsigned tiles;             // of the layer
  const unsigned neurons_per_tile;  // the last tile may hold fewer
  const unsigned words;             // mask words a tile and sample

  bool compute(unsigned worker) {
    for (unsigned b = worker; b < samples; b += numWorkers()) compact(b);
    return true;
  }

 private:
  // Calls visit(id) for every set bit of a sample's mask, ascending.
  template <class Visit>
  void each(unsigned sample, unsigned mask, Visit visit) {
    for (unsigned tile = 0; tile < tiles; ++tile) {
      const unsigned* word = &masks[((tile * samples + sample) * kMaskSize + mask) * words];
      for (unsigned w = 0; w < words; ++w)
        for (unsigned bits = word[w]; bits != 0; bits &= bits - 1)
          visit(tile * neurons_per_tile + w * kMaskBits + unsigned(__builtin_ctz(bits)));
    }
  }

  unsigned population(unsigned sample, unsigned mask) {
    unsigned total = 0;
    for (unsigned tile = 0; tile < tiles; ++tile) {
      const unsigned* word = &masks[((tile * samples + sample) * kMaskSize + mask) * words];
      for (unsigned w = 0; w < words; ++w) total += unsigned(__builtin_popcount(word[w]));
    }
    return total;
  }

  // Writes the ids of one part that keep their place, `room` at most; returns how many they are.
  unsigned list_part(unsigned sample, unsigned mask, unsigned room, unsigned begin,
                     Id* list,          // [room]
                     unsigned* span,    // [1] the window's length: layer_size where all keep it
                     unsigned* lost) {  // [1]
    const unsigned total = population(sample, mask);
    unsigned kept = 0;
    if (total <= room) {
      each(sample, mask, [&](unsigned id) { list[kept++] = Id(id); });
      *span = layer_size;
      *lost = 0;
      return kept;
    }
    unsigned before = 0;  // those whose id is below `begin` come last
    each(sample, mask, [&](unsigned id) { before += unsigned(id < begin); });
    *span = 0;
    *lost = total - room;
    unsigned rank = 0;
    each(sample, mask, [&](unsigned id) {
      const unsigned cyclic = rank >= before ? rank - before : rank + total - before;
      ++rank;
      if (cyclic >= room) return;
      list[kept++] = Id(id);
      if (cyclic + 1 == room) *span = (id >= begin ? id - begin : id + layer_size - begin) + 1;
    });
    return kept;
  }

  void compact(unsigned b) {
    const unsigned row = b * steps + unsigned(*step);
    const unsigned begin =
        window_begin(*seed, layer, unsigned(*step), first_sample + b, layer_size);
    Id* list = &ids[b * slots];
    unsigned* count = &counts[b * kCountSize];
    unsigned* place = &window[b * kWindowSize];
    unsigned* lost = &drop_history[row * kDropSize];
    place[kBegin] = begin;
    count[kFired] =
        list_part(b, kFiredMask, capacity, begin, list, place + kFiredSpan, lost + kFiredLost);
    count[kListed] =
        count[kFired] + list_part(b, kAboveMask, capacity - count[kFired], begin,
                                  list + count[kFired], place + kAboveSpan, lost + kAboveLost);
    for (unsigned k = 0; k < count[kListed]; ++k) ids_history[row * slots + k] = list[k];
    for (unsigned k = 0; k < kCountSize; ++k) counts_history[row * kCountSize + k] = count[k];
    for (unsigned k = 0; k < kWindowSize; ++k) window_history[row * kWindowSize + k] = place[k];
  }
};

template class CompactSpikes<unsigned short>;
template class CompactSpikes<unsigned>;

}  // namespace popsnn
