#include <cstring>
#include <popfloat/experimental/CastToGfloat.hpp>
#include <popfloat/experimental/CastToHalf.hpp>
#include <popops/Cast.hpp>
#include <popops/ElementWiseUtil.hpp>
#include <poputil/DebugInfo.hpp>

#include "codelets/gfloat.hpp"

namespace poputil {

template <>
poplar::ProfileValue toProfileValue(const popfloat::experimental::GfloatCast::CastConfig& config) {
  poplar::ProfileValue::Map out;
  out.insert({"calculationType", toProfileValue(config.getCalculationType())});
  out.insert({"storageType", toProfileValue(config.getStorageType())});
  out.insert({"srNoiseMin", toProfileValue(config.getSRNoiseMin())});
  out.insert({"srNoiseMax", toProfileValue(config.getSRNoiseMax())});
  return out;
}

}  // namespace poputil

namespace popfloat {
namespace experimental {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using Config = GfloatCast::CastConfig;
using Fields = std::vector<std::pair<const char*, Tensor>>;

namespace {

float floatOf(unsigned word) {
  float x;
  std::memcpy(&x, &word, sizeof x);
  return x;
}

// The noise of RoundConfig's words as numbers, with the mean of logit-normal ones.
std::vector<float> noiseOf(const Config& config) {
  std::vector<float> out;
  for (unsigned word : config.getNoiseParams()) {
    if (config.getCalculationType() == FLOAT) {
      out.push_back(floatOf(word));
    } else {
      out.push_back(halfToSingle(static_cast<std::uint16_t>(word)));
      out.push_back(halfToSingle(static_cast<std::uint16_t>(word >> 16)));
    }
  }
  const SRDensityType density = config.getSRNoiseDensity();
  if (!out.empty() && (density == SRDensityType::LOGIT_NORMAL ||
                       density == SRDensityType::TRUNCATED_LOGIT_NORMAL)) {
    out[2] = config.getSRNoiseOffset();
  }
  return out;
}

void checkCast(const Config& config, const Type& in, const Type& out, const char* operation) {
  if (config.getRoundMode() == RoundType::INV) {
    throw poplibs_error(std::string(operation) +
                        ": expected a rounding mode, got INV (a RoundConfig of GfloatCastOptions "
                        "has it, whatever the options say)");
  }
  if (config.getSRNoiseDensity() != SRDensityType::INVALID && config.getNoiseParams().empty()) {
    throw poplibs_error(std::string(operation) +
                        ": expected the rounding mode SX for noise of a density, got " +
                        roundTypeToString(config.getRoundMode()));
  }
  const bool half = config.getCalculationType() == HALF;
  const bool known = half || config.getCalculationType() == FLOAT;
  const bool widens = in == HALF && out == FLOAT;
  if (known && (in == FLOAT || (half && in == HALF)) && (out == FLOAT || out == HALF) && !widens) {
    return;
  }
  throw poplibs_error(std::string(operation) +
                      ": expected an input of float and a result of float or half, or both of half "
                      "where it is calculated as half, got " +
                      in.toString() + " to " + out.toString() + " calculated as " +
                      config.getCalculationType().toString());
}

void setRounding(Graph& graph, const VertexRef& v, const Config& config) {
  graph.setInitialValue(v["noise"], noiseOf(config));
  graph.setInitialValue(v["rounding"], static_cast<unsigned>(config.getRoundMode()));
  graph.setInitialValue(v["density"], static_cast<unsigned>(config.getSRNoiseDensity()));
  graph.setInitialValue(v["bits"], config.getNumSRBits());
  graph.setInitialValue(v["nanoo"], config.isNanooModeEnabled() ? 1u : 0u);
  graph.setInitialValue(v["probability"], config.getBernoulliProbability());
}

// One vertex for what each tile has of `to`; `more` sets its other fields.
template <class Fn>
void addVertices(Graph& graph, const ComputeSet& cs, const std::string& name, const Tensor& param,
                 const Tensor* from, const Tensor& to, const Fn& more) {
  Tensor out = to.flatten();
  Tensor in = from == nullptr ? out : from->flatten();
  if (from != nullptr) graph.reorderToSimplify(&out, {&in});
  const auto mapping = graph.getTileMapping(out);
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    if (mapping[tile].empty()) continue;
    const VertexRef v = graph.addVertex(cs, name, {{"param", param}});
    if (from == nullptr) {
      graph.connect(v["inOut"], concat(out.slices(mapping[tile])));
    } else {
      graph.connect(v["in"], concat(in.slices(mapping[tile])));
      graph.connect(v["out"], concat(out.slices(mapping[tile])));
    }
    more(v);
    graph.setTileMapping(v, tile);
  }
}

const char* kHere = "popfloat::experimental::";

// Numbers of the format, which are of the calculation type, as bits.
Tensor pack(Graph& graph, const Tensor& in, const Tensor& param, Sequence& prog,
            const Config& config, const DebugContext& dc) {
  const Type calculated = config.getCalculationType(), stored = config.getStorageType();
  const ComputeSet cs = graph.addComputeSet({dc, "pack"});
  const Tensor out = popops::createOutputForElementWiseOp(graph, {in}, stored, {dc, "packed"});
  addVertices(graph, cs, templateVertex(kHere + std::string("PackGfloat"), calculated, stored),
              param, &in, out, [](const VertexRef&) {});
  prog.add(Execute(cs, dc));
  return out;
}

// Whether packed numbers of `stored` are calculated as `calculated`.
void checkPacked(const Type& calculated, const Type& stored, const char* operation) {
  if (stored == SIGNED_CHAR && (calculated == HALF || calculated == FLOAT)) return;
  if (stored == SHORT && calculated == FLOAT) return;
  throw poplibs_error(std::string(operation) +
                      ": expected packed numbers of signed char, or of short where they are "
                      "calculated as float, got " +
                      stored.toString() + " calculated as " + calculated.toString());
}

}  // namespace

Tensor GfloatCast::castNativeToGfloat(Graph& graph, Tensor input, const Tensor& param,
                                      const ComputeSet& cs, const CastConfig& gfCastCfg,
                                      const DebugContext& debugContext) {
  PoplibsOpDebugInfo di(debugContext, DI_ARGS(input, param, cs, gfCastCfg));
  const Type calculated = gfCastCfg.getCalculationType();
  const Type type = gfCastCfg.getStoreAsNative() ? gfCastCfg.getStorageType() : calculated;
  checkCast(gfCastCfg, input.elementType(), type, "castNativeToGfloat");
  const Tensor out = popops::createOutputForElementWiseOp(graph, {input}, type, {di, "quantised"});
  addVertices(graph, cs,
              templateVertex(kHere + std::string("CastToGfloat"), input.elementType(), type,
                             calculated == HALF),
              param, &input, out, [&](const VertexRef& v) { setRounding(graph, v, gfCastCfg); });
  di.addOutput(out);
  return out;
}

Tensor GfloatCast::castNativeToGfloat(Graph& graph, Tensor input, const Tensor& param,
                                      Sequence& prog, const CastConfig& gfCastCfg,
                                      const DebugContext& debugContext) {
  PoplibsOpDebugInfo di(debugContext, DI_ARGS(input, param, gfCastCfg));
  if (!gfCastCfg.getStoreAsNative()) {
    checkPacked(gfCastCfg.getCalculationType(), gfCastCfg.getStorageType(), "castNativeToGfloat");
  }
  const ComputeSet cs = graph.addComputeSet(
      {di, "castNativeToGfloat/" + formatTypeToString(gfCastCfg.getFormatType())});
  Tensor out = castNativeToGfloat(graph, input, param, cs, gfCastCfg, {di});
  prog.add(Execute(cs, {di}));
  if (!gfCastCfg.getStoreAsNative()) out = pack(graph, out, param, prog, gfCastCfg, {di});
  di.addOutput(out);
  return out;
}

Tensor GfloatCast::castNativeToGfloat(Graph& graph, Tensor input, Sequence& prog,
                                      const DebugContext& debugContext) {
  PoplibsOpDebugInfo di(debugContext, DI_ARGS(input));
  const Tensor out =
      castNativeToGfloat(graph, input, getCastOpParams(), prog, nativeToGFCastCfg, {di});
  di.addOutput(out);
  return out;
}

void GfloatCast::castNativeToGfloatInPlace(Graph& graph, Tensor input, const Tensor& param,
                                           const ComputeSet& cs, const CastConfig& gfCastCfg,
                                           const DebugContext&) {
  const bool half = gfCastCfg.getCalculationType() == HALF;
  checkCast(gfCastCfg, input.elementType(), input.elementType(), "castNativeToGfloatInPlace");
  addVertices(graph, cs,
              templateVertex(kHere + std::string("CastToGfloatInPlace"), input.elementType(), half),
              param, nullptr, input, [&](const VertexRef& v) { setRounding(graph, v, gfCastCfg); });
}

void GfloatCast::castNativeToGfloatInPlace(Graph& graph, Tensor input, const ComputeSet& cs) {
  castNativeToGfloatInPlace(graph, input, getCastOpParams(), cs, nativeToGFCastCfg);
}

void GfloatCast::castNativeToGfloatInPlace(Graph& graph, Tensor input, const Tensor& param,
                                           Sequence& prog, const CastConfig& gfCastCfg,
                                           const DebugContext& debugContext) {
  const PoplibsOpDebugInfo di(debugContext, DI_ARGS(input, param, gfCastCfg));
  const ComputeSet cs = graph.addComputeSet({di, "castNativeToGfloatInPlace"});
  castNativeToGfloatInPlace(graph, input, param, cs, gfCastCfg, {di});
  prog.add(Execute(cs, {di}));
}

void GfloatCast::castNativeToGfloatInPlace(Graph& graph, Tensor input, Sequence& prog,
                                           const DebugContext& debugContext) {
  const PoplibsOpDebugInfo di(debugContext, DI_ARGS(input));
  castNativeToGfloatInPlace(graph, input, getCastOpParams(), prog, nativeToGFCastCfg, {di});
}

Tensor GfloatCast::castGfloatToNative(Graph& graph, Tensor input, const Tensor& param,
                                      const ComputeSet& cs, const CastConfig& gfCastCfg,
                                      const DebugContext& debugContext) {
  PoplibsOpDebugInfo di(debugContext, DI_ARGS(input, param, cs, gfCastCfg));
  const Type calculated = gfCastCfg.getCalculationType(), packed = input.elementType();
  checkPacked(calculated, packed, "castGfloatToNative");
  const Tensor out =
      popops::createOutputForElementWiseOp(graph, {input}, calculated, {di, "unpacked"});
  const unsigned zeros = gfCastCfg.getFormatType() == FormatType::ENABLE_DENORM_GF16 ? 1 : 0;
  addVertices(graph, cs, templateVertex(kHere + std::string("UnpackGfloat"), packed, calculated),
              param, &input, out,
              [&](const VertexRef& v) { graph.setInitialValue(v["negativeZeros"], zeros); });
  di.addOutput(out);
  return out;
}

Tensor GfloatCast::castGfloatToNative(Graph& graph, Tensor input, const ComputeSet& cs) {
  return castGfloatToNative(graph, input, getCastOpParams(), cs, gfToNativeCastCfg);
}

Tensor GfloatCast::castGfloatToNative(Graph& graph, Tensor input, const Tensor& param,
                                      Sequence& prog, const CastConfig& gfCastCfg,
                                      const DebugContext& debugContext) {
  PoplibsOpDebugInfo di(debugContext, DI_ARGS(input, param, gfCastCfg));
  const ComputeSet cs = graph.addComputeSet(
      {di, "castGfloatToNative/" + formatTypeToString(gfCastCfg.getFormatType())});
  Tensor out = castGfloatToNative(graph, input, param, cs, gfCastCfg, {di});
  prog.add(Execute(cs, {di}));
  if (gfCastCfg.getCalculationType() != gfCastCfg.getStorageType()) {
    out = popops::cast(graph, out, gfCastCfg.getStorageType(), prog, {di});
  }
  di.addOutput(out);
  return out;
}

Tensor GfloatCast::castGfloatToNative(Graph& graph, Tensor input, Sequence& prog,
                                      const DebugContext& debugContext) {
  PoplibsOpDebugInfo di(debugContext, DI_ARGS(input));
  const Tensor out =
      castGfloatToNative(graph, input, getCastOpParams(), prog, gfToNativeCastCfg, {di});
  di.addOutput(out);
  return out;
}

}  // namespace experimental
}  // namespace popfloat
