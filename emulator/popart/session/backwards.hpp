#ifndef popsnn_emulator_popart_backwards_hpp
#define popsnn_emulator_popart_backwards_hpp

#include <popart/graph.hpp>
#include <popart/names.hpp>

namespace popart {
namespace emulator {

/// Adds the gradient ops of `loss`, scaled: afterwards the gradient of each tensor that has one is
/// a tensor of its id behind reservedGradientPrefix().
void addBackwards(Graph& graph, const TensorId& loss, float lossScaling);

}  // namespace emulator
}  // namespace popart

#endif  // popsnn_emulator_popart_backwards_hpp
