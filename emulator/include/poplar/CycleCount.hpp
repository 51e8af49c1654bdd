#ifndef poplar_CycleCount_hpp
#define poplar_CycleCount_hpp

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/SyncType.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

/// Wraps `prog` such that it writes how many cycles it took to a new tensor on `tile`: UNSIGNED_INT
/// {2}, the low word first. The cycles are modelled: every vertex of the graph's programs needs an
/// estimate.
Tensor cycleCount(Graph& graph, program::Sequence& prog, unsigned tile, SyncType syncType,
                  const DebugContext& debugContext = {});

/// As early versions of the SDK had it.
inline Tensor cycleCount(Graph& graph, program::Sequence& prog, unsigned tile,
                         const DebugContext& debugContext = {}) {
  return cycleCount(graph, prog, tile, SyncType::INTERNAL, debugContext);
}

/// Appends to `prog` that it writes the modelled cycles since the Engine was made.
Tensor cycleStamp(Graph& graph, program::Sequence& prog, unsigned tile, SyncType syncType,
                  const DebugContext& debugContext = {});

}  // namespace poplar

#endif  // poplar_CycleCount_hpp
