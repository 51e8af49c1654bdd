#include <poplin/codelets.hpp>

#include "../poputil/library_codelets.hpp"
#include "cycles.hpp"

namespace poplin {

void addCodelets(poplar::Graph& graph) {
  poputil::internal::addLibraryCodelets(graph, reinterpret_cast<const void*>(&addCodelets));
  registerCycles(graph);
}

}  // namespace poplin
