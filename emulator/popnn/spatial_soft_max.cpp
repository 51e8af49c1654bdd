#include <poplin/MatMul.hpp>
#include <poplin/MeshGrid.hpp>
#include <popnn/SpatialSoftMax.hpp>
#include <popops/ElementWise.hpp>
#include <vector>

namespace popnn {

using namespace poplar;
using namespace poplar::program;

std::pair<Tensor, Tensor> spatialSoftMax2D(Graph& graph, Sequence& prog, const Tensor& fields,
                                           float temperature, bool disableSoftmax,
                                           const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "spatialSoftMax2D");
  if (fields.rank() != 3) {
    throw poplar_error("In spatialSoftMax2D fields tensor must have rank 3");
  }
  const Type type = fields.elementType();
  const Tensor divisor = graph.addVariable(type, {}, {dc, "temperature"});
  graph.setInitialValue(divisor, temperature);
  graph.setTileMapping(divisor, 0);
  Tensor flat = popops::div(graph, fields, divisor, prog, dc).flatten();
  if (!disableSoftmax) flat = nonLinearity(graph, NonLinearityType::SOFTMAX, flat, prog, dc);

  const std::size_t height = fields.dim(1), width = fields.dim(2), size = height * width;
  const std::vector<Tensor> grids =
      poplin::meshgrid2d(graph, poplin::linspace(graph, type, -1, 1, width, dc),
                         poplin::linspace(graph, type, -1, 1, height, dc));
  const Tensor coordinates = concat(grids[1].reshape({size, 1}), grids[0].reshape({size, 1}), 1);
  return {poplin::matMul(graph, flat.reshape({fields.dim(0), size}), coordinates, prog, dc),
          divisor};
}

}  // namespace popnn
