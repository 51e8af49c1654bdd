// The tiles of lists of spikes, of rows of their gradients, and of spikes that arrive late.
#pragma once
#include <poplar/Target.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// Of a replica whose layers have their tiles. Only those members of `plan` are read that are the
// same for all replicas.
void map_lists(const NetworkSpec& network, const Plan& plan, const poplar::Target& target,
               ReplicaPlan& replica);

}  // namespace popsnn
