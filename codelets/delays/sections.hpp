// Sections of a list of arrivals: as those of a list that fired (common/spike_records.hpp), and,
// where the delays learn, its neighbors: the ids of spikes that arrive a time step earlier or
// later. The gradient of a delay takes the gradients of both (steps_grad.cpp). An id is in one
// section at most.
#pragma once
#include "common/spike_records.hpp"

namespace popsnn {

constexpr unsigned kNeighborMask = kMaskKinds, kLearntKinds = kMaskKinds + 1;

// The bit of an id in its word of a history. Ids ascend from the highest bit on, since the IPU
// counts leading zeros alone.
constexpr unsigned history_bit(unsigned id) { return 1u << (kMaskBits - 1) >> id % kMaskBits; }

}  // namespace popsnn
