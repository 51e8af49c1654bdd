#ifndef poputil_TileMapping_hpp
#define poputil_TileMapping_hpp

#include <memory>
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

/// A tile for the first element of a tensor, different for most shapes.
std::size_t chooseMappingOffset(std::size_t numTiles, const std::vector<std::size_t>& shape);
std::size_t chooseMappingOffset(std::size_t numTiles, const std::vector<std::size_t>& shape,
                                std::size_t seed);

/// Elements on the fullest tile beyond those of an even distribution.
unsigned getTileImbalance(const poplar::Graph::TileToTensorMapping& mapping,
                          unsigned minElementsPerTile = 0, unsigned grainSize = 1);
unsigned getTileImbalance(const poplar::Graph& graph, const poplar::Tensor& t,
                          unsigned minElementsPerTile = 0, unsigned grainSize = 1);

/// Whether elements that differ only in their index into `dimension` lie on different tiles.
bool dimIsSplitOverTiles(const poplar::Graph& graph, const poplar::Tensor& t, unsigned dimension);
bool dimIsSplitOverIPUs(const poplar::Graph& graph, const poplar::Tensor& t, unsigned dimension);

class TensorUseTrackerState;

/// Collects which tiles use which elements of variables, and maps those elements to such tiles.
class TensorUseTracker {
 public:
  /// What is mapped goes to tiles from `startTile` on, in an order that may descend.
  TensorUseTracker(unsigned numTiles, unsigned startTile = 0, bool ascendingMappingOrder = true);
  TensorUseTracker(const TensorUseTracker& other);
  TensorUseTracker(TensorUseTracker&& other);
  TensorUseTracker& operator=(const TensorUseTracker& other);
  TensorUseTracker& operator=(TensorUseTracker&& other);
  ~TensorUseTracker();

  enum class MappingMethod {
    /// What the tiles of both neighbouring ranges use is mapped with one of the two.
    OptimizeHaloRegions,
    /// Elements go only to tiles that use them, whatever the grain size is.
    ConstrainMappingToUsedTiles,
    None
  };

  void add(const poplar::Graph& graph, unsigned tile, const poplar::Tensor& t);
  void add(TensorUseTracker other);
  /// Leaves one tile for each element: grains of `grainSize` elements stay together, and a tile
  /// that gets any of a range gets `minElementsPerTile` of it. `extendPartialUsage` treats elements
  /// that no tile uses as their neighbours.
  void resolve(const poplar::Graph& graph, unsigned grainSize, unsigned minElementsPerTile,
               bool extendPartialUsage = false, MappingMethod mappingMethod = MappingMethod::None);
  /// Resolves, and maps the variables.
  void mapTensorsByUse(poplar::Graph& graph, unsigned grainSize, unsigned minElementsPerTile,
                       bool extendPartialUsage = false,
                       MappingMethod mappingMethod = MappingMethod::None);
  bool empty() const;

 private:
  std::unique_ptr<TensorUseTrackerState> st;
};

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

/// A clone of `t` in which every element is a variable's own: repeats of elements are mapped to
/// tiles from `offset` on. Also tells the tile after the last one of these.
std::pair<poplar::Tensor, unsigned> cloneAndExpandAliasing(
    poplar::Graph& graph, const poplar::Tensor& t, unsigned offset = 0,
    const poplar::DebugContext& debugContext = {});

/// A vector over dimension `dim` of a tensor, mapped to tiles of the elements that it is broadcast
/// to; dithered, to tiles that most shapes differ in.
poplar::Tensor createBroadcastOperand(poplar::Graph& graph, const poplar::Tensor& fullTensor,
                                      const poplar::Type& type, unsigned dim,
                                      bool ditherMapping = false,
                                      const poplar::DebugContext& debugContext = {});

/// The position of a tile in an order that begins at tile `offset`, and may descend; and back.
unsigned transformTileIndex(unsigned tile, unsigned numTiles, unsigned offset, bool ascending);
unsigned invTransformTileIndex(unsigned tile, unsigned numTiles, unsigned offset, bool ascending);

}  // namespace poputil

#endif  // poputil_TileMapping_hpp
