#ifndef popfloat_experimental_codelets_hpp
#define popfloat_experimental_codelets_hpp

#include <poplar/Graph.hpp>

namespace popfloat {
namespace experimental {

/// Adds the vertices of popfloat to a graph; casts need them.
void addCodelets(poplar::Graph& graph);

}  // namespace experimental
}  // namespace popfloat

#endif  // popfloat_experimental_codelets_hpp
