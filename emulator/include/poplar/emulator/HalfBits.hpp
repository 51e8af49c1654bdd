// IEEE binary16 as bits, for the host and for codelets: to float and back, to nearest even.
#ifndef POPLAR_EMULATOR_HALF_BITS_HPP
#define POPLAR_EMULATOR_HALF_BITS_HPP

#include <cstdint>
#include <cstring>

// A constructor of constants needs to know when it is the compiler that runs it.
#if __cplusplus >= 201402L && defined(__has_builtin)
#if __has_builtin(__builtin_is_constant_evaluated)
#define POPLAR_HALF_CONSTANTS
#endif
#endif

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

#ifdef POPLAR_HALF_CONSTANTS

// Both conversions where the compiler evaluates them: without access to bits.
constexpr float constantFloat(std::uint16_t bits) {
  const unsigned exponent = bits >> 10 & 31u, fraction = bits & 0x3ffu;
  float value = 0;
  if (exponent == 31) {
    value = fraction != 0 ? __builtin_nanf("") : __builtin_huge_valf();
  } else {
    value = static_cast<float>(exponent == 0 ? fraction : fraction + 1024) / 16777216.0f;
    for (unsigned e = 1; e < exponent; ++e) value *= 2;
  }
  return (bits & 0x8000u) != 0 ? -value : value;
}

constexpr std::uint16_t constantHalf(float value) {
  const unsigned sign = __builtin_copysignf(1.0f, value) < 0 ? 0x8000u : 0;
  float scaled = sign != 0 ? -value : value;
  if (value != value) return 0x7e00;
  if (scaled >= 65520.0f) return static_cast<std::uint16_t>(sign | 0x7c00u);
  // A half is an integer below 2048 times a power of two, of which 2^-24 is the least.
  unsigned exponent = 0;
  for (scaled *= 16777216.0f; scaled >= 2048.0f; scaled /= 2) ++exponent;
  unsigned whole = static_cast<unsigned>(scaled);
  const float rest = scaled - static_cast<float>(whole);
  if (rest > 0.5f || (rest == 0.5f && (whole & 1u) != 0)) ++whole;
  return static_cast<std::uint16_t>(sign | (whole + (exponent << 10)));
}

#endif  // POPLAR_HALF_CONSTANTS

}  // namespace detail
}  // namespace poplar

#undef POPLAR_NATIVE_HALF

#endif  // POPLAR_EMULATOR_HALF_BITS_HPP
