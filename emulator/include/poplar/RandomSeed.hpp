#ifndef poplar_RandomSeed_hpp
#define poplar_RandomSeed_hpp

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

/// The seeds of the tiles' random number generators: UNSIGNED_INT {tiles, workers, 4}. They are
/// what setHwSeeds made them, zero at first; nothing uses them, as the host build of codelets
/// has no generator.
Tensor getHwSeeds(Graph& graph, program::Sequence& prog, const DebugContext& debugContext = {});
void setHwSeeds(Graph& graph, const Tensor& seeds, program::Sequence& prog,
                const DebugContext& debugContext = {});

}  // namespace poplar

#endif  // poplar_RandomSeed_hpp
