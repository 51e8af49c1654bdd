#ifndef popops_NaN_hpp
#define popops_NaN_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popops {

/// Whether an element of `src`, of float or half, is NaN (or infinite): one bool {}.
poplar::Tensor hasNaN(poplar::Graph& graph, const poplar::Tensor& src,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {});
poplar::Tensor hasNaNOrInf(poplar::Graph& graph, const poplar::Tensor& src,
                           poplar::program::Sequence& prog,
                           const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_NaN_hpp
