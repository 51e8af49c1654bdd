#include "relayout.hpp"

#include <algorithm>

#include <popops/Cast.hpp>

namespace popsnn {

using poplar::Tensor;
using poplar::program::Copy;

TileShards Relayout::shards(const LayerSpec& layer, const LayerPlan& where, const Tensor& source,
                            const poplar::Type& type, const std::string& name) {
  TileShards result;
  std::vector<Tensor> shards;
  std::vector<std::size_t> tiles;
  for (std::size_t tile = 0; tile < where.tiles; ++tile) {
    const Range neurons = where.neurons(tile, layer);
    result.on.push_back(source.slice(neurons.begin, neurons.end, 1));
    shards.push_back(result.on.back().flatten());
    tiles.push_back(where.first_tile + tile);
  }
  if (source.elementType() != type || !lies(shards, tiles))
    return copied_shards(layer, where, source, type, name);
  result.flat = poplar::concat(shards);
  return result;
}

TileShards Relayout::copied_shards(const LayerSpec& layer, const LayerPlan& where,
                                   const Tensor& source, const poplar::Type& type,
                                   const std::string& name) {
  const TileShards result = add_shards(graph_, layer, where, source.dim(0), type, name);
  if (source.elementType() == type)
    program_.add(Copy(source, result.rows_by_neurons()));
  else
    popops::castWithOutput(graph_, source, result.rows_by_neurons(), program_, name);
  return result;
}

Tensor Relayout::by_sample(const ListPlan& where, const Tensor& source, const std::string& name) {
  std::vector<Tensor> shards;
  std::vector<std::size_t> tiles;
  for (const SampleRange& range : where.ranges) {
    shards.push_back(source.slice(range.samples.begin, range.samples.end).flatten());
    tiles.push_back(range.tile);
  }
  if (lies(shards, tiles)) return source;
  std::vector<std::size_t> row = source.shape();
  row.erase(row.begin());
  const Tensor result =
      add_by_sample(graph_, where, source.dim(0), source.elementType(), row, name);
  program_.add(Copy(source, result));
  return result;
}

bool Relayout::lies(const std::vector<Tensor>& shards,
                    const std::vector<std::size_t>& tiles) const {
  if (!std::all_of(shards.begin(), shards.end(),
                   [](const Tensor& shard) { return shard.isContiguous(); }))
    return false;
  const auto mapping = graph_.getTileMapping(poplar::concat(shards));
  std::size_t begin = 0;
  for (std::size_t i = 0; i < shards.size(); begin += shards[i].numElements(), ++i) {
    const std::size_t end = begin + shards[i].numElements();
    const auto& there = mapping[tiles[i]];
    const bool inside =
        std::any_of(there.begin(), there.end(), [=](const poplar::Interval& interval) {
          return interval.begin() <= begin && end <= interval.end();
        });
    if (!inside) return false;
  }
  return true;
}

}  // namespace popsnn
