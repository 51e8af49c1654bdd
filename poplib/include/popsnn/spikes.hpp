// Conversion of the spikes of all time steps between dense rows and lists, inside of a larger
// graph.
#pragma once
#include <cstddef>
#include <string>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popsnn {

// Compacted spikes of all time steps, as programs outside of popsnn have them.
struct SpikeIndices {
  poplar::Tensor ids;     // [steps, batch, capacity] INT
  poplar::Tensor counts;  // [steps, batch, 2] INT
};

struct CompactOptions {
  std::size_t capacity = 0;      // of a list
  bool silent = false;           // neurons that did not fire are active too, up to the capacity
  unsigned seed = 0, layer = 0;  // of the hash that decides which neurons are kept
};

struct CompactedSpikes {
  SpikeIndices lists;
  poplar::Tensor values;  // [steps, batch, capacity] FLOAT: 1 where a neuron fired
  poplar::Tensor drops;   // [steps, batch, 2] INT
};

// A variable [steps, batch, row] whose rows are distributed over all tiles, as these functions read
// and write them.
poplar::Tensor add_distributed_rows(poplar::Graph& graph, const poplar::Type& type,
                                    std::size_t steps, std::size_t batch, std::size_t row,
                                    const std::string& name);

// Lists of `dense` [steps, batch, neurons] FLOAT.
CompactedSpikes compact_spikes(poplar::Graph& graph, const poplar::Tensor& dense,
                               const CompactOptions& options, poplar::program::Sequence& program);

// Dense rows [steps, batch, neurons] of active neurons' values; the gradient of compact_spikes.
poplar::Tensor expand_spikes(poplar::Graph& graph, const SpikeIndices& lists,
                             const poplar::Tensor& values, std::size_t neurons,
                             poplar::program::Sequence& program);

// The values [steps, batch, capacity] of active neurons; the gradient of expand_spikes.
poplar::Tensor gather_spikes(poplar::Graph& graph, const SpikeIndices& lists,
                             const poplar::Tensor& dense, poplar::program::Sequence& program);

}  // namespace popsnn
