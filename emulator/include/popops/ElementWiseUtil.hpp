#ifndef popops_ElementWiseUtil_hpp
#define popops_ElementWiseUtil_hpp

#include <poplar/Graph.hpp>
#include <vector>

namespace popops {

/// A new variable for the result of an elementwise operation: of the shape that the inputs
/// broadcast to, and laid out and mapped as the tensor that is mapped to the most tiles.
poplar::Tensor createOutputForElementWiseOp(poplar::Graph& graph,
                                            const std::vector<poplar::Tensor>& inputs,
                                            const poplar::Type& outputType,
                                            const poplar::DebugContext& debugContext = {});

}  // namespace popops

#endif  // popops_ElementWiseUtil_hpp
