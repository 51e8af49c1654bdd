#ifndef popfloat_experimental_CastToGfloat_hpp
#define popfloat_experimental_CastToGfloat_hpp

#include <functional>
#include <memory>
#include <popfloat/experimental/GfloatExpr.hpp>
#include <popfloat/experimental/GfloatExprUtil.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Type.hpp>
#include <poputil/exceptions.hpp>
#include <string>
#include <tuple>
#include <vector>

namespace popfloat {
namespace experimental {

/// Casts to a floating-point format of so many bits of mantissa and exponent ("gfloat"), and back.
///
/// A number is rounded to the format's grid, of which numbers below half the smallest are 0, and
/// limited to its largest one. Zeros lose their sign. Calculated as half, a number is first scaled
/// by 2^(bias - 15) (1/5/x formats without infinities: 2^(bias - 16)) and rounded to the nearest
/// half, limited to the largest: such formats of 5 bits of exponent do not overflow to NaN. A NaN
/// stays one.
class GfloatCast {
 public:
  struct GfloatFormatOptions {
    unsigned numMantissaBits;
    unsigned numExponentBits;
    unsigned numExponentBias;
    bool enableDenorms;
    bool enableInfsAndNans;

    /// Options of the names of the members. Those not given stay as they are.
    void parseGfloatFormatOptions(const poplar::OptionFlags& options);
    GfloatFormatOptions(const poplar::OptionFlags& options) : GfloatFormatOptions() {
      parseGfloatFormatOptions(options);
    }
    GfloatFormatOptions()
        : numMantissaBits(10),
          numExponentBits(5),
          numExponentBias(15),
          enableDenorms(true),
          enableInfsAndNans(true) {}
  };

  /// A format, with what it is calculated as and stored as.
  struct FormatConfig {
    FormatConfig() = default;
    /// AUTO calculates as half where half has the format's numbers, FP16 throws where it has not.
    FormatConfig(unsigned numMantissaBits, unsigned numExponentBits, int exponentBias,
                 bool enableDenorms, bool enableInfsAndNans,
                 SpecType specCalculationType = SpecType::AUTO);
    FormatConfig(GfloatFormatOptions formatOptions, poplar::Type calculationType);
    FormatConfig(unsigned numMantissaBits, unsigned numExponentBits, int exponentBias,
                 bool enableDenorms, bool enableInfsAndNans, poplar::Type calculationType);

    poplar::Type getCalculationType() const { return calculationType_; }
    poplar::Type getNativeType() const { return nativeType_; }
    poplar::Type getStorageType() const { return storageType_; }
    FormatType getFormatType() const { return formatType_; }
    unsigned getNumMantissaBits() const { return numMantissaBits_; }
    unsigned getNumExponentBits() const { return numExponentBits_; }
    int getExponentBias() const { return exponentBias_; }
    bool isDenormEnabled() const { return enableDenorms_; }
    bool infAndNansEnabled() const { return enableInfsAndNans_; }
    bool isPackedFloatFormat() const {
      return formatType_ != FormatType::QUANTISED_FP16 &&
             formatType_ != FormatType::QUANTISED_FP32 && formatType_ != FormatType::IEEE_FP16;
    }
    unsigned getPackedFloatBits() const { return packedFloatBits_; }
    bool isBlockFloat() const { return blockFloat_; }
    /// Bytes, from the lowest: bits of mantissa, bits of exponent, bias, and 1 for denormals plus
    /// 2 for infinities and NaNs.
    unsigned getPackedFloatParameters() const { return packedFloatParameters_; }

    bool operator==(FormatConfig& other) const {
      return std::tie(numMantissaBits_, numExponentBits_, exponentBias_, enableDenorms_,
                      enableInfsAndNans_, calculationType_) ==
             std::tie(other.numMantissaBits_, other.numExponentBits_, other.exponentBias_,
                      other.enableDenorms_, other.enableInfsAndNans_, other.calculationType_);
    }

   private:
    void choose(bool asHalf, bool enableInfsAndNans);

    poplar::Type calculationType_, nativeType_, storageType_;
    unsigned numMantissaBits_ = 0, numExponentBits_ = 0;
    int exponentBias_ = 0;
    bool enableDenorms_ = false, enableInfsAndNans_ = false, blockFloat_ = false;
    FormatType formatType_ = FormatType::INVALID_FORMAT;
    unsigned packedFloatParameters_ = 0, packedFloatBits_ = 0;
  };

  struct GfloatCastOptions {
    RoundType roundMode;
    SRDensityType srNoiseDensity;
    unsigned numSRBits;
    double srNoiseOffset;
    double srNoiseScale;
    double srNoiseMax;
    double srNoiseMin;
    double bernoulliProb;
    bool enableNanooMode;

    /// Options of the names of the members. Those not given stay as they are.
    void parseGfloatCastOptions(const poplar::OptionFlags& options);
    GfloatCastOptions(const poplar::OptionFlags& options) : GfloatCastOptions() {
      parseGfloatCastOptions(options);
    }
    GfloatCastOptions()
        : roundMode(RoundType::INV),
          srNoiseDensity(SRDensityType::INVALID),
          numSRBits(24),
          srNoiseOffset(0),
          srNoiseScale(0),
          srNoiseMax(0),
          srNoiseMin(0),
          bernoulliProb(0),
          enableNanooMode(true) {}
  };

  /// How to round. Stochastically: at most numSRBits random bits below the format's last decide,
  /// or noise of a density, in units of the last bit. With noise of normal, Laplace and logistic
  /// densities (of an offset and a scale, in [min, max]) a number is rounded to nearest, with
  /// others it is cut off; bernoulliProb is the probability to round to zero.
  struct RoundConfig {
    RoundConfig() = default;
    RoundConfig(RoundType roundMode, unsigned numSRBits, poplar::Type calculationType,
                SRDensityType srNoiseDensity = SRDensityType::INVALID, float srNoiseOffset = 0.0,
                float srNoiseScale = 0.0, float srNoiseMax = 0.0, float srNoiseMin = 0.0,
                float bernoulliProb = 0.0);
    /// As poplibs has it, of the rounding INV whatever the options say: casts throw.
    RoundConfig(GfloatCastOptions castOptions, poplar::Type calculationType);

    RoundType getRoundMode() const { return roundModeType_; }
    unsigned getNumSRBits() const { return numSRBits_; }
    /// LAPLACE and LOGISTIC for the truncated ones, too.
    SRDensityType getSRNoiseDensity() const { return srNoiseDensity_; }
    std::vector<unsigned> getRoundingParams() const { return roundingParams_; }
    std::vector<unsigned> getNoiseParams() const { return noiseParams_; }
    unsigned getDensityParam() const { return densityParam_; }
    float getBernoulliProbability() const { return bernoulliProb_; }
    float getSRNoiseOffset() const { return srNoiseOffset_; }
    float getSRNoiseScale() const { return srNoiseScale_; }
    float getSRNoiseMax() const { return srNoiseMax_; }
    float getSRNoiseMin() const { return srNoiseMin_; }
    std::vector<unsigned> getSRBitMask() const { return srBitMask_; }

   private:
    RoundType roundModeType_ = RoundType::INV;
    unsigned numSRBits_ = 0;
    SRDensityType srNoiseDensity_ = SRDensityType::INVALID;
    float bernoulliProb_ = 0, srNoiseOffset_ = 0, srNoiseScale_ = 0, srNoiseMax_ = 0;
    float srNoiseMin_ = 0;
    unsigned densityParam_ = 0;
    std::vector<unsigned> noiseParams_, srBitMask_, roundingParams_;
  };

  /// One direction of a cast.
  struct CastConfig {
    CastConfig() = default;
    static CastConfig createCastNativeToGF(FormatType formatType, poplar::Type calculationType,
                                           poplar::Type storageType, RoundConfig roundCfg,
                                           bool enableNanooMode);
    static CastConfig createCastGFToNative(FormatType formatType, poplar::Type calculationType,
                                           poplar::Type storageType);

    RoundType getRoundMode() const { return roundConfig_.getRoundMode(); }
    unsigned getNumSRBits() const { return roundConfig_.getNumSRBits(); }
    SRDensityType getSRNoiseDensity() const { return roundConfig_.getSRNoiseDensity(); }
    std::vector<unsigned> getNoiseParams() const { return roundConfig_.getNoiseParams(); }
    unsigned getDensityParam() const { return roundConfig_.getDensityParam(); }
    float getBernoulliProbability() const { return roundConfig_.getBernoulliProbability(); }
    float getSRNoiseOffset() const { return roundConfig_.getSRNoiseOffset(); }
    float getSRNoiseScale() const { return roundConfig_.getSRNoiseScale(); }
    float getSRNoiseMax() const { return roundConfig_.getSRNoiseMax(); }
    float getSRNoiseMin() const { return roundConfig_.getSRNoiseMin(); }
    std::vector<unsigned> getSRBitMask() const { return roundConfig_.getSRBitMask(); }
    /// Whether too large a number becomes a NaN, where the format has NaNs, or else the largest.
    bool isNanooModeEnabled() const { return enableNanooMode_; }
    std::vector<unsigned> getCastParams() const { return castParams_; }
    poplar::Type getCalculationType() const { return calculationType_; }
    poplar::Type getStorageType() const { return storageType_; }
    bool inPlaceOp(poplar::Type inType) const { return inType == storageType_; }
    FormatType getFormatType() const { return floatFormatType_; }
    /// Whether numbers of the format are kept as float or half, or packed to its bits.
    bool getStoreAsNative() const { return storeAsNative_; }
    std::vector<unsigned> getRoundingParams() const { return roundConfig_.getRoundingParams(); }

   private:
    CastConfig(FormatType floatFormatType, poplar::Type calculationType, poplar::Type storageType,
               RoundConfig roundCfg, bool enableNanooMode);

    poplar::Type calculationType_, storageType_;
    RoundConfig roundConfig_;
    bool enableNanooMode_ = false;
    FormatType floatFormatType_ = FormatType::INVALID_FORMAT;
    bool storeAsNative_ = false;
    std::vector<unsigned> castParams_;
  };

  /// `GFType`: what castNativeToGfloat gives, `NativeType`: what castGfloatToNative gives; AUTO is
  /// the format's.
  GfloatCast(const FormatConfig& formatCfg, const RoundConfig& roundCfg, const bool enableNanooMode,
             const SpecType& GFType = SpecType::AUTO, const SpecType& NativeType = SpecType::AUTO);
  GfloatCast(const GfloatFormatOptions& formatOptions, const GfloatCastOptions& castOptions,
             poplar::Type calculationType, const SpecType& GFType = SpecType::AUTO,
             const SpecType& NativeType = SpecType::AUTO);
  GfloatCast(const GfloatCast& gfloatCast);

  /// What casts read: an int {29} on tile 0, from `gfPacked`, see getPackedFloatParameters: a
  /// number, or an int {1}. Its words are the emulator's own.
  static poplar::Tensor createCastOpParamsTensor(poplar::Graph& graph, const poplar::ComputeSet& cs,
                                                 poplar::Type calculationType,
                                                 const unsigned gfPacked,
                                                 const poplar::DebugContext& debugContext = {});
  static poplar::Tensor createCastOpParamsTensor(poplar::Graph& graph, const poplar::ComputeSet& cs,
                                                 poplar::Type calculationType,
                                                 poplar::Tensor gfPacked,
                                                 const poplar::DebugContext& debugContext = {});
  static poplar::Tensor createCastOpParamsTensor(poplar::Graph& graph,
                                                 poplar::program::Sequence& prog,
                                                 poplar::Type calculationType,
                                                 const unsigned gfStruct,
                                                 const poplar::DebugContext& debugContext = {});
  static poplar::Tensor createCastOpParamsTensor(poplar::Graph& graph,
                                                 poplar::program::Sequence& prog,
                                                 poplar::Type calculationType,
                                                 poplar::Tensor gfStruct,
                                                 const poplar::DebugContext& debugContext = {});
  /// The same for the format of this cast, which keeps it.
  void createCastOpParamsTensor(poplar::Graph& graph, poplar::program::Sequence& prog,
                                const poplar::DebugContext& debugContext = {});
  void createCastOpParamsTensor(poplar::Graph& graph, const poplar::ComputeSet& cs);

  /// The numbers of `input` rounded to the format, of the storage type. In a compute set: those of
  /// formats to be packed are not, and are of the calculation type.
  static poplar::Tensor castNativeToGfloat(poplar::Graph& graph, poplar::Tensor input,
                                           const poplar::Tensor& param,
                                           poplar::program::Sequence& prog,
                                           const CastConfig& gfCastCfg,
                                           const poplar::DebugContext& debugContext = {});
  static poplar::Tensor castNativeToGfloat(poplar::Graph& graph, poplar::Tensor input,
                                           const poplar::Tensor& param,
                                           const poplar::ComputeSet& cs,
                                           const CastConfig& gfCastCfg,
                                           const poplar::DebugContext& debugContext = {});
  poplar::Tensor castNativeToGfloat(poplar::Graph& graph, poplar::Tensor input,
                                    poplar::program::Sequence& prog,
                                    const poplar::DebugContext& debugContext = {});

  static void castNativeToGfloatInPlace(poplar::Graph& graph, poplar::Tensor input,
                                        const poplar::Tensor& param,
                                        poplar::program::Sequence& prog,
                                        const CastConfig& gfCastCfg,
                                        const poplar::DebugContext& debugContext = {});
  void castNativeToGfloatInPlace(poplar::Graph& graph, poplar::Tensor input,
                                 poplar::program::Sequence& prog,
                                 const poplar::DebugContext& debugContext = {});
  static void castNativeToGfloatInPlace(poplar::Graph& graph, poplar::Tensor input,
                                        const poplar::Tensor& param, const poplar::ComputeSet& cs,
                                        const CastConfig& gfCastCfg,
                                        const poplar::DebugContext& debugContext = {});
  void castNativeToGfloatInPlace(poplar::Graph& graph, poplar::Tensor input,
                                 const poplar::ComputeSet& cs);

  /// Packed numbers of the format as float or half: of the storage type; in a compute set, of the
  /// calculation type.
  static poplar::Tensor castGfloatToNative(poplar::Graph& graph, poplar::Tensor input,
                                           const poplar::Tensor& param,
                                           poplar::program::Sequence& prog,
                                           const CastConfig& gfCastCfg,
                                           const poplar::DebugContext& debugContext = {});
  poplar::Tensor castGfloatToNative(poplar::Graph& graph, poplar::Tensor input,
                                    poplar::program::Sequence& prog,
                                    const poplar::DebugContext& debugContext = {});
  static poplar::Tensor castGfloatToNative(poplar::Graph& graph, poplar::Tensor input,
                                           const poplar::Tensor& param,
                                           const poplar::ComputeSet& cs,
                                           const CastConfig& gfCastCfg,
                                           const poplar::DebugContext& debugContext = {});
  poplar::Tensor castGfloatToNative(poplar::Graph& graph, poplar::Tensor input,
                                    const poplar::ComputeSet& cs);

  poplar::Type getGFStorageType() const { return nativeToGFCastCfg.getStorageType(); }
  poplar::Type getCalculationType() const { return nativeToGFCastCfg.getCalculationType(); }
  poplar::Type getNativeStorageType() const { return gfToNativeCastCfg.getStorageType(); }
  FormatConfig getFormatConfig() const { return formatCfg; }
  CastConfig getNativeToGFConfig() const { return nativeToGFCastCfg; }
  CastConfig getGFToNativeConfig() const { return gfToNativeCastCfg; }
  bool getStoreAsNative() const { return nativeToGFCastCfg.getStoreAsNative(); }
  /// Throws where createCastOpParamsTensor was not called.
  poplar::Tensor getCastOpParams() const;
  bool isCastOpParamSet() const { return castOpParamSet; }
  /// Takes the tensor, which was made with `new`.
  void setGfloatCastParameters(poplar::Tensor* gfParams_) { gfParams.reset(gfParams_); }
  bool isNanooModeEnabled() const { return nativeToGFCastCfg.isNanooModeEnabled(); }
  std::vector<unsigned> getSRBitMask() const { return nativeToGFCastCfg.getSRBitMask(); }
  RoundType getRoundMode() const { return nativeToGFCastCfg.getRoundMode(); }
  bool inPlaceOp(poplar::Type outType) const { return nativeToGFCastCfg.inPlaceOp(outType); }
  std::vector<unsigned> getRoundingParams() const { return nativeToGFCastCfg.getRoundingParams(); }

 protected:
  CastConfig nativeToGFCastCfg;
  CastConfig gfToNativeCastCfg;
  FormatConfig formatCfg;
  std::unique_ptr<poplar::Tensor> gfParams;
  bool castOpParamSet;
};

}  // namespace experimental
}  // namespace popfloat

#endif  // popfloat_experimental_CastToGfloat_hpp
