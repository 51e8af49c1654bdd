#ifndef popops_AllTrue_hpp
#define popops_AllTrue_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popops {

/// Whether all elements of a tensor of bools are true: a scalar of type bool, as If takes it.
poplar::Tensor allTrue(poplar::Graph& graph, poplar::Tensor A, poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_AllTrue_hpp
