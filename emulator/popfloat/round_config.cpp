#include <algorithm>
#include <cmath>
#include <cstring>
#include <popfloat/experimental/CastToGfloat.hpp>
#include <popfloat/experimental/CastToHalf.hpp>

#include "codelets/gfloat.hpp"

// The words in which poplibs keeps how to round: see RoundConfig in its lib/popfloat.
namespace popfloat {
namespace experimental {

using namespace poplar;

namespace {

// Ones for the `used` upper ones of `bits` of mantissa, and above.
unsigned bitMask(unsigned bits, unsigned used) {
  return ~((1u << (bits - std::min(used, bits))) - 1u);
}

unsigned floatWord(float x) {
  unsigned word;
  std::memcpy(&word, &x, sizeof word);
  return word;
}

unsigned halvesWord(float low, float high) {
  return singleToHalf(low) | static_cast<unsigned>(singleToHalf(high)) << 16;
}

// How often to draw until all but 10^-4 of the numbers are within `alpha` deviations.
unsigned attempts(double tail) {
  const double n = std::ceil(-4 / std::log10(tail));
  return n > 0 && n < 1e9 ? static_cast<unsigned>(n) : 1u;
}

void checkEnds(SRDensityType density, float low, float high) {
  const bool centred = density != SRDensityType::UNIFORM &&
                       density != SRDensityType::LOGIT_NORMAL &&
                       density != SRDensityType::TRUNCATED_LOGIT_NORMAL;
  const float least = centred ? -0.5f : 0.0f, most = centred ? 0.5f : 1.0f;
  if (low >= least && high <= most && low <= high) return;
  throw poputil::poplibs_error("GfloatCast::RoundConfig: expected noise of the density " +
                               srDensityTypeToString(density) + " in [" + std::to_string(least) +
                               ", " + std::to_string(most) + "], got [" + std::to_string(low) +
                               ", " + std::to_string(high) + "]");
}

double laplaceHalf(double x) { return (x < 0 ? -1 : 1) * (1 - std::exp(-std::fabs(x))) / 2; }
double logit(double p) { return std::log(p / (1 - p)); }

}  // namespace

GfloatCast::RoundConfig::RoundConfig(GfloatCastOptions castOptions, Type calculationType)
    : RoundConfig(RoundType::INV, castOptions.numSRBits, calculationType, SRDensityType::INVALID,
                  static_cast<float>(castOptions.srNoiseOffset),
                  static_cast<float>(castOptions.srNoiseScale),
                  static_cast<float>(castOptions.srNoiseMax),
                  static_cast<float>(castOptions.srNoiseMin),
                  static_cast<float>(castOptions.bernoulliProb)) {}

GfloatCast::RoundConfig::RoundConfig(RoundType roundMode, unsigned numSRBits, Type calculationType,
                                     SRDensityType srNoiseDensity, float srNoiseOffset,
                                     float srNoiseScale, float srNoiseMax, float srNoiseMin,
                                     float bernoulliProb)
    : roundModeType_(roundMode),
      numSRBits_(numSRBits),
      srNoiseDensity_(srNoiseDensity),
      bernoulliProb_(bernoulliProb),
      srNoiseOffset_(srNoiseOffset),
      srNoiseScale_(srNoiseScale),
      srNoiseMax_(srNoiseMax),
      srNoiseMin_(srNoiseMin) {
  const bool half = calculationType == HALF;
  unsigned mask = calculationType == FLOAT ? bitMask(23, numSRBits) : 0;
  if (half) mask = (bitMask(10, numSRBits) & 0xffff) * 0x10001u;
  srBitMask_ = {mask, mask};
  roundingParams_ = srBitMask_;
  if (roundMode != RoundType::SX || srNoiseDensity == SRDensityType::INVALID) return;

  if (srNoiseDensity != SRDensityType::BERNOULLI) {
    checkEnds(srNoiseDensity, srNoiseMin, srNoiseMax);
  }
  // In units of the scale, from the offset.
  const double low = (srNoiseMin - srNoiseOffset) / srNoiseScale;
  const double high = (srNoiseMax - srNoiseOffset) / srNoiseScale;
  Noise n = {
      0, 1, 0.5f + srNoiseOffset, srNoiseScale, static_cast<float>(low), static_cast<float>(high)};
  switch (srNoiseDensity) {
    case SRDensityType::UNIFORM:
      n.out_scale = srNoiseMax - srNoiseMin;
      n.out_offset = n.out_scale / 2 + srNoiseMin;
      n.low = srNoiseMin;
      n.high = srNoiseMax;
      break;
    case SRDensityType::BERNOULLI:
      n = {0, 1, 0, 1, srNoiseMin, srNoiseMax};
      densityParam_ = static_cast<unsigned>((1.0 - bernoulliProb) * 65536.0);
      break;
    case SRDensityType::TRUNCATED_NORMAL:
      densityParam_ = attempts(std::erfc(std::min(std::fabs(low), std::fabs(high)) / std::sqrt(2)));
      break;
    case SRDensityType::TRUNCATED_LAPLACE: {
      const double first = laplaceHalf(low), last = laplaceHalf(high);
      n.in_scale = static_cast<float>(last - first);
      n.in_offset = static_cast<float>((first + last) / 2);
      srNoiseDensity_ = SRDensityType::LAPLACE;
      break;
    }
    case SRDensityType::LOGISTIC:
      n.in_offset = 0.5f;
      break;
    case SRDensityType::TRUNCATED_LOGISTIC: {
      const double first = 0.5 * (1 + std::tanh(low / 2)), last = 0.5 * (1 + std::tanh(high / 2));
      n.in_scale = static_cast<float>(last - first);
      n.in_offset = static_cast<float>((first + last) / 2);
      srNoiseDensity_ = SRDensityType::LOGISTIC;
      break;
    }
    case SRDensityType::LOGIT_NORMAL:
      n.out_offset = 0;
      n.low = srNoiseMin;
      n.high = srNoiseMax;
      break;
    case SRDensityType::TRUNCATED_LOGIT_NORMAL: {
      const double first = (logit(srNoiseMin + 1e-10) - srNoiseOffset) / srNoiseScale;
      const double last = (logit(srNoiseMax - 1e-10) - srNoiseOffset) / srNoiseScale;
      n.out_offset = 0;
      n.low = static_cast<float>(first);
      n.high = static_cast<float>(last);
      densityParam_ =
          attempts(std::erf(std::min(std::fabs(first), std::fabs(last)) / std::sqrt(2)));
      break;
    }
    default:  // NORMAL and LAPLACE, whose numbers outside the ends become these
      break;
  }
  if (half) {
    noiseParams_ = {halvesWord(n.in_offset, n.in_scale), halvesWord(n.out_offset, n.out_scale),
                    halvesWord(n.low, n.high)};
  } else {
    noiseParams_ = {floatWord(n.in_offset), floatWord(n.in_scale), floatWord(n.out_offset),
                    floatWord(n.out_scale), floatWord(n.low),      floatWord(n.high)};
  }
  roundingParams_.insert(roundingParams_.end(), noiseParams_.begin(), noiseParams_.end());
  roundingParams_.push_back(densityParam_);
}

}  // namespace experimental
}  // namespace popfloat
