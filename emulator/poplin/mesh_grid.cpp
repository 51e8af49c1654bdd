#include <poplar/emulator/Sizes.hpp>
#include <poplar/exceptions.hpp>
#include <poplin/MeshGrid.hpp>

namespace poplin {

using namespace poplar;

Tensor linspace(Graph& graph, const Type& type, float left, float right, std::size_t count,
                const DebugContext& debugContext) {
  if (type != FLOAT && type != HALF) {
    throw poplar_error("linspace: expected type float or half, got " + type.toString());
  }
  std::vector<float> values(emulator::checkedElements("linspace", {count}));
  for (std::size_t i = 0; i < count; ++i) {
    const double whole = (static_cast<double>(right) - left) * static_cast<double>(i);
    values[i] = static_cast<float>(left + (i == 0 ? 0 : whole / static_cast<double>(count - 1)));
  }
  const Tensor out = graph.addConstant<float>(type, {count}, values, {debugContext, "linspace"});
  graph.setTileMapping(out, 0);
  return out;
}

std::vector<Tensor> meshgrid2d(Graph&, Tensor x, Tensor y) {
  if (x.rank() != 1 || y.rank() != 1 || x.elementType() != y.elementType()) {
    throw poplar_error("meshgrid2d: expected vectors of one type, got " + x.shapeToString() +
                       " of " + x.elementType().toString() + " and " + y.shapeToString() + " of " +
                       y.elementType().toString());
  }
  return {x.expand({0}).broadcast(static_cast<unsigned>(y.numElements()), 0),
          y.expand({1}).broadcast(static_cast<unsigned>(x.numElements()), 1)};
}

}  // namespace poplin
