// What a plan costs by the codelets' own estimates: the planner's yardstick.
//
// Modelled, of the busiest tile: compute as the codelets' cycles headers have it, exchange as bytes
// received or sent over the exchange's rate, and a sync for every compute set. The emulator's
// profile of the built graph is the finer model; tests hold the two within a factor.
#pragma once
#include <poplar/Target.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// Cycles of one time step that the neurons of a layer cost a tile with `neurons` of them.
struct LayerCost {
  double step = 0.0;      // forward: lists in, neurons step
  double grad = 0.0;      // backward: neurons step back
  double products = 0.0;  // backward: lists in, weight gradients and shares of the spikes'
};

LayerCost layer_cost(const NetworkSpec& network, const ReplicaPlan& replica, std::size_t l,
                     std::size_t neurons, bool short_ids, const poplar::Target& target);

// In how many ranges a layer's tiles have their partial gradients of a list summed, side by side on
// a tile of `slots` per sample: reduce_partials takes fewer rows then, scatter_spike_grad more.
std::size_t reduction_ranges(std::size_t sharers, std::size_t share, std::size_t slots);

// Cycles of one time step of training, the update's share among them.
double step_cost(const NetworkSpec& network, const Plan& plan, const poplar::Target& target);

}  // namespace popsnn
