// Relayout of tensors of a larger graph to the layout of a network's variables.
#pragma once
#include <string>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "build/tensors.hpp"

namespace popsnn {

// Returns tensors in the layout of a network's variables: the source itself where it has that
// layout, otherwise variables that `program` copies it to.
class Relayout {
 public:
  Relayout(poplar::Graph& graph, poplar::program::Sequence& program)
      : graph_(graph), program_(program) {}

  // `source`: [rows, neurons]. Floats become halves where `type` asks.
  TileShards shards(const LayerSpec& layer, const LayerPlan& where, const poplar::Tensor& source,
                    const poplar::Type& type, const std::string& name);

  // Always a copy, for variables that a pass writes.
  TileShards copied_shards(const LayerSpec& layer, const LayerPlan& where,
                           const poplar::Tensor& source, const poplar::Type& type,
                           const std::string& name);

  // `source`: [batch, row...].
  poplar::Tensor by_sample(const ListPlan& where, const poplar::Tensor& source,
                           const std::string& name);

 private:
  // Whether each shard is contiguous and on its tile.
  bool lies(const std::vector<poplar::Tensor>& shards, const std::vector<std::size_t>& tiles) const;

  poplar::Graph& graph_;
  poplar::program::Sequence& program_;
};

}  // namespace popsnn
