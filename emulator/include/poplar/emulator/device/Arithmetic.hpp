// The builtins of the device's compiler for floating-point arithmetic, comparisons and classes.
#ifndef POPLAR_EMULATOR_DEVICE_ARITHMETIC_HPP
#define POPLAR_EMULATOR_DEVICE_ARITHMETIC_HPP

#ifdef __POPC__

#include "Elements.hpp"

namespace poplar {
namespace detail {

// The one that is no NaN wins, as in C.
inline float larger(float a, float b) { return std::fmax(a, b); }
inline float smaller(float a, float b) { return std::fmin(a, b); }
inline float sumOfSizes(float a, float b) { return std::fabs(a) + std::fabs(b); }
inline float largestSize(float a, float b) { return std::fmax(std::fabs(a), std::fabs(b)); }
inline float clamped(float a, float low, float high) { return smaller(larger(a, low), high); }
inline float logistic(float a) { return 1.0f / (1.0f + std::exp(-a)); }

}  // namespace detail

// g++ gives functions of the global namespace with such names the linkage of C, without overloads.
namespace builtins {

#define POPLAR_BUILTIN_BINARY(name, function)                                                    \
  inline float __builtin_ipu_##name(float a, float b) { return poplar::detail::function(a, b); } \
  inline float __builtin_ipu_f32##name(float a, float b) {                                       \
    return poplar::detail::function(a, b);                                                       \
  }                                                                                              \
  POPLAR_BINARY_VECTOR(__builtin_ipu_##name, poplar::detail::function, float2)                   \
  POPLAR_BINARY_VECTOR(__builtin_ipu_##name, poplar::detail::function, half2)                    \
  POPLAR_BINARY_VECTOR(__builtin_ipu_##name, poplar::detail::function, half4)                    \
  POPLAR_BINARY_VECTOR(__builtin_ipu_f32v2##name, poplar::detail::function, float2)              \
  POPLAR_BINARY_VECTOR(__builtin_ipu_f16v2##name, poplar::detail::function, half2)               \
  POPLAR_BINARY_VECTOR(__builtin_ipu_f16v4##name, poplar::detail::function, half4)

POPLAR_BUILTIN_BINARY(max, larger)
POPLAR_BUILTIN_BINARY(min, smaller)
POPLAR_BUILTIN_BINARY(absadd, sumOfSizes)
POPLAR_BUILTIN_BINARY(absmax, largestSize)
#undef POPLAR_BUILTIN_BINARY

// A comparison gives a mask of the type that it compares: all bits of an element, or none.
#define POPLAR_BUILTIN_COMPARISON(name, op)                                                       \
  inline float __builtin_ipu_##name(float a, float b) { return poplar::detail::allBits(a op b); } \
  inline float __builtin_ipu_f32##name(float a, float b) {                                        \
    return poplar::detail::allBits(a op b);                                                       \
  }                                                                                               \
  POPLAR_BUILTIN_MASK(__builtin_ipu_##name, op, float2)                                           \
  POPLAR_BUILTIN_MASK(__builtin_ipu_##name, op, half2)                                            \
  POPLAR_BUILTIN_MASK(__builtin_ipu_##name, op, half4)                                            \
  POPLAR_BUILTIN_MASK(__builtin_ipu_f32v2##name, op, float2)                                      \
  POPLAR_BUILTIN_MASK(__builtin_ipu_f16v2##name, op, half2)                                       \
  POPLAR_BUILTIN_MASK(__builtin_ipu_f16v4##name, op, half4)
#define POPLAR_BUILTIN_MASK(name, op, V) \
  inline V name(V a, V b) { return poplar::detail::asBits<V>(a op b); }

POPLAR_BUILTIN_COMPARISON(cmpeq, ==)
POPLAR_BUILTIN_COMPARISON(cmpne, !=)
POPLAR_BUILTIN_COMPARISON(cmplt, <)
POPLAR_BUILTIN_COMPARISON(cmple, <=)
POPLAR_BUILTIN_COMPARISON(cmpgt, >)
POPLAR_BUILTIN_COMPARISON(cmpge, >=)
#undef POPLAR_BUILTIN_MASK
#undef POPLAR_BUILTIN_COMPARISON

// The second argument holds the lower and the upper bound.
#define POPLAR_BUILTIN_CLAMP(name, V, Bounds)                           \
  inline V name(V a, Bounds b) {                                        \
    V out = a;                                                          \
    for (unsigned i = 0; i < poplar::detail::Elements<V>::count; ++i) { \
      out[i] = poplar::detail::clamped(a[i], b[0], b[1]);               \
    }                                                                   \
    return out;                                                         \
  }
inline float __builtin_ipu_clamp(float a, float2 b) {
  return poplar::detail::clamped(a, b[0], b[1]);
}
inline float __builtin_ipu_f32clamp(float a, float2 b) { return __builtin_ipu_clamp(a, b); }
POPLAR_BUILTIN_CLAMP(__builtin_ipu_clamp, float2, float2)
POPLAR_BUILTIN_CLAMP(__builtin_ipu_clamp, half2, half2)
POPLAR_BUILTIN_CLAMP(__builtin_ipu_clamp, half4, half2)
POPLAR_BUILTIN_CLAMP(__builtin_ipu_f32v2clamp, float2, float2)
POPLAR_BUILTIN_CLAMP(__builtin_ipu_f16v2clamp, half2, half2)
POPLAR_BUILTIN_CLAMP(__builtin_ipu_f16v4clamp, half4, half2)
#undef POPLAR_BUILTIN_CLAMP

#define POPLAR_BUILTIN_UNARY(name, function)                         \
  inline float __builtin_ipu_##name(float a) { return function(a); } \
  POPLAR_UNARY_VECTOR(__builtin_ipu_##name, function, half2)         \
  POPLAR_UNARY_VECTOR(__builtin_ipu_f16v2##name, function, half2)
POPLAR_BUILTIN_UNARY(exp, std::exp)
POPLAR_BUILTIN_UNARY(exp2, std::exp2)
POPLAR_BUILTIN_UNARY(ln, std::log)
POPLAR_BUILTIN_UNARY(log2, std::log2)
POPLAR_BUILTIN_UNARY(sigm, poplar::detail::logistic)
POPLAR_BUILTIN_UNARY(tanh, std::tanh)
#undef POPLAR_BUILTIN_UNARY
inline float __builtin_ipu_f32sigm(float a) { return poplar::detail::logistic(a); }
inline float __builtin_ipu_f32atan(float a) { return std::atan(a); }
inline float __builtin_ipu_f16tof32(half a) { return a; }
inline half __builtin_ipu_f32tof16(float a) { return a; }

// Neighbours are added.
inline float __builtin_ipu_sum(half2 a) { return float(a[0]) + float(a[1]); }
inline float2 __builtin_ipu_sum(half4 a) {
  return float2{float(a[0]) + float(a[1]), float(a[2]) + float(a[3])};
}
inline float __builtin_ipu_f16v2sum(half2 a) { return __builtin_ipu_sum(a); }
inline float2 __builtin_ipu_f16v4sum(half4 a) { return __builtin_ipu_sum(a); }
inline half __builtin_ipu_f16v2maxc(half2 a) { return poplar::detail::larger(a[0], a[1]); }

#define POPLAR_BUILTIN_CLASS(name, test)                                             \
  inline int __builtin_ipu_##name(float a) { return test(a) ? 1 : 0; }               \
  inline int __builtin_ipu_##name##_f32(float a) { return __builtin_ipu_##name(a); } \
  POPLAR_BUILTIN_CLASS_VECTOR(__builtin_ipu_##name, test, float2)                    \
  POPLAR_BUILTIN_CLASS_VECTOR(__builtin_ipu_##name, test, half2)                     \
  POPLAR_BUILTIN_CLASS_VECTOR(__builtin_ipu_##name, test, half4)                     \
  POPLAR_BUILTIN_CLASS_VECTOR(__builtin_ipu_##name##_v2f32, test, float2)            \
  POPLAR_BUILTIN_CLASS_VECTOR(__builtin_ipu_##name##_v2f16, test, half2)             \
  POPLAR_BUILTIN_CLASS_VECTOR(__builtin_ipu_##name##_v4f16, test, half4)
#define POPLAR_BUILTIN_CLASS_VECTOR(name, test, V)                      \
  inline poplar::detail::Truth<V>::type name(V a) {                     \
    poplar::detail::Truth<V>::type out = {};                            \
    for (unsigned i = 0; i < poplar::detail::Elements<V>::count; ++i) { \
      out[i] = test(float(a[i])) ? -1 : 0;                              \
    }                                                                   \
    return out;                                                         \
  }
POPLAR_BUILTIN_CLASS(isnan, std::isnan)
POPLAR_BUILTIN_CLASS(isinf, std::isinf)
POPLAR_BUILTIN_CLASS(isfinite, std::isfinite)
#undef POPLAR_BUILTIN_CLASS_VECTOR
#undef POPLAR_BUILTIN_CLASS

}  // namespace builtins
}  // namespace poplar

using namespace poplar::builtins;

#endif  // __POPC__

#endif  // POPLAR_EMULATOR_DEVICE_ARITHMETIC_HPP
