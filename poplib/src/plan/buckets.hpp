// Lists whose exchanges may be compiled for several bucket sizes.
#pragma once
#include <cstddef>
#include <vector>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// A layer's list that is read, as one of its readers has it, and the time steps between its making
// and its reading.
struct ReadList {
  std::size_t layer;  // that fires its spikes
  unsigned delay;
  std::size_t reader, source;
};

// Lists of layers that a stage reads; the input's is not among them.
std::vector<ReadList> lists_read(const NetworkSpec& network, const ReplicaPlan& replica,
                                 unsigned stage);

// Whether a layer reads lists of arrivals.
bool reads_late(const NetworkSpec& network);

// The tile that finds the bucket of a forward time step while lists are made: the first, or, where
// lists are read late, the first one that has none, if there is one.
std::size_t forward_sizes_tile(const NetworkSpec& network, const ReplicaPlan& replica);

// The tile that finds the bucket of a backward time step: where lists are read late the last one,
// which has nothing else to do meanwhile; the first has lists of the input.
std::size_t backward_sizes_tile(const NetworkSpec& network, std::size_t tiles);

}  // namespace popsnn
