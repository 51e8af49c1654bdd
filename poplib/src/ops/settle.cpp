#include "settle.hpp"

#include <algorithm>

#include <popops/Cast.hpp>

namespace popsnn {

using poplar::Tensor;
using poplar::program::Copy;

TilePieces Settler::pieces(const LayerSpec& layer, const LayerPlan& where, const Tensor& given,
                           const poplar::Type& type, const std::string& name) {
  TilePieces result;
  std::vector<Tensor> parts;
  std::vector<std::size_t> tiles;
  for (std::size_t tile = 0; tile < where.tiles; ++tile) {
    const Range neurons = where.neurons(tile, layer);
    result.on.push_back(given.slice(neurons.begin, neurons.end, 1));
    parts.push_back(result.on.back().flatten());
    tiles.push_back(where.first_tile + tile);
  }
  if (given.elementType() != type || !lies(parts, tiles))
    return copied_pieces(layer, where, given, type, name);
  result.flat = poplar::concat(parts);
  return result;
}

TilePieces Settler::copied_pieces(const LayerSpec& layer, const LayerPlan& where,
                                  const Tensor& given, const poplar::Type& type,
                                  const std::string& name) {
  const TilePieces result = add_pieces(graph_, layer, where, given.dim(0), type, name);
  if (given.elementType() == type)
    program_.add(Copy(given, result.rows_by_neurons()));
  else
    popops::castWithOutput(graph_, given, result.rows_by_neurons(), program_, name);
  return result;
}

Tensor Settler::by_sample(const ListPlan& where, const Tensor& given, const std::string& name) {
  std::vector<Tensor> parts;
  std::vector<std::size_t> tiles;
  for (const SampleRange& range : where.ranges) {
    parts.push_back(given.slice(range.samples.begin, range.samples.end).flatten());
    tiles.push_back(range.tile);
  }
  if (lies(parts, tiles)) return given;
  std::vector<std::size_t> row = given.shape();
  row.erase(row.begin());
  const Tensor result = add_by_sample(graph_, where, given.dim(0), given.elementType(), row, name);
  program_.add(Copy(given, result));
  return result;
}

bool Settler::lies(const std::vector<Tensor>& parts, const std::vector<std::size_t>& tiles) const {
  if (!std::all_of(parts.begin(), parts.end(),
                   [](const Tensor& part) { return part.isContiguous(); }))
    return false;
  const auto mapping = graph_.getTileMapping(poplar::concat(parts));
  std::size_t begin = 0;
  for (std::size_t i = 0; i < parts.size(); begin += parts[i].numElements(), ++i) {
    const std::size_t end = begin + parts[i].numElements();
    const auto& there = mapping[tiles[i]];
    const bool inside = std::any_of(there.begin(), there.end(), [=](const poplar::Interval& one) {
      return one.begin() <= begin && end <= one.end();
    });
    if (!inside) return false;
  }
  return true;
}

}  // namespace popsnn
