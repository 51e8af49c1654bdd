// The codelets of a library: libpopsnn-X.so has X.gp next to it.
#pragma once
#include <poplar/Graph.hpp>

namespace poputil {
namespace internal {

/// Adds the codelets of the library that has the code at `address`.
void addLibraryCodelets(poplar::Graph& graph, const void* address);

}  // namespace internal
}  // namespace poputil
