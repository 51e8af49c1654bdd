#ifndef poprand_codelets_hpp
#define poprand_codelets_hpp

#include <poplar/Graph.hpp>

namespace poprand {

/// Adds the vertices of poprand to a graph; all its functions need them.
void addCodelets(poplar::Graph& graph);

}  // namespace poprand

#endif  // poprand_codelets_hpp
