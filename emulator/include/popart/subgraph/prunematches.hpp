#ifndef popart_subgraph_prunematches_hpp
#define popart_subgraph_prunematches_hpp

#include <algorithm>
#include <cstdint>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/subgraph/match.hpp>
#include <popart/subgraph/subgraphnames.hpp>
#include <set>
#include <vector>

namespace fwtools {
namespace subgraph {
namespace prune {

template <typename T, class Evaluator>
std::vector<Match> pruneMatches(const std::vector<Match>&, const std::vector<T*>&, float) {
  popart::emulator::missing("fwtools::subgraph::prune::pruneMatches");
}

}  // namespace prune
}  // namespace subgraph
}  // namespace fwtools

#endif  // popart_subgraph_prunematches_hpp
