#ifndef popart_subgraph_subgraphnames_hpp
#define popart_subgraph_subgraphnames_hpp

#include <string>

namespace fwtools {
namespace subgraph {

using EquivId = std::string;

using Start = int;

using InIndex = int;

using OutIndex = int;

}  // namespace subgraph
}  // namespace fwtools

#endif  // popart_subgraph_subgraphnames_hpp
