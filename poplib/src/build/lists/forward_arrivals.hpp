// Forward time step at the lists of spikes that arrive late.
#pragma once
#include <vector>

#include <poplar/Graph.hpp>

#include "build/replica_builder.hpp"

namespace popsnn {

// Adds one replica's vertices to the compute sets of a forward time step.
class ForwardArrivals : public ReplicaBuilder {
 public:
  using ReplicaBuilder::ReplicaBuilder;

  // Enters the stage's lists of the time step before in the bits of those who read them late, while
  // neurons step, and records the lengths of the lists that are complete. `offset`: from the time
  // step that is counted to that of the lists.
  void add_puts(poplar::ComputeSet compute_set, unsigned stage, int offset);

  // Makes the lists of what arrives from time steps before this one, while those that fired are
  // merged.
  void add_takes(poplar::ComputeSet compute_set, unsigned stage);

 protected:
  // The range of samples that a sample of a list is in.
  static std::size_t range_of(const ListPlan& list, std::size_t b) {
    std::size_t i = 0;
    while (list.ranges[i].samples.end <= b) ++i;
    return i;
  }

 private:
  // What is read late of the stage's spikes.
  std::vector<Late> late_of(unsigned stage) const;
  void add_put(poplar::ComputeSet compute_set, const Late& late, int offset);
};

}  // namespace popsnn
