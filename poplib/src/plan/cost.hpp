// What a plan costs by the codelets' own estimates: the planner's yardstick.
//
// Modelled, of the busiest tile: compute as the codelets' cycles headers have it, exchange as bytes
// received or sent over the exchange's rate, and a sync for every compute set. The emulator's
// profile of the built graph is the finer model; tests hold the two within a factor.
#pragma once
#include <vector>

#include <poplar/Target.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// Cycles of one time step that the neurons of a layer cost a tile with `neurons` of them.
struct LayerCost {
  double step = 0.0;      // forward: lists in, neurons step
  double grad = 0.0;      // backward: neurons step back
  double sums = 0.0;      // backward: of samples' patterns, for dense weight gradients
  double products = 0.0;  // backward: lists in, weight gradients and shares of the spikes'
  double shares = 0.0;    // of the products, those of the input's spikes
  double update = 0.0;    // gradients zeroed and summed over replicas, parameters updated
};

// Of `plan` the numbers that are the same for all replicas count.
LayerCost layer_cost(const NetworkSpec& network, const Plan& plan, const ReplicaPlan& replica,
                     std::size_t l, std::size_t neurons, const poplar::Target& target);

enum class Direction { Forward, Backward };

// For how many sizes, each half of the next, the exchanges of layers' lists are worth compiling in
// one direction: one more where lists that fit save as much again as the branch costs, so that it
// pays if every other step has such lists. What vertices spend on a list's entries is not counted:
// they look at those that are there at any size.
unsigned worthwhile_sizes(const NetworkSpec& network, const Plan& plan,
                          const poplar::Target& target, Direction direction);

// The layer whose products take longest.
std::size_t slowest_layer(const NetworkSpec& network, const Plan& plan,
                          const poplar::Target& target);

// Cycles of one time step of training, the update's share among them.
double step_cost(const NetworkSpec& network, const Plan& plan, const poplar::Target& target);

}  // namespace popsnn
