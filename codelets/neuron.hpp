// The choices of a neuron that codelets and graph code share, and what its spike lists tell of it.
#pragma once

namespace popsnn {

enum class Reset : unsigned { Zero, Subtract, None };

enum class Surrogate : unsigned { SuperSpike, Sigmoid, ATan, Triangle, Rectangle };

// A sample's record of its last compaction, as lists travel: which neurons kept their place.
// A neuron `i` has its place in a part if (i - begin) mod size < span of that part.
enum WindowEntry : unsigned { kBegin, kFiredSpan, kAboveSpan, kWindowSize };

// A sample's list lengths: [fired, fired and above].
enum CountEntry : unsigned { kFired, kListed, kCountSize };

// What a sample lost at one step: [spikes, gradient entries].
enum DropEntry : unsigned { kFiredLost, kAboveLost, kDropSize };

// Bit masks that a tile sends to compaction, one word for every 32 of its neurons.
enum MaskEntry : unsigned { kFiredMask, kAboveMask, kMaskSize };

constexpr unsigned kMaskBits = 32;

inline unsigned mask_words(unsigned neurons) { return (neurons + kMaskBits - 1) / kMaskBits; }

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

// The cyclic position from which a sample's neurons are given their places at one step.
inline unsigned window_begin(unsigned seed, unsigned layer, unsigned step, unsigned sample,
                             unsigned size) {
  return mix(mix(mix(mix(seed) ^ layer) ^ step) ^ sample) % size;
}

}  // namespace popsnn
