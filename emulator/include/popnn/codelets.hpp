#ifndef popnn_codelets_hpp
#define popnn_codelets_hpp

#include <poplar/Graph.hpp>

namespace popnn {

/// Makes the vertices of popnn known to the graph.
void addCodelets(poplar::Graph& graph);

}  // namespace popnn

#endif  // popnn_codelets_hpp
