// What lies in pieces on the replicas' tiles, seen in the order of the network.
#pragma once
#include <vector>

#include <poplar/Graph.hpp>

#include "tensors.hpp"

namespace popsnn {

// What others see of a tensor that every replica has: the batch in one piece.
template <class OfReplica>
poplar::Tensor whole_batch(const NetworkTensors& tensors, unsigned axis, OfReplica of_replica) {
  std::vector<poplar::Tensor> parts;
  for (const ReplicaTensors& replica : tensors.replicas) parts.push_back(of_replica(replica));
  return poplar::concat(parts, axis);
}

// [batch, steps, row] -> [steps, batch, row]
inline poplar::Tensor time_major(const poplar::Tensor& history) {
  return history.dimShuffle({1, 0, 2});
}

// Of a history that begins before step 0: its first row [batch, row], and the steps' rows.
inline poplar::Tensor first_row(const poplar::Tensor& history) {
  return history.slice(0, 1, 1).squeeze({1});
}
inline poplar::Tensor step_rows(const poplar::Tensor& history) {
  return time_major(history.slice(1, history.dim(1), 1));
}

// Of a replica's pieces whose rows are [rows, batch, states]: [rows, batch, states, neurons].
inline poplar::Tensor state_rows(const TilePieces& pieces, std::size_t rows, std::size_t states) {
  const poplar::Tensor all = pieces.rows_by_neurons();
  return all.reshape({rows, all.dim(0) / rows / states, states, all.dim(1)});
}

// Of states [rows, batch, states, neurons] the membranes after the first `steps` steps: [steps,
// batch, neurons].
inline poplar::Tensor membranes_of(const poplar::Tensor& states, std::size_t membrane,
                                   std::size_t steps) {
  return states.slice(1, 1 + steps).slice(membrane, membrane + 1, 2).squeeze({2});
}

}  // namespace popsnn
