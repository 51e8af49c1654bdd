#include <popnn/codelets.hpp>
#include <popops/codelets.hpp>

namespace popnn {

// All that popnn computes it computes with vertices of popops.
void addCodelets(poplar::Graph& graph) { popops::addCodelets(graph); }

}  // namespace popnn
