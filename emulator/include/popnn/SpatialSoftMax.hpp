#ifndef popnn_SpatialSoftMax_hpp
#define popnn_SpatialSoftMax_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popnn/NonLinearity.hpp>
#include <utility>

namespace popnn {

/// The expected coordinates [F, 2], row and column from -1 to 1, of the softmax of all `fields`
/// [F, H, W] over the temperature; and the variable that holds the temperature.
std::pair<poplar::Tensor, poplar::Tensor> spatialSoftMax2D(
    poplar::Graph& graph, poplar::program::Sequence& prog, const poplar::Tensor& fields,
    float temperature, bool disableSoftmax = false, const poplar::DebugContext& debugContext = {});

}  // namespace popnn

#endif  // popnn_SpatialSoftMax_hpp
