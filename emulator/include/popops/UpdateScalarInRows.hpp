#ifndef popops_UpdateScalarInRows_hpp
#define popops_UpdateScalarInRows_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popops {

/// Subtracts 1 from params[i, indices[i]] of `params` [N, C] of float or half. A row is left where
/// its index is MASKED_LABEL_CODE, and becomes NaN where it is another one beyond the columns.
void updateScalarInRows(poplar::Graph& graph, const poplar::Tensor& params,
                        const poplar::Tensor& indices, poplar::program::Sequence& program,
                        const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_UpdateScalarInRows_hpp
