// Spikes of all steps between dense rows and lists, as parts of a graph that others build.
#pragma once
#include <cstddef>
#include <string>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popsnn {

// Lists of all steps as programs have them.
struct GivenLists {
  poplar::Tensor ids;     // [steps, batch, places] INT
  poplar::Tensor counts;  // [steps, batch, 2] INT
};

struct CompactOptions {
  std::size_t places = 0;        // of a list
  bool silent = false;           // who did not fire is listed too, as far as places are left
  unsigned seed = 0, layer = 0;  // of the hash that decides who keeps a place
};

struct CompactedSpikes {
  GivenLists lists;
  poplar::Tensor values;  // [steps, batch, places] FLOAT: 1 where a neuron fired
  poplar::Tensor drops;   // [steps, batch, 2] INT
};

// A variable [steps, batch, row] whose rows are dealt over all tiles, as these functions read and
// write them.
poplar::Tensor add_dealt_rows(poplar::Graph& graph, const poplar::Type& type, std::size_t steps,
                              std::size_t batch, std::size_t row, const std::string& name);

// Lists of `dense` [steps, batch, neurons] FLOAT.
CompactedSpikes compact_spikes(poplar::Graph& graph, const poplar::Tensor& dense,
                               const CompactOptions& options, poplar::program::Sequence& program);

// Dense rows [steps, batch, neurons] of listed values; the gradient of compact_spikes.
poplar::Tensor expand_spikes(poplar::Graph& graph, const GivenLists& lists,
                             const poplar::Tensor& values, std::size_t neurons,
                             poplar::program::Sequence& program);

// The values [steps, batch, places] of listed neurons; the gradient of expand_spikes.
poplar::Tensor pick_spikes(poplar::Graph& graph, const GivenLists& lists,
                           const poplar::Tensor& dense, poplar::program::Sequence& program);

}  // namespace popsnn
