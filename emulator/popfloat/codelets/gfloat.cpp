#include "gfloat.hpp"

#include <ipu_builtins.h>
#include <cstring>
#include <poplar/Vertex.hpp>
#include <type_traits>

namespace popfloat {
namespace experimental {

using poplar::InOut;
using poplar::Input;
using poplar::Output;
using poplar::Vector;

namespace {

template <typename T>
T fromBits(unsigned bits) {
  using Word = typename std::conditional<sizeof(T) == 2, std::uint16_t, std::uint32_t>::type;
  const Word word = static_cast<Word>(bits);
  T out;
  static_assert(sizeof word == sizeof out, "float or half");
  std::memcpy(static_cast<void*>(&out), &word, sizeof out);
  return out;
}

// In [0, 1).
double uniform() { return static_cast<double>(__builtin_ipu_urand64() >> 11) * 0x1p-53; }

// Box and Muller's.
double normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(6.283185307179586 * uniform());
}

// Numbers that far out are given up, as poplibs gives them up.
double normalWithin(double low, double high) {
  double z = normal();
  for (unsigned i = 0; i < 100000 && !(z >= low && z <= high); ++i) z = normal();
  return std::fmin(std::fmax(z, low), high);
}

// What is added before a number is cut off, in units of its last bit.
double draw(Density density, const Noise& n) {
  double z = n.in_offset + n.in_scale * (uniform() - 0.5);
  switch (density) {
    case Density::UNIFORM:
      return n.out_offset + n.out_scale * z;
    case Density::NORMAL:
      z = normal();
      break;
    case Density::TRUNCATED_NORMAL:
      return n.out_offset + n.out_scale * normalWithin(n.low, n.high);
    case Density::LAPLACE:
      z = std::copysign(std::log1p(-2 * std::fabs(z)), z);
      break;
    case Density::LOGISTIC:
      z = std::log(z / (1 - z));
      break;
    case Density::LOGIT_NORMAL:
      z = 1 / (1 + std::exp(-(n.out_offset + n.out_scale * normal())));
      return std::fmin(std::fmax(z, n.low), n.high);
    default:  // TRUNCATED_LOGIT_NORMAL
      z = n.out_offset + n.out_scale * normalWithin(n.low, n.high);
      return 1 / (1 + std::exp(-z));
  }
  return n.out_offset + n.out_scale * std::fmin(std::fmax(z, n.low), n.high);
}

struct Rules {
  Rounding rounding;
  Density density;
  unsigned bits;  // random ones at most
  float probability;
  bool nanoo;
  Noise noise;
};

// `x`, in units of the last bit, with `lost` bits below it.
double roundLastBit(double x, int lost, bool negative, const Rules& r) {
  const double down = std::floor(x);
  if (x == down) return x;
  switch (r.rounding) {
    case Rounding::RN:
      return std::nearbyint(x);
    case Rounding::RA:
      return std::floor(x + 0.5);
    case Rounding::RU:
      return negative ? down : down + 1;
    case Rounding::RD:
      return negative ? down + 1 : down;
    case Rounding::SR:
    case Rounding::SX:
      break;
    default:
      return down;
  }
  if (r.density == Density::BERNOULLI) return uniform() < r.probability ? down : down + 1;
  const bool all = r.rounding == Rounding::SR || static_cast<int>(r.bits) > lost;
  const double step = std::ldexp(1.0, all ? -lost : -static_cast<int>(r.bits));
  const double noise = r.density == Density::INVALID ? uniform() : draw(r.density, r.noise);
  return std::floor(x + std::fmin(std::fmax(std::floor(noise / step) * step, 0.0), 1 - step));
}

// Rounds `in` to a number of the grid; the result is scaled as the grid is.
template <bool kHalf, typename In>
double quantise(In in, const Grid& g, const Rules& r, bool nans, bool& nan) {
  const float value = static_cast<float>(in);
  nan = std::isnan(value);
  if (nan) return 0;
  double x = std::fabs(std::ldexp(static_cast<double>(value), g.scale));
  if (kHalf) {
    x = std::fmin(x, 65504.0);  // half does not overflow
    x = static_cast<float>(half(static_cast<float>(x)));
    x = std::fmin(x, g.limit);
  }
  const double most = g.largest * 2;
  if (x > most) x = most;  // infinities, too: whatever the rounding, they are too large
  if (x == 0) return 0;
  int last = 0;
  const double units = inLastBits(g, x, last);
  if (units == 0) return 0;
  const int lost = g.native - (std::ilogb(x) - last);
  x = std::ldexp(roundLastBit(units, lost, std::signbit(value), r), last);
  if (x < std::ldexp(1.0, g.least)) return 0;
  if (x > g.largest) {
    nan = nans && r.nanoo;
    x = g.largest;
  }
  return std::signbit(value) ? -x : x;
}

template <typename Out, bool kHalf>
Out store(double x, int scale, bool nan, bool negative) {
  if (!nan) return static_cast<Out>(static_cast<float>(std::ldexp(x, -scale)));
  if (sizeof(Out) == 2) return fromBits<Out>(kHalfNan);
  return fromBits<Out>(kHalf ? 0x7fc00000u : kFloatNan | (negative ? 0x80000000u : 0u));
}

}  // namespace

// What casts read of a format: its four bytes, and words that are not used.
class CastParams : public poplar::Vertex {
 public:
  Input<Vector<int>> gfStruct;  // (1,)
  Output<Vector<int>> param;    // (29,)
  void compute() {
    for (unsigned i = 0; i < param.size(); ++i) param[i] = i == 0 ? gfStruct[0] : 0;
  }
};

// kHalf: calculated as half.
template <typename In, typename Out, bool kHalf>
class CastToGfloat : public poplar::Vertex {
 public:
  Input<Vector<int>> param;  // (29,)
  Input<Vector<In>> in;      // (N,)
  Output<Vector<Out>> out;   // (N,)
  Vector<float> noise;       // (6,), or none
  const unsigned rounding, density, bits, nanoo;
  const float probability;

  void compute() {
    const Format f(static_cast<unsigned>(param[0]));
    const Grid grid(f, kHalf);
    Rules r = {static_cast<Rounding>(rounding),
               static_cast<Density>(density),
               bits,
               probability,
               nanoo != 0,
               {0, 0, 0, 0, 0, 0}};
    if (noise.size() == 6) {
      r.noise = {noise[0], noise[1], noise[2], noise[3], noise[4], noise[5]};
    }
    for (unsigned i = 0; i < in.size(); ++i) {
      bool nan;
      const double x = quantise<kHalf>(in[i], grid, r, f.infinities, nan);
      out[i] = store<Out, kHalf>(x, grid.scale, nan, std::signbit(static_cast<float>(in[i])));
    }
  }
};
template class CastToGfloat<float, float, true>;
template class CastToGfloat<float, half, true>;
template class CastToGfloat<half, half, true>;
template class CastToGfloat<float, float, false>;
template class CastToGfloat<float, half, false>;

template <typename T, bool kHalf>
class CastToGfloatInPlace : public poplar::Vertex {
 public:
  Input<Vector<int>> param;  // (29,)
  InOut<Vector<T>> inOut;    // (N,)
  Vector<float> noise;       // (6,), or none
  const unsigned rounding, density, bits, nanoo;
  const float probability;

  void compute() {
    const Format f(static_cast<unsigned>(param[0]));
    const Grid grid(f, kHalf);
    Rules r = {static_cast<Rounding>(rounding),
               static_cast<Density>(density),
               bits,
               probability,
               nanoo != 0,
               {0, 0, 0, 0, 0, 0}};
    if (noise.size() == 6) {
      r.noise = {noise[0], noise[1], noise[2], noise[3], noise[4], noise[5]};
    }
    for (unsigned i = 0; i < inOut.size(); ++i) {
      bool nan;
      const bool negative = std::signbit(static_cast<float>(inOut[i]));
      const double x = quantise<kHalf>(inOut[i], grid, r, f.infinities, nan);
      inOut[i] = store<T, kHalf>(x, grid.scale, nan, negative);
    }
  }
};
template class CastToGfloatInPlace<float, true>;
template class CastToGfloatInPlace<half, true>;
template class CastToGfloatInPlace<float, false>;

// Numbers of a format as bits: sign, exponent, and the mantissa with zeros after it.
template <typename In, typename Out>
class PackGfloat : public poplar::Vertex {
 public:
  Input<Vector<int>> param;  // (29,)
  Input<Vector<In>> in;      // (N,)
  Output<Vector<Out>> out;   // (N,)

  void compute() {
    const Format f(static_cast<unsigned>(param[0]));
    for (unsigned i = 0; i < in.size(); ++i) {
      const float x = static_cast<float>(in[i]);
      out[i] = static_cast<Out>(code(x, f) | (std::signbit(x) && signs(x) ? kSign : 0));
    }
  }

 private:
  static constexpr int kBits = 8 * sizeof(Out) - 1, kSign = 1 << kBits;

  static bool signs(float x) {  // as poplibs' own check has it
    return sizeof(In) == 4 || (x != 0 && !std::isnan(x));
  }

  static int code(float x, const Format& f) {
    const int mantissa = kBits - f.exponent;
    if (std::isnan(x)) {
      const int nan = sizeof(In) == 2 ? static_cast<int>(kHalfNan) >> (10 - mantissa)
                                      : static_cast<int>(kFloatNan) >> (23 - mantissa);
      return nan & (kSign - 1);
    }
    if (std::isinf(x)) return ((1 << f.exponent) - 1) << mantissa;
    if (x == 0) return 0;
    const double magnitude = std::fabs(static_cast<double>(x));
    const int e = std::ilogb(magnitude), least_norm = 1 - f.bias;
    if (f.exponent == 0 || e < least_norm) {
      return static_cast<int>(std::ldexp(magnitude, mantissa - least_norm));
    }
    return ((e + f.bias - 1) << mantissa) + static_cast<int>(std::ldexp(magnitude, mantissa - e));
  }
};
template class PackGfloat<half, signed char>;
template class PackGfloat<float, signed char>;
template class PackGfloat<float, short>;

template <typename In, typename Out>
class UnpackGfloat : public poplar::Vertex {
 public:
  Input<Vector<int>> param;  // (29,)
  Input<Vector<In>> in;      // (N,)
  Output<Vector<Out>> out;   // (N,)
  const unsigned negativeZeros;

  void compute() {
    const Format f(static_cast<unsigned>(param[0]));
    const int mantissa = kBits - f.exponent, ones = (1 << mantissa) - 1;
    for (unsigned i = 0; i < in.size(); ++i) {
      const int code = in[i], m = code & ones, e = code >> mantissa & ((1 << f.exponent) - 1);
      double x = 0;
      if (f.infinities && e == (1 << f.exponent) - 1) {
        if (m != 0) {
          out[i] = fromBits<Out>(sizeof(Out) == 2 ? kHalfNan : kFloatNan);
          continue;
        }
        x = HUGE_VAL;
      } else if (e != 0) {
        x = std::ldexp(m + std::ldexp(1.0, mantissa), e - f.bias - mantissa);
      } else if (f.denormals) {
        x = std::ldexp(static_cast<double>(m), 1 - f.bias - mantissa);
      }
      const bool negative = code < 0 && (x != 0 || negativeZeros != 0);
      out[i] = static_cast<Out>(static_cast<float>(negative ? -x : x));
    }
  }

 private:
  static constexpr int kBits = 8 * sizeof(In) - 1;
};
template class UnpackGfloat<signed char, half>;
template class UnpackGfloat<signed char, float>;
template class UnpackGfloat<short, float>;

}  // namespace experimental
}  // namespace popfloat
