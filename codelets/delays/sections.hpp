// Sections of a list of arrivals: as those of a list that fired (common/spike_records.hpp), and,
// where the delays learn, its neighbors: the ids of spikes that arrive a time step earlier or
// later. The gradient of a delay takes the gradients of both (steps_grad.cpp). An id is in one
// section at most.
#pragma once
#include "common/spike_records.hpp"

namespace popsnn {

constexpr unsigned kNeighborMask = kMaskKinds, kLearntKinds = kMaskKinds + 1;

}  // namespace popsnn
