// Backward time step of neurons and of the two sparse products: weight gradients, and the partial
// sums of the spikes' gradients with their reduction over tiles.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include <poplar/Graph.hpp>

#include "plan/reductions.hpp"
#include "replica_builder.hpp"
#include "vertex.hpp"

namespace popsnn {

// dL/ds of the entries of the lists that a stage reads, summed over ranges of the reading layer's
// tiles, by layer and source: [tile ranges, batch, bucket capacity].
using EntrySums = std::map<std::pair<std::size_t, std::size_t>, poplar::Tensor>;

// Adds one replica's vertices to the compute sets of a backward time step.
class BackwardNeurons : public ReplicaBuilder {
 public:
  using ReplicaBuilder::ReplicaBuilder;

  // Variables to zero before the last time step: gradients, and rows dL/ds.
  void collect_gradients(std::vector<poplar::Tensor>& zero) const;

  // Copies of weights for remote partial sums, and of dL/d(states) after the last time step, which
  // an adjoint takes.
  void collect_copies(Copies& copies) const;

  // Loads the states before a checkpoint interval.
  void add_restore(poplar::ComputeSet compute_set);

  // dL/d(states) and dL/dI of the stage's layers at this time step.
  void add_neurons(poplar::ComputeSet compute_set, unsigned stage);

  // Adds dL/d(states) after the last time step, which is an input, to what a gradient without an
  // adjoint has made of that time step.
  void add_final_grad(poplar::ComputeSet compute_set, unsigned stage);

  // dL/d(product) of the stage's dendritic delays, from dL/d(current) of this step and of later
  // ones; returns whether there are any.
  bool add_delays(poplar::ComputeSet compute_set, unsigned stage);

  // Sums of dL/d(current) over patterns of samples, for dense weight gradients.
  void add_pattern_sums(poplar::ComputeSet compute_set, unsigned stage);

  // Weight gradients, and each tile's partial sums of the spikes' gradients.
  void add_products(poplar::ComputeSet compute_set, unsigned stage, unsigned bucket);

  // Sums of these partial sums; empty where no layer of the stage sends a gradient.
  EntrySums add_reduction(poplar::ComputeSet compute_set, unsigned stage, unsigned bucket);

  // Sums the gradients of neurons' parameters over the samples.
  void add_parameter_sums(poplar::ComputeSet compute_set);

 private:
  void add_readout_step(poplar::ComputeSet compute_set, std::size_t l);
  void add_neuron_step(poplar::ComputeSet compute_set, std::size_t l);
  Rows parameter_grad(std::size_t l, std::size_t tile) const;
  // Where the layer has rows ahead: what a product needs to find dL/d(current) of a later step.
  void add_delay_edges(std::size_t l, std::size_t tile, std::vector<Edge>& edges) const;
  void add_weight_grad(poplar::ComputeSet compute_set, std::size_t l, std::size_t source,
                       std::size_t tile, unsigned bucket);
  // The gradients of weights, spikes and delays of a source whose delays are of each weight.
  void add_synaptic_grad(poplar::ComputeSet compute_set, std::size_t l, std::size_t source,
                         std::size_t tile, unsigned bucket);
  void add_tile_products(poplar::ComputeSet compute_set, std::size_t l, std::size_t source,
                         std::size_t tile, unsigned bucket);

  // A tile's partial sums of a range of the entries, on tile `at`.
  void add_partial(poplar::ComputeSet compute_set, std::size_t l, std::size_t source,
                   std::size_t tile, unsigned bucket, const Range& entries,
                   const TileShards& weights, const poplar::Tensor& partials, std::size_t at);

  // By ranges of entries and of tiles: [tile ranges, batch, bucket capacity].
  poplar::Tensor reduce(poplar::ComputeSet compute_set, const Reduction& how, unsigned bucket);
};

}  // namespace popsnn
