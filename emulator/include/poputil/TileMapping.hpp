#ifndef poputil_TileMapping_hpp
#define poputil_TileMapping_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <utility>
#include <vector>

namespace poputil {

/// Spreads the elements of a tensor, in their order, over all tiles of the graph: each tile gets at
/// least `minElementsPerTile` elements (but the last one that gets any) in multiples of
/// `grainSize`. The first partition goes to tile `offset`, or to that tile counted from the last
/// and the others downwards where the order is not ascending.
std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(
    const poplar::Graph& graph, std::vector<std::size_t> shape, unsigned minElementsPerTile,
    unsigned grainSize, unsigned offset = 0, bool ascendingOrder = true);
std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(
    const poplar::Target& target, std::vector<std::size_t> shape, unsigned minElementsPerTile,
    unsigned grainSize, unsigned offset = 0, bool ascendingOrder = true);
// At least 128 bytes to a tile, in whole vectors.
std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(const poplar::Graph& graph,
                                                                 const poplar::Tensor& t,
                                                                 unsigned offset = 0,
                                                                 bool ascendingOrder = true);
std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(
    const poplar::Target& target, const std::vector<std::size_t> shape, poplar::Type elementType,
    unsigned offset = 0, bool ascendingOrder = true);
/// Also tells the tile after the last one that got any.
std::pair<poplar::Graph::TileToTensorMapping, unsigned> calcLinearTileMappingAndNewOffset(
    const poplar::Graph& graph, const poplar::Tensor& t, unsigned offset = 0);

void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& t, unsigned minElementsPerTile,
                       unsigned grainSize);
void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& t);
void mapTensorLinearlyWithOffset(poplar::Graph& graph, const poplar::Tensor& t,
                                 unsigned minElementsPerTile, unsigned grainSize, unsigned offset,
                                 bool ascendingOrder = true);
void mapTensorLinearlyWithOffset(poplar::Graph& graph, const poplar::Tensor& t, unsigned offset = 0,
                                 bool ascendingOrder = true);

/// Elements on the fullest tile beyond those of an even distribution.
unsigned getTileImbalance(const poplar::Graph::TileToTensorMapping& mapping,
                          unsigned minElementsPerTile = 0, unsigned grainSize = 1);
unsigned getTileImbalance(const poplar::Graph& graph, const poplar::Tensor& t,
                          unsigned minElementsPerTile = 0, unsigned grainSize = 1);

/// Whether elements that differ only in their index into `dimension` lie on different tiles.
bool dimIsSplitOverTiles(const poplar::Graph& graph, const poplar::Tensor& t, unsigned dimension);
bool dimIsSplitOverIPUs(const poplar::Graph& graph, const poplar::Tensor& t, unsigned dimension);

/// A variable like `t` on the same tiles of another IPU.
poplar::Tensor cloneToIpu(
    poplar::Graph& graph, const poplar::Tensor& t, unsigned dstIPU,
    const poplar::DebugContext& debugContext = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
/// Such a variable; a copy of `copySrc` to `copyDst` fills it.
poplar::Tensor createIpuCopy(
    poplar::Graph& graph, const poplar::Tensor& t, unsigned dstIpu, poplar::Tensor& copySrc,
    poplar::Tensor& copyDst, const poplar::DebugContext& debugContext = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES);
/// A variable of `dstGraph` on the tiles that have the numbers there that those of `t` have in
/// `srcGraph`, both graphs being one or virtual graphs of one.
poplar::Tensor cloneToGraph(
    poplar::Graph& srcGraph, poplar::Graph& dstGraph, const poplar::Tensor& t,
    const poplar::DebugContext& debugContext = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
/// A variable as cloneToIpu makes it, and the copy of `t` to it appended to `prog`.
poplar::Tensor copyToIpu(
    poplar::Graph& graph, const poplar::Tensor& t, poplar::program::Sequence& prog, unsigned dstIPU,
    const poplar::DebugContext& debugContext = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);

/// A vector over dimension `dim` of a tensor, distributed over tiles, to broadcast against it.
poplar::Tensor createBroadcastOperand(poplar::Graph& graph, const poplar::Tensor& fullTensor,
                                      const poplar::Type& type, unsigned dim,
                                      bool ditherMapping = false,
                                      const poplar::DebugContext& debugContext = {});

/// The tile that comes `tile`-th in an order that begins at `offset` and may descend; and back.
unsigned transformTileIndex(unsigned tile, unsigned numTiles, unsigned offset, bool ascending);
unsigned invTransformTileIndex(unsigned tile, unsigned numTiles, unsigned offset, bool ascending);

}  // namespace poputil

#endif  // poputil_TileMapping_hpp
