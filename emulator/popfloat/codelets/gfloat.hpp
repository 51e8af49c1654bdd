// A format and its numbers one at a time. Included by codelets and by the library.
#pragma once
#include <cmath>
#include <cstdint>

namespace popfloat {
namespace experimental {

// Noise in units of the last bit. A uniform number in [-0.5, 0.5) is brought to the part of the
// density that counts (in_*), becomes a number of the density, is limited to [low, high] and
// scaled (out_*).
struct Noise {
  float in_offset, in_scale, out_offset, out_scale, low, high;
};

// What the library hands to codelets in numbers: as in GfloatExpr.hpp.
enum class Rounding : unsigned { INV, RZ, RN, RA, RU, RD, SR, SX };
enum class Density : unsigned {
  INVALID,
  UNIFORM,
  NORMAL,
  TRUNCATED_NORMAL,
  BERNOULLI,
  LOGISTIC,
  TRUNCATED_LOGISTIC,
  LAPLACE,
  TRUNCATED_LAPLACE,
  LOGIT_NORMAL,
  TRUNCATED_LOGIT_NORMAL
};

// The four bytes of a format, see getPackedFloatParameters.
struct Format {
  int mantissa, exponent, bias;
  bool denormals, infinities;

  explicit Format(unsigned packed)
      : mantissa(static_cast<int>(packed & 255u)),
        exponent(static_cast<int>(packed >> 8 & 255u)),
        bias(static_cast<std::int8_t>(packed >> 16 & 255u)),
        denormals((packed >> 24 & 1u) != 0 || exponent == 0),
        infinities((packed >> 24 & 2u) != 0 && exponent != 0) {}
};

constexpr unsigned kFloatNan = 0x7fd9c07eu;  // the chip's own
constexpr unsigned kHalfNan = 0x7eceu;

// The positive numbers of a format, calculated as float or, scaled by 2^scale, as half.
struct Grid {
  int scale = 0;            // power of two
  int native = 23;          // bits of mantissa of what it is calculated as
  int mantissa;             // of the format
  int least_norm;           // exponent of the smallest number with all bits of mantissa
  int least;                // exponent of the smallest number
  double largest;           // number
  double limit = HUGE_VAL;  // half stops here, and does not overflow

  Grid(const Format& f, bool half) : mantissa(f.mantissa) {
    int bias = f.bias;
    if (half) {
      native = 10;
      bias = f.exponent == 5 && !f.infinities ? 16 : 15;
      scale = f.bias - bias;
      limit = std::ldexp(2 - std::ldexp(1.0, -mantissa), 15);
    }
    least_norm = 1 - bias;
    least = f.denormals ? least_norm - mantissa : least_norm;
    const int fields = f.exponent < 12 ? 1 << f.exponent : 1 << 12;
    const bool block = f.exponent == 0 || (f.exponent == 1 && f.infinities);
    largest = block ? std::ldexp(1 - std::ldexp(1.0, -mantissa), least_norm)
                    : std::ldexp(2 - std::ldexp(1.0, -mantissa),
                                 fields - 1 - bias - (f.infinities ? 1 : 0));
    if (half) return;
    // Floats below 2^-126 are 0 on the chip; none is beyond 2^128.
    if (least < -126) least = -126;
    const double all = std::ldexp(2 - std::ldexp(1.0, -mantissa), 127);
    if (largest > all) largest = all;
  }
};

// The part of `magnitude`, positive, above the last bit of the grid in units of that bit, whose
// exponent goes to `last`. 0 below half the smallest number.
inline double inLastBits(const Grid& g, double magnitude, int& last) {
  const int e = std::ilogb(magnitude);
  if (e < (g.least < g.least_norm ? g.least : g.least_norm - g.mantissa) - 1) return 0;
  last = (e > g.least_norm ? e : g.least_norm) - g.mantissa;
  return std::ldexp(magnitude, -last);
}

}  // namespace experimental
}  // namespace popfloat
