// A step back through neurons and the two sparse products: weight gradients, and the shares of the
// spikes' gradients with their sums over tiles.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include <poplar/Graph.hpp>

#include "plan/reductions.hpp"
#include "replica_builder.hpp"
#include "vertex.hpp"

namespace popsnn {

// The shares of dL/ds of the lists that a stage reads, summed over the stage's tiles, by the layer
// that reads and its source: [ranges, batch, slots].
using SlotSums = std::map<std::pair<std::size_t, std::size_t>, poplar::Tensor>;

// Adds one replica's vertices to the compute sets of a step back.
class BackwardNeurons : public ReplicaBuilder {
 public:
  using ReplicaBuilder::ReplicaBuilder;

  // What is zero before the first step back: gradients, and rows dL/ds.
  void collect_gradients(std::vector<poplar::Tensor>& zero) const;

  // Weights go to where shares of gradients are worked out apart from the neurons.
  void collect_copies(Pieces& copies) const;

  // The states before a segment are taken from their checkpoint.
  void add_restore(poplar::ComputeSet compute_set);

  // dL/d(states) and dL/dI of the stage's layers at this step.
  void add_neurons(poplar::ComputeSet compute_set, unsigned stage);

  // dL/d(states) after the last step, which comes in, is added to what its neurons have found.
  void add_final_grad(poplar::ComputeSet compute_set, unsigned stage);

  // What dense weight gradients need of dL/d(current): sums over patterns of samples.
  void add_pattern_sums(poplar::ComputeSet compute_set, unsigned stage);

  // Weight gradients, and each tile's shares of the spikes' gradients.
  void add_products(poplar::ComputeSet compute_set, unsigned stage, unsigned halvings);

  // Sums of these shares; none where no layer of the stage sends a gradient.
  SlotSums add_reduction(poplar::ComputeSet compute_set, unsigned stage, unsigned halvings);

  // The samples' gradients of what layers learn of their neurons become one.
  void add_parameter_sums(poplar::ComputeSet compute_set);

 private:
  void add_readout_step(poplar::ComputeSet compute_set, std::size_t l);
  void add_neuron_step(poplar::ComputeSet compute_set, std::size_t l);
  Rows parameter_grad(std::size_t l, std::size_t tile) const;
  void add_weight_grad(poplar::ComputeSet compute_set, std::size_t l, std::size_t source,
                       std::size_t tile, unsigned halvings);
  void add_tile_products(poplar::ComputeSet compute_set, std::size_t l, std::size_t source,
                         std::size_t tile, unsigned halvings);

  // By stretches of slots and ranges of tiles: [ranges, batch, slots].
  poplar::Tensor reduce(poplar::ComputeSet compute_set, const Reduction& how, unsigned halvings);
};

}  // namespace popsnn
