#ifndef popnn_NonLinearity_hpp
#define popnn_NonLinearity_hpp

#include <popnn/NonLinearityDef.hpp>

#ifndef __POPC__
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popnn {

// Softmax goes along the last dimension, and is computed from differences to the maximum, so that
// all of its kinds are stable. With `nonLinearityScaling` the function tells what the result of
// SOFTMAX_SCALED is scaled by; of the others it is 1.

poplar::Tensor nonLinearity(poplar::Graph& graph, NonLinearityType nonLinearityType,
                            poplar::Tensor t, poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext = {});
poplar::Tensor nonLinearity(poplar::Graph& graph, NonLinearityType nonLinearityType,
                            poplar::Tensor t, float& nonLinearityScaling,
                            poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext = {});
void nonLinearityInPlace(poplar::Graph& graph, NonLinearityType nonLinearityType, poplar::Tensor t,
                         poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {});
void nonLinearityInPlace(poplar::Graph& graph, NonLinearityType nonLinearityType, poplar::Tensor t,
                         float& nonLinearityScaling, poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {});
// Of all but softmax and HARD_SIGMOID, which take more than one compute set.
void nonLinearityInPlace(poplar::Graph& graph, NonLinearityType nonLinearityType, poplar::Tensor t,
                         poplar::ComputeSet& cs, const poplar::DebugContext& debugContext = {});
void nonLinearityInPlace(poplar::Graph& graph, NonLinearityType nonLinearityType, poplar::Tensor t,
                         float& nonLinearityScaling, poplar::ComputeSet& cs,
                         const poplar::DebugContext& debugContext = {});

/// The gradient of the input, from that of the output and the output itself (`act`; of GELU,
/// GELU_ERF and SWISH the input). That of HARD_SIGMOID is 0.2 where abs(act) is 2.5 at most, as in
/// poplibs: exact where `act` is the input.
poplar::Tensor nonLinearityInputGradient(poplar::Graph& graph, NonLinearityType nonLinearityType,
                                         poplar::Tensor act, poplar::Tensor outGradient,
                                         poplar::ComputeSet& cs,
                                         const poplar::DebugContext& debugContext = {});
poplar::Tensor nonLinearityInputGradient(poplar::Graph& graph, NonLinearityType nonLinearityType,
                                         poplar::Tensor act, poplar::Tensor outGradient,
                                         poplar::program::Sequence& prog,
                                         const poplar::DebugContext& debugContext = {});

#define POPNN_NONLINEARITY(NAME, TYPE)                                                           \
  inline poplar::Tensor NAME(poplar::Graph& graph, poplar::Tensor t,                             \
                             poplar::program::Sequence& prog,                                    \
                             const poplar::DebugContext& debugContext = {}) {                    \
    return nonLinearity(graph, NonLinearityType::TYPE, t, prog, debugContext);                   \
  }                                                                                              \
  inline poplar::Tensor NAME(poplar::Graph& graph, poplar::Tensor t, float& nonLinearityScaling, \
                             poplar::program::Sequence& prog,                                    \
                             const poplar::DebugContext& debugContext = {}) {                    \
    return nonLinearity(graph, NonLinearityType::TYPE, t, nonLinearityScaling, prog,             \
                        debugContext);                                                           \
  }                                                                                              \
  inline void NAME##InPlace(poplar::Graph& graph, poplar::Tensor t,                              \
                            poplar::program::Sequence& prog,                                     \
                            const poplar::DebugContext& debugContext = {}) {                     \
    nonLinearityInPlace(graph, NonLinearityType::TYPE, t, prog, debugContext);                   \
  }                                                                                              \
  inline void NAME##InPlace(poplar::Graph& graph, poplar::Tensor t, float& nonLinearityScaling,  \
                            poplar::program::Sequence& prog,                                     \
                            const poplar::DebugContext& debugContext = {}) {                     \
    nonLinearityInPlace(graph, NonLinearityType::TYPE, t, nonLinearityScaling, prog,             \
                        debugContext);                                                           \
  }
POPNN_NONLINEARITY(sigmoid, SIGMOID)
POPNN_NONLINEARITY(relu, RELU)
POPNN_NONLINEARITY(tanh, TANH)
POPNN_NONLINEARITY(gelu, GELU)
POPNN_NONLINEARITY(geluErf, GELU_ERF)
POPNN_NONLINEARITY(swish, SWISH)
POPNN_NONLINEARITY(softmax, SOFTMAX)
POPNN_NONLINEARITY(softmaxStable, SOFTMAX_STABLE)
POPNN_NONLINEARITY(scaledSoftmaxStable, SOFTMAX_SCALED)
#undef POPNN_NONLINEARITY

}  // namespace popnn
#endif  // __POPC__

#endif  // popnn_NonLinearity_hpp
