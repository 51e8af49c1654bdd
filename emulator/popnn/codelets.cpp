#include <popnn/codelets.hpp>
#include <popops/codelets.hpp>

#include "../poputil/library_codelets.hpp"
#include "cycles.hpp"

namespace popnn {

void addCodelets(poplar::Graph& graph) {
  popops::addCodelets(graph);  // what is elementwise or a reduction is theirs
  poputil::internal::addLibraryCodelets(graph, reinterpret_cast<const void*>(&addCodelets));
  registerCycles(graph);
}

}  // namespace popnn
