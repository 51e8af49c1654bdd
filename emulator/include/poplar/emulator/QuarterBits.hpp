// Numbers of 8 bits, for the host and for codelets: F143 has 4 bits of exponent with bias 8 and 3
// of mantissa, F152 5 with bias 16 and 2. No exponent is special: minus zero is the only NaN, and
// there are no infinities (arXiv:2206.02915, table 1).
#ifndef POPLAR_EMULATOR_QUARTER_BITS_HPP
#define POPLAR_EMULATOR_QUARTER_BITS_HPP

#include <cmath>
#include <cstdint>
#include <limits>

namespace poplar {
namespace emulator {

/// How the bits are read. As one byte: the format in the top bit, the scale in the lowest six.
struct QuarterFormat {
  bool is152;
  int scale;

  static QuarterFormat of(std::uint8_t metadata) {
    return {(metadata & 0x80) != 0, (metadata & 0x3f) - ((metadata & 0x20) != 0 ? 64 : 0)};
  }
  int mantissa() const { return is152 ? 2 : 3; }
  int bias() const { return is152 ? 16 : 8; }
};

constexpr std::uint8_t kQuarterNan = 0x80;

/// At most 57344 times two to the power of 31, with three bits: exact as float too.
inline double quarterToDouble(QuarterFormat f, std::uint8_t bits) {
  if (bits == kQuarterNan) return std::numeric_limits<double>::quiet_NaN();
  const int exponent = (bits & 0x7f) >> f.mantissa(), fraction = bits & ((1 << f.mantissa()) - 1);
  const int significand = exponent == 0 ? fraction : fraction + (1 << f.mantissa());
  const int place = (exponent == 0 ? 1 : exponent) - f.bias() - f.mantissa();
  const double value = std::ldexp(static_cast<double>(significand), place + f.scale);
  return (bits & 0x80) != 0 ? -value : value;
}

/// To nearest, ties to even. What is too large becomes a NaN, or the largest number where not
/// `nanoo`; infinities become NaNs.
inline std::uint8_t quarterFromDouble(QuarterFormat f, double value, bool nanoo) {
  if (!std::isfinite(value)) return kQuarterNan;
  const double magnitude = std::ldexp(std::fabs(value), -f.scale);
  // The exponent of the place that the last bit has; the least one is that of denormal numbers.
  const int least = 1 - f.bias() - f.mantissa();
  int place = least;
  if (magnitude != 0 && std::ilogb(magnitude) - f.mantissa() > least) {
    place = std::ilogb(magnitude) - f.mantissa();
  }
  const double rounded = std::nearbyint(std::ldexp(magnitude, -place));
  // Whole steps from zero: a carry into the exponent is the next number.
  const double code = rounded + std::ldexp(static_cast<double>(place - least), f.mantissa());
  const bool overflow = code > 0x7f;
  if (overflow && nanoo) return kQuarterNan;
  const std::uint8_t bits = overflow ? 0x7f : static_cast<std::uint8_t>(code);
  return bits != 0 && std::signbit(value) ? static_cast<std::uint8_t>(bits | 0x80) : bits;
}

}  // namespace emulator
}  // namespace poplar

#endif  // POPLAR_EMULATOR_QUARTER_BITS_HPP
