#ifndef gcl_TileAllocation_hpp
#define gcl_TileAllocation_hpp

#include <poplar/Graph.hpp>
#include <vector>

namespace gcl {

/// The least number of tiles of an IPU that collective operations need for themselves.
unsigned getMinIoTiles(const poplar::Graph& graph);

/// `count` tiles of each IPU, from the `offset`-th on, for Graph::createVirtualGraph. All tiles are
/// alike here: they are in order, whether `sorted` or not, and `tilePairs` wants whole pairs.
std::vector<unsigned> perIPUTiles(const poplar::Graph& graph, unsigned offset, unsigned count,
                                  bool sorted = true, bool tilePairs = true);

}  // namespace gcl

#endif  // gcl_TileAllocation_hpp
