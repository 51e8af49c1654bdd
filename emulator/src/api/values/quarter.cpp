// Numbers of 8 bits: F143 has 4 bits of exponent with bias 8 and 3 of mantissa, F152 5 with bias 16
// and 2. No exponent is special: minus zero is the only NaN, and there are no infinities
// (arXiv:2206.02915, table 1).
#include <algorithm>
#include <cmath>
#include <limits>
#include <poplar/TypeConversion.hpp>

#include "api/types.hpp"

namespace poplar {
namespace emulator {

namespace {

constexpr uint8_t kNan = 0x80;
constexpr int kMinScale = -32, kMaxScale = 31;

struct Format {
  int mantissa, bias;
};

Format formatOf(QuarterMetadata::Format format) {
  return format == QuarterMetadata::Format::F143 ? Format{3, 8} : Format{2, 16};
}

}  // namespace

void convertElements(const Type& from, const void* source, const Type& to, void* destination,
                     size_t n) {
  convert(from, source, to, destination, n);
}

double fromQuarter(const QuarterMetadata& metadata, uint8_t bits) {
  if (bits == kNan) return std::numeric_limits<double>::quiet_NaN();
  const Format f = formatOf(metadata.getFormat());
  const int exponent = (bits & 0x7f) >> f.mantissa, fraction = bits & ((1 << f.mantissa) - 1);
  const int significand = exponent == 0 ? fraction : fraction + (1 << f.mantissa);
  const double value =
      std::ldexp(significand, std::max(exponent, 1) - f.bias - f.mantissa + metadata.getScale());
  return (bits & 0x80) != 0 ? -value : value;
}

uint8_t toQuarter(const QuarterMetadata& metadata, double value, bool nanoo) {
  if (!std::isfinite(value)) return kNan;
  const Format f = formatOf(metadata.getFormat());
  const double magnitude = std::ldexp(std::fabs(value), -metadata.getScale());
  // The exponent of the place that the last bit has; the least one is that of denormal numbers.
  const int least = 1 - f.bias - f.mantissa;
  const int place = magnitude == 0 ? least : std::max(std::ilogb(magnitude) - f.mantissa, least);
  const double rounded = std::nearbyint(std::ldexp(magnitude, -place));  // ties to even
  // Whole steps from zero: a carry into the exponent is the next number.
  const double code = rounded + std::ldexp(place - least, f.mantissa);
  const bool overflow = code > 0x7f;
  if (overflow && nanoo) return kNan;
  const uint8_t bits = overflow ? 0x7f : static_cast<uint8_t>(code);
  return bits != 0 && std::signbit(value) ? static_cast<uint8_t>(bits | 0x80) : bits;
}

QuarterMetadata bestScale(const double* values, size_t n, QuarterMetadata::Format format) {
  QuarterMetadata best(format, 0);
  double least = std::numeric_limits<double>::infinity();
  // Outwards from 0, so that of equal scales the one nearest to it is taken.
  for (int i = 0; i <= 2 * kMaxScale + 2; ++i) {
    const int scale = i % 2 == 0 ? -i / 2 : (i + 1) / 2;
    if (scale < kMinScale || scale > kMaxScale) continue;
    const QuarterMetadata metadata(format, scale);
    double error = 0;
    for (size_t k = 0; k < n; ++k) {
      const double difference =
          fromQuarter(metadata, toQuarter(metadata, values[k], false)) - values[k];
      if (!std::isnan(difference)) error += difference * difference;
    }
    if (error < least) {
      least = error;
      best = metadata;
    }
  }
  return best;
}

}  // namespace emulator
}  // namespace poplar
