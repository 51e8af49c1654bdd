// How many neurons of each layer a tile has.
#pragma once
#include <poplar/Target.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// Lays the layers of a stage on the replica's tiles, of which each IPU has `tiles_per_ipu`, such
// that its phases take the least time; of `plan` the numbers that are the same for all replicas
// count.
void spread_layers(const NetworkSpec& network, const Plan& plan, Range stage,
                   std::size_t tiles_per_ipu, const poplar::Target& target, ReplicaPlan& replica);

}  // namespace popsnn
