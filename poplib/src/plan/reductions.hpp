// How the shares of the spikes' gradients are summed over a layer's tiles, and where.
#pragma once
#include <cstddef>
#include <vector>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// How the shares of dL/ds that a layer's tiles send of one of its lists are summed: a vertex sums
// some pairs of slots of a sample over a range of the layer's tiles. Vertices are dealt over the
// layer's home by their time: `weight` each, `first` those before, `all` together.
struct Reduction {
  std::size_t layer, source;
  std::size_t pairs = 1;   // of slots, a vertex
  std::size_t ranges = 1;  // of tiles
  Range home;
  std::size_t weight = 0, first = 0, all = 0;

  std::size_t stretches(std::size_t slots) const;  // of a list
  std::size_t tile(std::size_t i) const {
    return home.begin + (first + i * weight) * home.size() / all;
  }
};

// The reductions of a replica's stage, at a size of its exchanges. Ranges are those of whole lists
// at any size: the order of a sum must not depend on how many others have fired.
std::vector<Reduction> reductions(const NetworkSpec& network, const ReplicaPlan& replica,
                                  unsigned stage, unsigned halvings);

}  // namespace popsnn
