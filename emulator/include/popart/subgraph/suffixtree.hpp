#ifndef popart_subgraph_suffixtree_hpp
#define popart_subgraph_suffixtree_hpp

#include <popart/emulator/absent.hpp>
#include <popart/subgraph/match.hpp>
#include <vector>

namespace fwtools {
namespace subgraph {
namespace suffixtree {

inline std::vector<Match> getInternal(const std::vector<int>&) {
  popart::emulator::missing("fwtools::subgraph::suffixtree::getInternal");
}

}  // namespace suffixtree
}  // namespace subgraph
}  // namespace fwtools

#endif  // popart_subgraph_suffixtree_hpp
