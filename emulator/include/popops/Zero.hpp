#ifndef popops_Zero_hpp
#define popops_Zero_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popops {

/// Appends to `prog` what sets every element of `t` to zero.
void zero(poplar::Graph& graph, const poplar::Tensor& t, poplar::program::Sequence& prog,
          const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_Zero_hpp
