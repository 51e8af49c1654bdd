// Layout of the records about spikes that vertices exchange: counts, windows, drops and masks; and
// the hash that decides which spikes a full list drops.
#pragma once
#include "common/worker_range.hpp"

namespace popsnn {

// A sample's window: which of its active neurons the capacity limit kept. A list has two sections,
// the fired neurons and the subthreshold-active ones; neuron `i` was kept in a section if
// (i - begin) mod size < span of that section.
enum WindowEntry : unsigned { kBegin, kFiredSpan, kSubthresholdSpan, kWindowSize };

// Lengths of a sample's list: [fired, fired and subthreshold-active].
enum CountEntry : unsigned { kFired, kActive, kCountSize };

// Histories have 1 + steps rows; the first one precedes time step 0.
inline unsigned history_row(int step) { return unsigned(step + 1); }
inline bool in_history(int step, unsigned steps) { return step >= -1 && step < int(steps); }

// Neurons of a sample that the capacity limit dropped at one time step: [fired, subthreshold].
enum DropEntry : unsigned { kFiredDropped, kSubthresholdDropped, kDropSize };

// Masks that a tile sends to compaction. With up to 16 neurons a tile, a sample is a field of
// 2 * bits: the fired neurons in the low half, those only above the gradient threshold in the high
// half; a word has the fields of several samples. With more neurons a sample is words of 32 bits,
// first the fired neurons', then the others'.
constexpr unsigned kMaskBits = 32;
constexpr unsigned kPackedBits = 16;  // the most bits that are packed

// Bits of a field's half: the neurons of a tile, rounded up to a power of two.
inline unsigned mask_bits(unsigned neurons) {
  if (neurons > kPackedBits) return kMaskBits;
  unsigned bits = 1;
  while (bits < neurons) bits *= 2;
  return bits;
}

// Words of a row of masks, which has one sample or more.
inline unsigned mask_words(unsigned neurons) {
  return neurons > kPackedBits ? 2 * ((neurons + kMaskBits - 1) / kMaskBits) : 1;
}

// The two masks of a sample's row that is not packed.
enum MaskKind : unsigned { kFiredMask, kSubthresholdMask, kMaskKinds };

// Ranges of the inputs in weight_grad: one for each of a tile's six workers.
constexpr unsigned kWorkerRanges = 6;

inline unsigned range_begin(unsigned total, unsigned range) {
  return quotient<kWorkerRanges>(total * range);
}

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

// The cyclic position from which a sample's active neurons fill the list at one time step: the hash
// as a fraction of the layer. (The IPU has no integer division.)
inline unsigned window_begin(unsigned seed, unsigned layer, unsigned step, unsigned sample,
                             unsigned size) {
  const unsigned hash = mix(mix(mix(mix(seed) ^ layer) ^ step) ^ sample);
  return unsigned(static_cast<unsigned long long>(hash) * size >> 32);
}

// Calls visit(k) for the entries k of a list of `size` that are the worker's.
template <class Visit>
void each_of_worker(unsigned size, unsigned worker, unsigned workers, Visit visit) {
  const unsigned end = worker_begin(size, worker + 1, workers);
  for (unsigned k = worker_begin(size, worker, workers); k < end; ++k) visit(k);
}

}  // namespace popsnn
