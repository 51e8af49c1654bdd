// Modelled cost of a plan, by the codelets' estimates: the objective that the planner minimises.
//
// Of the busiest tile: compute by the codelets' cycles headers, exchange as bytes
// received or sent over the exchange's rate, a sync and a constant for every compute set. The
// emulator's profile of the built graph is the finer model; tests hold the two within a factor.
#pragma once
#include <vector>

#include <poplar/Target.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// Cycles a time step of a layer on a tile with `neurons` of it.
struct LayerCost {
  double step = 0.0;      // forward: lists in, neurons step
  double grad = 0.0;      // backward: neurons step back
  double sums = 0.0;      // backward: sums over patterns of samples, for dense weight gradients
  double products = 0.0;  // backward: lists in, weight gradients and partial sums of the spikes'
  double remote = 0.0;    // partial sums of the input's spikes that other tiles compute
  double update = 0.0;    // gradients zeroed and summed over replicas, parameters updated
};

// Only those members of `plan` are read that are the same for all replicas.
LayerCost layer_cost(const NetworkSpec& network, const Plan& plan, const ReplicaPlan& replica,
                     std::size_t l, std::size_t neurons, const poplar::Target& target);

enum class Direction { Forward, Backward };

// The number of buckets that the exchanges of layers' lists are worth compiling for in one
// direction: one more where lists that fit save twice the cost of the branch, so that it pays if
// every other time step has such lists. The compute on a list's entries is not counted: it is the
// same for any bucket.
unsigned worthwhile_sizes(const NetworkSpec& network, const Plan& plan,
                          const poplar::Target& target, Direction direction);

// The layer whose products take longest.
std::size_t slowest_layer(const NetworkSpec& network, const Plan& plan,
                          const poplar::Target& target);

// Cycles of one time step of training, including its part of the update, with whole lists.
double step_cost(const NetworkSpec& network, const Plan& plan, const poplar::Target& target);

// The same where lists of arrivals are usual ones: those of the smallest bucket, with the branches
// that find it.
double usual_step_cost(const NetworkSpec& network, const Plan& plan, const poplar::Target& target);

}  // namespace popsnn
