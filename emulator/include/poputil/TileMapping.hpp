#ifndef poputil_TileMapping_hpp
#define poputil_TileMapping_hpp

#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>
#include <vector>

namespace poputil {

/// Spreads `t`, in the order of its elements, over all tiles of the graph: each tile gets at least
/// `minElementsPerTile` elements (but the last one that gets any) in multiples of `grainSize`.
std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(const poplar::Graph& graph,
                                                                 std::vector<std::size_t> shape,
                                                                 unsigned minElementsPerTile,
                                                                 unsigned grainSize);
std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(const poplar::Graph& graph,
                                                                 const poplar::Tensor& t);

void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& t, unsigned minElementsPerTile,
                       unsigned grainSize);
void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& t);

}  // namespace poputil

#endif  // poputil_TileMapping_hpp
