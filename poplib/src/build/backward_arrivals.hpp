// Backward time step at the lists of spikes that arrive late: fetches for their readers, and
// gradients that go back to the time steps at which the spikes were fired.
#pragma once
#include <poplar/Graph.hpp>

#include "backward_neurons.hpp"
#include "replica_builder.hpp"

namespace popsnn {

// Adds one replica's vertices to the compute sets of a backward time step.
class BackwardArrivals : public ReplicaBuilder {
 public:
  using ReplicaBuilder::ReplicaBuilder;

  // Variables to zero before the last time step.
  void collect_gradients(std::vector<poplar::Tensor>& zero) const;

  // Fetches the lists for the last time step of a checkpoint interval.
  void add_fetches(poplar::ComputeSet compute_set);

  // Fetches the lists for the stage's neurons to recompute time step list_step + offset.
  void add_replay_fetches(poplar::ComputeSet compute_set, unsigned stage, int offset);

  // Fetches the lists that the stage reads in the time step before.
  void add_next_fetches(poplar::ComputeSet compute_set, unsigned stage);

  // Scatters the sums for the lists that the stage's layers read as their source number `source`,
  // and adds to the rows dL/ds of the layers that fired what their spikes of the lists' time step
  // have gathered; returns whether there are any. Two readers of a layer have different sources.
  bool add_scatters(poplar::ComputeSet compute_set, unsigned stage, std::size_t source,
                    const EntrySums& sums);

 private:
  // Time steps between a list of arrivals and its reader.
  int delay_of(const Late& late) const {
    return late.source > 0 ? 1 : int(network_.layers[late.layer].delay);
  }
  void add_scatter(poplar::ComputeSet compute_set, const Late& late, const poplar::Tensor& sums);
};

}  // namespace popsnn
