#ifndef popops_SelectScalarFromRows_hpp
#define popops_SelectScalarFromRows_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popops {

/// params[i, indices[i]] of `params` [N, C] of float or half: a new tensor [N]. It is 0 where the
/// index is MASKED_LABEL_CODE, and NaN where it is another one beyond the columns.
poplar::Tensor selectScalarFromRows(poplar::Graph& graph, const poplar::Tensor& params,
                                    const poplar::Tensor& indices, poplar::program::Sequence& prog,
                                    const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_SelectScalarFromRows_hpp
