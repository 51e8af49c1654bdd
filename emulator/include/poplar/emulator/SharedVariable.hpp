// An extension of the emulator: variables that all calls of a library in a graph use. The SDK has
// no such header.
#ifndef poplar_emulator_SharedVariable_hpp
#define poplar_emulator_SharedVariable_hpp

#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>
#include <string>
#include <vector>

namespace poplar {
namespace emulator {

/// The variable {values.size()} of unsigned int on tile 0 that the graph has by this name. The
/// first call makes it, with `values` as it is when a device is loaded.
Tensor sharedVariable(Graph& graph, const std::string& name, const std::vector<unsigned>& values);

}  // namespace emulator
}  // namespace poplar

#endif  // poplar_emulator_SharedVariable_hpp
