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
  double products = 0.0;  // backward: lists in, weight gradients and shares of the spikes'
  double shares = 0.0;    // of the products, those of the input's spikes
  double update = 0.0;    // gradients zeroed and summed over replicas, parameters updated
};

// Of `plan` the numbers that are the same for all replicas count.
LayerCost layer_cost(const NetworkSpec& network, const Plan& plan, const ReplicaPlan& replica,
                     std::size_t l, std::size_t neurons, const poplar::Target& target);

// How the shares of dL/ds that a layer's tiles send of one of its lists are summed: a vertex sums
// some pairs of slots of a sample over a range of the layer's tiles. Vertices are dealt over the
// layer's home by their time: `weight` each, `first` those before, `all` together.
struct Reduction {
  std::size_t layer, source;
  std::size_t pairs = 1;   // of slots, a vertex
  std::size_t ranges = 1;  // of tiles
  Range home;
  std::size_t weight = 0, first = 0, all = 0;

  std::size_t stretches(std::size_t slots) const;  // of a list
  std::size_t tile(std::size_t i) const {
    return home.begin + (first + i * weight) * home.size() / all;
  }
};

// The reductions of a replica's stage, at a size of its exchanges. Ranges are those of whole lists
// at any size: the order of a sum must not depend on how many others have fired.
std::vector<Reduction> reductions(const NetworkSpec& network, const ReplicaPlan& replica,
                                  unsigned stage, unsigned halvings);

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
