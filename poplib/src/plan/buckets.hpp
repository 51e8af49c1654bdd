// The lists whose exchanges may come in several sizes.
#pragma once
#include <cstddef>
#include <vector>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// A layer's list that is read, and how many steps after it was made.
struct ReadList {
  std::size_t layer;
  unsigned delay;
};

// The lists of layers that a stage reads.
std::vector<ReadList> lists_read(const NetworkSpec& network, const ReplicaPlan& replica,
                                 unsigned stage);

}  // namespace popsnn
