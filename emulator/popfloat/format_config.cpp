#include <popfloat/experimental/CastToGfloat.hpp>

// What a format is calculated and stored as: the rules of poplibs' FormatConfig.
namespace popfloat {
namespace experimental {

using namespace poplar;

namespace {

constexpr unsigned kHalfMantissa = 10, kHalfExponent = 5, kFloatMantissa = 23, kFloatExponent = 8;

// Half itself is not among them: it is calculated as float, to be rounded once.
bool fitsHalf(unsigned mantissa, unsigned exponent) {
  return mantissa <= kHalfMantissa && exponent <= kHalfExponent &&
         (mantissa != kHalfMantissa || exponent != kHalfExponent);
}

std::string sizes(unsigned mantissa, unsigned exponent) {
  return std::to_string(mantissa) + " bits of mantissa and " + std::to_string(exponent) +
         " of exponent";
}

}  // namespace

GfloatCast::FormatConfig::FormatConfig(unsigned numMantissaBits, unsigned numExponentBits,
                                       int exponentBias, bool enableDenorms, bool enableInfsAndNans,
                                       Type calculationType)
    : calculationType_(calculationType),
      numMantissaBits_(numMantissaBits),
      numExponentBits_(numExponentBits),
      exponentBias_(exponentBias),
      enableDenorms_(enableDenorms),
      enableInfsAndNans_(enableInfsAndNans && numExponentBits > 0) {
  const bool as_half = fitsHalf(numMantissaBits, numExponentBits);
  if (!as_half && (numMantissaBits > kFloatMantissa || numExponentBits > kFloatExponent)) {
    throw poputil::poplibs_error(
        "GfloatCast::FormatConfig: expected at most 23 bits of mantissa and 8 of exponent, got " +
        sizes(numMantissaBits, numExponentBits));
  }
  choose(as_half, enableInfsAndNans);
}

GfloatCast::FormatConfig::FormatConfig(unsigned numMantissaBits, unsigned numExponentBits,
                                       int exponentBias, bool enableDenorms, bool enableInfsAndNans,
                                       SpecType specCalculationType)
    : numMantissaBits_(numMantissaBits),
      numExponentBits_(numExponentBits),
      exponentBias_(exponentBias),
      enableDenorms_(enableDenorms),
      enableInfsAndNans_(enableInfsAndNans && numExponentBits > 0) {
  const bool as_half =
      specCalculationType != SpecType::FP32 && fitsHalf(numMantissaBits, numExponentBits);
  if (!as_half && specCalculationType == SpecType::FP16) {
    throw poputil::poplibs_error(
        "GfloatCast::FormatConfig: expected a format smaller than half to calculate as FP16, "
        "got " +
        sizes(numMantissaBits, numExponentBits));
  }
  calculationType_ = as_half ? HALF : FLOAT;
  choose(as_half, enableInfsAndNans);
}

GfloatCast::FormatConfig::FormatConfig(GfloatFormatOptions formatOptions, Type calculationType)
    : FormatConfig(formatOptions.numMantissaBits, formatOptions.numExponentBits,
                   static_cast<int>(formatOptions.numExponentBias), formatOptions.enableDenorms,
                   formatOptions.enableInfsAndNans, calculationType) {}

void GfloatCast::FormatConfig::choose(bool asHalf, bool enableInfsAndNans) {
  const unsigned bits = 1 + numMantissaBits_ + numExponentBits_;
  if (numExponentBits_ == 1 && enableInfsAndNans && !enableDenorms_) {
    throw poputil::poplibs_error(
        "GfloatCast::FormatConfig: expected denormals, no infinities or more than 1 bit of "
        "exponent, got a format without numbers");
  }
  blockFloat_ = numExponentBits_ == 0 || (numExponentBits_ == 1 && enableInfsAndNans);
  if (asHalf) {
    nativeType_ = storageType_ = HALF;
    packedFloatBits_ = 16;
    formatType_ = FormatType::QUANTISED_FP16;
    if (bits <= 8) {
      storageType_ = SIGNED_CHAR;
      packedFloatBits_ = 8;
      formatType_ = numExponentBits_ < kHalfExponent ? FormatType::MIN_NORM_ALIGN_GF8
                    : enableInfsAndNans              ? FormatType::ONE_FIVE_TWO_GF8
                                                     : FormatType::MAX_NORM_ALIGN_GF8;
    }
  } else {
    nativeType_ = storageType_ = FLOAT;
    packedFloatBits_ = 32;
    formatType_ = FormatType::QUANTISED_FP32;
    if (numMantissaBits_ == kHalfMantissa && numExponentBits_ == kHalfExponent &&
        enableInfsAndNans) {
      nativeType_ = storageType_ = HALF;
      packedFloatBits_ = 16;
      formatType_ = FormatType::IEEE_FP16;
    } else if (bits <= 8) {
      if (numExponentBits_ <= kHalfExponent) nativeType_ = HALF;
      storageType_ = SIGNED_CHAR;
      packedFloatBits_ = 8;
      formatType_ = FormatType::ENABLE_DENORM_GF16;
    } else if (bits <= 16) {
      storageType_ = SHORT;
      packedFloatBits_ = 16;
      formatType_ = numExponentBits_ == kFloatExponent ? FormatType::BFLOAT16
                    : enableDenorms_                   ? FormatType::ENABLE_DENORM_GF16
                                                       : FormatType::NO_DENORM_GF16;
    }
  }
  // As poplibs has it, of the argument: a format without exponent says that it has infinities.
  const unsigned flags = (enableDenorms_ ? 1u : 0u) | (enableInfsAndNans ? 2u : 0u);
  packedFloatParameters_ = (numMantissaBits_ & 255u) | (numExponentBits_ & 255u) << 8 |
                           (static_cast<unsigned>(exponentBias_) & 255u) << 16 | flags << 24;
}

}  // namespace experimental
}  // namespace popfloat
