// half: IEEE binary16, a global type as codelets expect. Stored in 16 bits; arithmetic goes through
// float and rounds to nearest even. half with float gives float, half with double gives double,
// half with half or with an integer gives half.
#ifndef POPLAR_HALF_FLOAT_HPP
#define POPLAR_HALF_FLOAT_HPP

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

// The compiler's own 16-bit type is used where one instruction converts it.
#if defined(__ARM_FP16_FORMAT_IEEE)
#define POPLAR_NATIVE_HALF __fp16
#elif defined(__F16C__) && defined(__clang__)
#if __clang_major__ >= 15
#define POPLAR_NATIVE_HALF _Float16
#endif
#elif defined(__F16C__) && defined(__GNUC__)
#if __GNUC__ >= 12
#define POPLAR_NATIVE_HALF _Float16
#endif
#endif

namespace poplar {
namespace detail {

#ifdef POPLAR_NATIVE_HALF

__extension__ typedef POPLAR_NATIVE_HALF NativeHalf;

inline float halfToFloat(std::uint16_t bits) {
  NativeHalf h;
  std::memcpy(&h, &bits, sizeof h);
  return static_cast<float>(h);
}

inline std::uint16_t floatToHalf(float value) {
  const NativeHalf h = static_cast<NativeHalf>(value);
  std::uint16_t bits;
  std::memcpy(&bits, &h, sizeof bits);
  return bits;
}

#else

inline float halfToFloat(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t magnitude = bits & 0x7fffu;
  std::uint32_t out;
  if (magnitude >= 0x7c00u) {  // infinity, or a NaN, which becomes quiet as hardware makes it
    out = 0x7f800000u | (magnitude - 0x7c00u) << 13 | (magnitude > 0x7c00u ? 0x400000u : 0u);
  } else if (magnitude >= 0x0400u) {
    out = (magnitude << 13) + 0x38000000u;
  } else {  // zero or subnormal: an integer multiple of 2^-24, exact in float
    const float tiny = static_cast<float>(magnitude) * 5.9604644775390625e-8f;
    std::memcpy(&out, &tiny, sizeof out);
  }
  out |= sign;
  float value;
  std::memcpy(&value, &out, sizeof value);
  return value;
}

inline std::uint16_t floatToHalf(float value) {
  std::uint32_t in;
  std::memcpy(&in, &value, sizeof in);
  const std::uint32_t sign = in >> 16 & 0x8000u;
  in &= 0x7fffffffu;
  std::uint32_t out;
  if (in > 0x7f800000u) {
    out = 0x7e00u | (in >> 13 & 0x3ffu);
  } else if (in >= 0x477ff000u) {  // 65520 and above round to infinity
    out = 0x7c00u;
  } else if (in >= 0x38800000u) {  // normal: round the 13 lost bits to nearest even
    out = (in - 0x38000000u + 0xfffu + (in >> 13 & 1u)) >> 13;
  } else {  // adding 0.5 leaves the multiple of 2^-24, rounded by the adder, in the low bits
    float rounded;
    std::memcpy(&rounded, &in, sizeof rounded);
    rounded += 0.5f;
    std::memcpy(&out, &rounded, sizeof out);
    out -= 0x3f000000u;
  }
  return static_cast<std::uint16_t>(sign | out);
}

#endif

}  // namespace detail
}  // namespace poplar

#undef POPLAR_NATIVE_HALF

class half {
 public:
  half() = default;
  template <typename T, typename = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  half(T value) : bits_(poplar::detail::floatToHalf(static_cast<float>(value))) {}

  operator float() const { return poplar::detail::halfToFloat(bits_); }

  static constexpr half fromBits(std::uint16_t bits) { return half(Bits(), bits); }
  constexpr std::uint16_t bits() const { return bits_; }

  half operator+() const { return *this; }
  half operator-() const { return fromBits(static_cast<std::uint16_t>(bits_ ^ 0x8000u)); }

  template <typename T>
  half& operator+=(T other) {
    return *this = half(*this + other);
  }
  template <typename T>
  half& operator-=(T other) {
    return *this = half(*this - other);
  }
  template <typename T>
  half& operator*=(T other) {
    return *this = half(*this * other);
  }
  template <typename T>
  half& operator/=(T other) {
    return *this = half(*this / other);
  }
  half& operator++() { return *this += 1; }
  half& operator--() { return *this -= 1; }
  half operator++(int) {
    const half old = *this;
    ++*this;
    return old;
  }
  half operator--(int) {
    const half old = *this;
    --*this;
    return old;
  }

 private:
  struct Bits {};
  constexpr half(Bits, std::uint16_t bits) : bits_(bits) {}

  std::uint16_t bits_;
};

namespace poplar {
namespace detail {

// The result type of half with another arithmetic type: the usual conversions.
template <typename T>
using HalfResult = typename std::enable_if<
    std::is_arithmetic<T>::value,
    typename std::conditional<std::is_integral<T>::value, half, T>::type>::type;

// The type in which it is computed.
template <typename T>
using HalfWide = typename std::conditional<std::is_integral<T>::value, float, T>::type;

}  // namespace detail
}  // namespace poplar

#define POPLAR_HALF_ARITHMETIC(op)                                           \
  inline half operator op(half a, half b) {                                  \
    return half(static_cast<float>(a) op static_cast<float>(b));             \
  }                                                                          \
  template <typename T>                                                      \
  poplar::detail::HalfResult<T> operator op(half a, T b) {                   \
    using Wide = poplar::detail::HalfWide<T>;                                \
    return static_cast<Wide>(static_cast<float>(a)) op static_cast<Wide>(b); \
  }                                                                          \
  template <typename T>                                                      \
  poplar::detail::HalfResult<T> operator op(T a, half b) {                   \
    using Wide = poplar::detail::HalfWide<T>;                                \
    return static_cast<Wide>(a) op static_cast<Wide>(static_cast<float>(b)); \
  }

POPLAR_HALF_ARITHMETIC(+)
POPLAR_HALF_ARITHMETIC(-)
POPLAR_HALF_ARITHMETIC(*)
POPLAR_HALF_ARITHMETIC(/)
#undef POPLAR_HALF_ARITHMETIC

namespace std {

template <>
class numeric_limits<half> {
 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool is_iec559 = true;
  static constexpr int radix = 2;
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int max_exponent = 16;
  static constexpr int min_exponent = -13;
  static constexpr half min() { return half::fromBits(0x0400); }
  static constexpr half max() { return half::fromBits(0x7bff); }
  static constexpr half lowest() { return half::fromBits(0xfbff); }
  static constexpr half epsilon() { return half::fromBits(0x1400); }
  static constexpr half infinity() { return half::fromBits(0x7c00); }
  static constexpr half quiet_NaN() { return half::fromBits(0x7e00); }
  static constexpr half denorm_min() { return half::fromBits(0x0001); }
};

}  // namespace std

#endif  // POPLAR_HALF_FLOAT_HPP
