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

}  // namespace popsnn
