// Reduction of the partial sums of spikes' gradients over a layer's tiles.
#pragma once
#include <cstddef>
#include <vector>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// The reduction of a layer's partial sums of dL/ds for one of its lists. A vertex sums some pairs
// of a sample's entries over a range of the layer's tiles. Vertices are distributed over the
// layer's home by their time: `weight` each, `first` of the vertices before them, `total` of all.
struct Reduction {
  std::size_t layer, source;
  std::size_t pairs = 1;        // of entries, a vertex
  std::size_t tile_ranges = 1;  // over which partial sums are summed in parallel
  Range home;
  std::vector<std::size_t> tiles;  // of the home, that fetch no list meanwhile
  std::size_t weight = 0, first = 0, total = 0;

  std::size_t entry_ranges(std::size_t entries) const;  // of a list
  std::size_t tile(std::size_t i) const {
    return tiles[(first + i * weight) * tiles.size() / total];
  }
};

// The reductions of a replica's stage, for a bucket of its exchanges. Tile ranges are those of
// whole lists for every bucket: the order of a sum must not depend on how many other neurons have
// fired.
std::vector<Reduction> reductions(const NetworkSpec& network, const ReplicaPlan& replica,
                                  unsigned stage, unsigned bucket);

}  // namespace popsnn
