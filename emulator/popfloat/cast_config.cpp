#include <popfloat/experimental/CastToGfloat.hpp>

namespace popfloat {
namespace experimental {

using namespace poplar;

GfloatCast::CastConfig::CastConfig(FormatType floatFormatType, Type calculationType,
                                   Type storageType, RoundConfig roundCfg, bool enableNanooMode)
    : calculationType_(calculationType),
      storageType_(storageType),
      roundConfig_(roundCfg),
      enableNanooMode_(enableNanooMode),
      floatFormatType_(floatFormatType),
      castParams_(roundCfg.getRoundingParams()) {
  castParams_.push_back(enableNanooMode ? 1 : 0);
  switch (floatFormatType) {
    case FormatType::INVALID_FORMAT:
      throw poputil::poplibs_error("GfloatCast::CastConfig: expected a format, got INVALID_FORMAT");
    case FormatType::IEEE_FP16:
    case FormatType::QUANTISED_FP16:
    case FormatType::QUANTISED_FP32:
      storeAsNative_ = true;
      break;
    default:
      storeAsNative_ = storageType == HALF || storageType == FLOAT;
  }
}

GfloatCast::CastConfig GfloatCast::CastConfig::createCastNativeToGF(FormatType formatType,
                                                                    Type calculationType,
                                                                    Type storageType,
                                                                    RoundConfig roundCfg,
                                                                    bool enableNanooMode) {
  return CastConfig(formatType, calculationType, storageType, roundCfg, enableNanooMode);
}

GfloatCast::CastConfig GfloatCast::CastConfig::createCastGFToNative(FormatType formatType,
                                                                    Type calculationType,
                                                                    Type storageType) {
  return CastConfig(formatType, calculationType, storageType, RoundConfig(), false);
}

GfloatCast::GfloatCast(const FormatConfig& formatCfg, const RoundConfig& roundCfg,
                       const bool enableNanooMode, const SpecType& GFType,
                       const SpecType& NativeType)
    : nativeToGFCastCfg(CastConfig::createCastNativeToGF(
          formatCfg.getFormatType(), formatCfg.getCalculationType(),
          GFType == SpecType::AUTO ? formatCfg.getStorageType() : specTypeToPoplarType(GFType),
          roundCfg, enableNanooMode)),
      gfToNativeCastCfg(CastConfig::createCastGFToNative(
          formatCfg.getFormatType(), formatCfg.getCalculationType(),
          NativeType == SpecType::AUTO ? formatCfg.getNativeType()
                                       : specTypeToPoplarType(NativeType))),
      formatCfg(formatCfg),
      castOpParamSet(false) {}

GfloatCast::GfloatCast(const GfloatFormatOptions& formatOptions,
                       const GfloatCastOptions& castOptions, Type calculationType,
                       const SpecType& GFType, const SpecType& NativeType)
    : GfloatCast(FormatConfig(formatOptions, calculationType),
                 RoundConfig(castOptions, calculationType), castOptions.enableNanooMode, GFType,
                 NativeType) {}

GfloatCast::GfloatCast(const GfloatCast& gfloatCast)
    : nativeToGFCastCfg(gfloatCast.nativeToGFCastCfg),
      gfToNativeCastCfg(gfloatCast.gfToNativeCastCfg),
      formatCfg(gfloatCast.formatCfg),
      castOpParamSet(gfloatCast.castOpParamSet) {
  if (castOpParamSet) gfParams.reset(new Tensor(gfloatCast.getCastOpParams()));
}

Tensor GfloatCast::getCastOpParams() const {
  if (gfParams == nullptr) {
    throw poputil::poplibs_error(
        "GfloatCast: expected createCastOpParamsTensor to be called before, got no parameters");
  }
  return *gfParams;
}

}  // namespace experimental
}  // namespace popfloat
