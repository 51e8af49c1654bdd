// Views, in the order of the network, of variables that are sharded over the replicas' tiles.
#pragma once
#include <vector>

#include <poplar/Graph.hpp>

#include "tensors.hpp"

namespace popsnn {

// A tensor that every replica has, for the whole batch.
template <class OfReplica>
poplar::Tensor whole_batch(const NetworkTensors& tensors, unsigned axis, OfReplica of_replica) {
  std::vector<poplar::Tensor> replicas;
  for (const ReplicaTensors& replica : tensors.replicas) replicas.push_back(of_replica(replica));
  return poplar::concat(replicas, axis);
}

// [batch, steps, row] -> [steps, batch, row]
inline poplar::Tensor time_major(const poplar::Tensor& history) {
  return history.dimShuffle({1, 0, 2});
}

// The first row [batch, row] of a history, which precedes time step 0, and the rows of the time
// steps.
inline poplar::Tensor first_row(const poplar::Tensor& history) {
  return history.slice(0, 1, 1).squeeze({1});
}
inline poplar::Tensor step_rows(const poplar::Tensor& history) {
  return time_major(history.slice(1, history.dim(1), 1));
}

// [rows, batch, states, neurons] of a replica's shards whose rows are [rows, batch, states].
inline poplar::Tensor state_rows(const TileShards& shards, std::size_t rows, std::size_t states) {
  const poplar::Tensor all = shards.rows_by_neurons();
  return all.reshape({rows, all.dim(0) / rows / states, states, all.dim(1)});
}

// The membranes [steps, batch, neurons] after the first `steps` time steps, from states [rows,
// batch, states, neurons].
inline poplar::Tensor membranes_of(const poplar::Tensor& states, std::size_t membrane,
                                   std::size_t steps) {
  return states.slice(1, 1 + steps).slice(membrane, membrane + 1, 2).squeeze({2});
}

}  // namespace popsnn
