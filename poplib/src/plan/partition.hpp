// The partition of layers over tiles: the neurons of each layer that a tile has.
#pragma once
#include <poplar/Target.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// Maps the layers of a stage to the replica's tiles, of which each IPU has `tiles_per_ipu`, so
// that its phases take the least time. Only those members of `plan` are read that are the same for
// all replicas. `roomy`: tiles may fill to three quarters, where they would not be fuller than the
// fullest of the numbers that the search begins with.
void partition_layers(const NetworkSpec& network, const Plan& plan, Range stage,
                      std::size_t tiles_per_ipu, const poplar::Target& target, bool roomy,
                      ReplicaPlan& replica);

}  // namespace popsnn
