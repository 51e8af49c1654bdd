#include <popfloat/experimental/CastToGfloat.hpp>
#include <poputil/DebugInfo.hpp>

namespace popfloat {
namespace experimental {

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr std::size_t kParams = 29;

std::string nameOf(const Type& calculationType) {
  if (calculationType == HALF) return "gfloat16_params";
  if (calculationType == FLOAT) return "gfloat32_params";
  throw poputil::poplibs_error(
      "createCastOpParamsTensor: expected a calculation type of half or float, got " +
      calculationType.toString());
}

}  // namespace

Tensor GfloatCast::createCastOpParamsTensor(Graph& graph, const ComputeSet& cs,
                                            Type calculationType, Tensor gfPacked,
                                            const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext, DI_ARGS(cs, calculationType, gfPacked));
  if (gfPacked.numElements() != 1 || gfPacked.elementType() != INT) {
    throw poputil::poplibs_error("createCastOpParamsTensor: expected a format {1} of int, got " +
                                 gfPacked.shapeToString() + " of " +
                                 gfPacked.elementType().toString());
  }
  const Tensor param = graph.addVariable(INT, {kParams}, {di, nameOf(calculationType)});
  graph.setTileMapping(param, 0);
  const VertexRef v = graph.addVertex(cs, "popfloat::experimental::CastParams",
                                      {{"gfStruct", gfPacked.flatten()}, {"param", param}});
  graph.setTileMapping(v, 0);
  di.addOutput(param);
  return param;
}

Tensor GfloatCast::createCastOpParamsTensor(Graph& graph, const ComputeSet& cs,
                                            Type calculationType, const unsigned gfPacked,
                                            const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext, DI_ARGS(cs, calculationType, gfPacked));
  const Tensor format =
      graph.addConstant<int>(INT, {1}, static_cast<int>(gfPacked), {di, "format"});
  graph.setTileMapping(format, 0);
  const Tensor param = createCastOpParamsTensor(graph, cs, calculationType, format, {di});
  di.addOutput(param);
  return param;
}

Tensor GfloatCast::createCastOpParamsTensor(Graph& graph, Sequence& prog, Type calculationType,
                                            const unsigned gfStruct,
                                            const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext, DI_ARGS(calculationType, gfStruct));
  const ComputeSet cs = graph.addComputeSet({di, nameOf(calculationType)});
  const Tensor param = createCastOpParamsTensor(graph, cs, calculationType, gfStruct, {di});
  prog.add(Execute(cs, {di}));
  di.addOutput(param);
  return param;
}

Tensor GfloatCast::createCastOpParamsTensor(Graph& graph, Sequence& prog, Type calculationType,
                                            Tensor gfStruct, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext, DI_ARGS(calculationType, gfStruct));
  const ComputeSet cs = graph.addComputeSet({di, nameOf(calculationType)});
  const Tensor param = createCastOpParamsTensor(graph, cs, calculationType, gfStruct, {di});
  prog.add(Execute(cs, {di}));
  di.addOutput(param);
  return param;
}

void GfloatCast::createCastOpParamsTensor(Graph& graph, const ComputeSet& cs) {
  gfParams.reset(new Tensor(createCastOpParamsTensor(graph, cs, formatCfg.getCalculationType(),
                                                     formatCfg.getPackedFloatParameters())));
  castOpParamSet = true;
}

void GfloatCast::createCastOpParamsTensor(Graph& graph, Sequence& prog,
                                          const DebugContext& debugContext) {
  const poputil::PoplibsOpDebugInfo di(debugContext);
  const ComputeSet cs = graph.addComputeSet({di, "gfloatParams"});
  createCastOpParamsTensor(graph, cs);
  prog.add(Execute(cs, {di}));
}

}  // namespace experimental
}  // namespace popfloat
