// The builtins of the device's compiler for bits and bytes.
#ifndef POPLAR_EMULATOR_DEVICE_BITS_HPP
#define POPLAR_EMULATOR_DEVICE_BITS_HPP

#ifdef __POPC__

#include "Elements.hpp"
#include "Worker.hpp"

namespace poplar {
namespace builtins {

// andc takes the bits of the second operand away.
#define POPLAR_BUILTIN_BITS(name, expression)                                                      \
  inline int __builtin_ipu_##name(int a, int b) { return expression; }                             \
  inline int __builtin_ipu_##name##_i32(int a, int b) { return expression; }                       \
  inline int __builtin_ipu_##name(unsigned a, int b) {                                             \
    return __builtin_ipu_##name(static_cast<int>(a), b);                                           \
  }                                                                                                \
  inline float __builtin_ipu_##name(float x, float y) {                                            \
    const int a = poplar::detail::asBits<int>(x), b = poplar::detail::asBits<int>(y);              \
    return poplar::detail::asBits<float>(expression);                                              \
  }                                                                                                \
  inline float __builtin_ipu_##name##_f32(float a, float b) { return __builtin_ipu_##name(a, b); } \
  inline float2 __builtin_ipu_##name(float2 x, float2 y) {                                         \
    const int2 a = poplar::detail::asBits<int2>(x), b = poplar::detail::asBits<int2>(y);           \
    return poplar::detail::asBits<float2>(expression);                                             \
  }                                                                                                \
  inline float2 __builtin_ipu_##name##_v2f32(float2 a, float2 b) {                                 \
    return __builtin_ipu_##name(a, b);                                                             \
  }
POPLAR_BUILTIN_BITS(and, a& b)
POPLAR_BUILTIN_BITS(andc, a & ~b)
POPLAR_BUILTIN_BITS(or, a | b)
#undef POPLAR_BUILTIN_BITS

inline float __builtin_ipu_not(float a) {
  return poplar::detail::asBits<float>(~poplar::detail::asBits<int>(a));
}
inline float2 __builtin_ipu_not(float2 a) {
  return poplar::detail::asBits<float2>(~poplar::detail::asBits<int2>(a));
}
inline float __builtin_ipu_not_f32(float a) { return __builtin_ipu_not(a); }
inline float2 __builtin_ipu_not_v2f32(float2 a) { return __builtin_ipu_not(a); }

// Byte 0 is the lowest.
inline unsigned __builtin_ipu_bitrev8(unsigned a) {
  a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
  a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
  return (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
}
inline unsigned __builtin_ipu_swap8(unsigned a) {
  return (a >> 8 & 0x00ff00ffu) | (a & 0x00ff00ffu) << 8;
}
// Bytes a0 b0 a1 b1, and a2 b2 a3 b3.
inline unsigned __builtin_ipu_shuf8x8lo(unsigned a, unsigned b) {
  return (a & 0xffu) | (b & 0xffu) << 8 | (a & 0xff00u) << 8 | (b & 0xff00u) << 16;
}
inline unsigned __builtin_ipu_shuf8x8hi(unsigned a, unsigned b) {
  return __builtin_ipu_shuf8x8lo(a >> 16, b >> 16);
}
// Bytes a0 a2 b0 b2, and a1 a3 b1 b3.
inline unsigned __builtin_ipu_sort8x8lo(unsigned a, unsigned b) {
  return (a & 0xffu) | (a >> 8 & 0xff00u) | (b & 0xffu) << 16 | (b << 8 & 0xff000000u);
}
inline unsigned __builtin_ipu_sort8x8hi(unsigned a, unsigned b) {
  return __builtin_ipu_sort8x8lo(a >> 8, b >> 8);
}
inline float2 __builtin_ipu_sort4x32lo(float2 a, float2 b) { return float2{a[0], b[0]}; }
inline float2 __builtin_ipu_sort4x32hi(float2 a, float2 b) { return float2{a[1], b[1]}; }

// No public text defines what these do.
#define POPLAR_BUILTIN_REFUSED(result, name, ...)   \
  inline result __builtin_ipu_##name(__VA_ARGS__) { \
    poplar::detail::refuse("__builtin_ipu_" #name); \
  }
POPLAR_BUILTIN_REFUSED(unsigned, cms, int)
POPLAR_BUILTIN_REFUSED(unsigned, sort8, unsigned)
POPLAR_BUILTIN_REFUSED(unsigned, roll8l, unsigned, unsigned)
POPLAR_BUILTIN_REFUSED(unsigned, roll8r, unsigned, unsigned)
POPLAR_BUILTIN_REFUSED(float2, roll32, float2, float2)
POPLAR_BUILTIN_REFUSED(half2, f16v4maxc, half4)
POPLAR_BUILTIN_REFUSED(int, class, float)
POPLAR_BUILTIN_REFUSED(short2, class, float2)
POPLAR_BUILTIN_REFUSED(short2, class, half2)
POPLAR_BUILTIN_REFUSED(short4, class, half4)
POPLAR_BUILTIN_REFUSED(int, f32class, float)
POPLAR_BUILTIN_REFUSED(short2, f32v2class, float2)
POPLAR_BUILTIN_REFUSED(short2, f16v2class, half2)
POPLAR_BUILTIN_REFUSED(short4, f16v4class, half4)
POPLAR_BUILTIN_REFUSED(void, cmac, half2, half2)
POPLAR_BUILTIN_REFUSED(void, cmac, half4, half4)
POPLAR_BUILTIN_REFUSED(void, f16v2cmac, half2, half2)
POPLAR_BUILTIN_REFUSED(void, f16v4cmac, half4, half4)
POPLAR_BUILTIN_REFUSED(half2, gina, half2, int)
POPLAR_BUILTIN_REFUSED(half2, f16v2gina, half2, int)
// Three addresses of a tile fit into 64 bits, those of a host do not.
POPLAR_BUILTIN_REFUSED(uint2, tapack, const void*, const void*, const void*)
#undef POPLAR_BUILTIN_REFUSED

}  // namespace builtins
}  // namespace poplar

#endif  // __POPC__

#endif  // POPLAR_EMULATOR_DEVICE_BITS_HPP
