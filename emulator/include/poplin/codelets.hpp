#ifndef poplin_codelets_hpp
#define poplin_codelets_hpp

#include <poplar/Graph.hpp>

namespace poplin {

/// Makes the vertices of poplin known to the graph.
void addCodelets(poplar::Graph& graph);

}  // namespace poplin

#endif  // poplin_codelets_hpp
