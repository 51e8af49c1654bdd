// What vertices tell one another of spikes: counts, windows, masks, drops, and where each of them
// stands in its row.
#pragma once

namespace popsnn {

// A sample's record of its last compaction, as lists travel: which neurons kept their place.
// A neuron `i` has its place in a part if (i - begin) mod size < span of that part.
enum WindowEntry : unsigned { kBegin, kFiredSpan, kAboveSpan, kWindowSize };

// A sample's list lengths: [fired, fired and above].
enum CountEntry : unsigned { kFired, kListed, kCountSize };

// Histories hold 1 + steps rows: first what came before step 0.
inline unsigned history_row(int step) { return unsigned(step + 1); }

// What a sample lost at one step: [spikes, gradient entries].
enum DropEntry : unsigned { kFiredLost, kAboveLost, kDropSize };

// How a tile packs the masks that it sends to compaction. Of up to 16 neurons a sample is a field
// of 2 * bits: who fired in the low half, who is only above the gradient's threshold in the high
// half; a word holds the fields of several samples. Of more neurons a sample is words of 32 bits,
// first those of the fired, then the others.
constexpr unsigned kMaskBits = 32;
constexpr unsigned kPackedBits = 16;  // the most bits that are packed

// Bits of a field's half: the neurons of a tile, to a power of two.
inline unsigned mask_bits(unsigned neurons) {
  if (neurons > kPackedBits) return kMaskBits;
  unsigned bits = 1;
  while (bits < neurons) bits *= 2;
  return bits;
}

// Words of a row of masks; a row holds one sample or more.
inline unsigned mask_words(unsigned neurons) {
  return neurons > kPackedBits ? 2 * ((neurons + kMaskBits - 1) / kMaskBits) : 1;
}

// Words of a sample's row of masks that are not packed, by what they tell.
enum MaskPart : unsigned { kFiredMask, kAboveMask, kMaskParts };

// Shares of the inputs that weight_grad deals to its workers: one each for a tile's six.
constexpr unsigned kShares = 6;

inline unsigned share_begin(unsigned total, unsigned share) { return total * share / kShares; }

// True where neuron `id` of `size` lies in the cyclic interval [begin, begin + span).
inline bool in_window(unsigned id, unsigned size, unsigned begin, unsigned span) {
  const unsigned offset = id >= begin ? id - begin : id + size - begin;
  return offset < span;
}

// One round of a 32-bit integer hash with full avalanche ("lowbias32", C. Wellons' search).
inline unsigned mix(unsigned h) {
  h ^= h >> 16;
  h *= 0x7FEB352Du;
  h ^= h >> 15;
  h *= 0x846CA68Bu;
  return h ^ (h >> 16);
}

// The cyclic position from which a sample's neurons are given their places at one step: the hash as
// a fraction of the layer. (The IPU has no integer division.)
inline unsigned window_begin(unsigned seed, unsigned layer, unsigned step, unsigned sample,
                             unsigned size) {
  const unsigned hash = mix(mix(mix(mix(seed) ^ layer) ^ step) ^ sample);
  return unsigned(static_cast<unsigned long long>(hash) * size >> 32);
}

}  // namespace popsnn
