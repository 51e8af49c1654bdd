// Backward time step at the lists of spikes that arrive late: lists for their readers, and
// gradients that wait for the time steps at which the spikes were fired.
#pragma once
#include <vector>

#include <poplar/Graph.hpp>

#include "build/backward_neurons.hpp"
#include "build/replica_builder.hpp"
#include "build/vertex.hpp"

namespace popsnn {

// Adds one replica's vertices to the compute sets of a backward time step.
class BackwardArrivals : public ReplicaBuilder {
 public:
  using ReplicaBuilder::ReplicaBuilder;

  // Variables to zero before the last time step.
  void collect_gradients(std::vector<poplar::Tensor>& zero) const;

  // Likewise, before time steps are computed again: their lists have all ids in one part.
  void collect_counts(std::vector<poplar::Tensor>& zero) const;

  // Makes the lists that the stage's layers read in the next time step, while products read those
  // of this one; then makes them the current ones.
  void add_takes(poplar::ComputeSet compute_set, unsigned stage);
  void add_next(poplar::ComputeSet compute_set, unsigned stage);

  // Finds the slots of this time step's rows in parts, before they are read or written.
  void add_slots(poplar::ComputeSet compute_set);

  // Makes the lists for the stage's neurons to recompute time step list_step + offset.
  void add_replay_takes(poplar::ComputeSet compute_set, unsigned stage, int offset);

  // Gathers what has waited for the spikes that the stage's layers fired in the time step before;
  // of rows in parts brings it there.
  void add_gathers(poplar::ComputeSet compute_set, unsigned stage);

  // Adds the gradients of delays that learn, of the spikes whose own time step's arrivals the
  // stage's layers have read in the step before; and, after all steps, of the spikes of step 0.
  void add_steps_grads(poplar::ComputeSet compute_set, unsigned stage);
  void add_last_steps_grads(poplar::ComputeSet compute_set);

  // Stores the sums for the lists that the stage's layers read as their source number `source`, and
  // scatters what the spikes of the lists' time step have, in the compute set `lists`; in `own`
  // where other vertices of `lists` write the same rows dL/ds. Returns whether there are any in
  // `own`. Rows in parts have all of that in `lists`.
  bool add_scatters(poplar::ComputeSet lists, poplar::ComputeSet own, unsigned stage,
                    std::size_t source, unsigned bucket, const EntrySums& sums);

 private:
  // Vertices that add to the rows dL/ds of layer `l` after the products of a stage.
  unsigned writers(std::size_t l, unsigned stage) const;
  void add_steps_grad(poplar::ComputeSet compute_set, const Late& late, int offset);
  void add_store(poplar::ComputeSet compute_set, const Late& late, unsigned bucket,
                 const poplar::Tensor& sums);
  void add_scatter(poplar::ComputeSet compute_set, const Late& late, unsigned bucket,
                   const poplar::Tensor& sums);
  static Rows sums_of(const Range& samples, const poplar::Tensor& sums);

  // Rows dL/ds that are in parts.
  bool in_parts(const Late& late) const {
    return !where_.lists[NetworkSpec::firing(late.layer, late.source)].row_tiles.empty();
  }
  // Calls visit(sample, part, the parts' tiles, the part's neurons).
  template <typename Visit>
  void each_part(const Late& late, const Visit& visit);
  void add_parts(poplar::ComputeSet compute_set, const Late& late, unsigned bucket,
                 const poplar::Tensor& sums);
  void add_next_rows(poplar::ComputeSet compute_set, const Late& late);
};

}  // namespace popsnn
