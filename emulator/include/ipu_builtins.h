// The builtins of the device's compiler, which codelets for a device may call with or without this
// header. What is rounded to half is rounded to nearest. Declared where a codelet is compiled
// (__POPC__); on the host the header may be included, and declares nothing.
#ifndef POPLAR_IPU_BUILTINS_H
#define POPLAR_IPU_BUILTINS_H

#ifdef __POPC__

#include "ipudef.h"
#include "poplar/emulator/device/Arithmetic.hpp"
#include "poplar/emulator/device/Bits.hpp"
#include "poplar/emulator/device/Worker.hpp"

namespace poplar {
namespace builtins {

inline unsigned __builtin_ipu_get_tile_id() { return poplar::detail::worker.context->tile; }
inline unsigned __builtin_ipu_get_worker_id() { return poplar::detail::worker.number; }
inline void* __builtin_ipu_get_vertex_base() { return poplar::detail::worker.vertex; }
inline bool __builtin_ipu_is_worker_mode() { return true; }
inline unsigned __builtin_ipu_get_scount_l() {
  return static_cast<unsigned>(poplar::detail::cycles());
}
inline unsigned __builtin_ipu_get_scount_u() {
  return static_cast<unsigned>(poplar::detail::cycles() >> 32);
}

inline unsigned __builtin_ipu_get(unsigned char index) {
  return poplar::detail::readRegister(index);
}
inline unsigned __builtin_ipu_uget(unsigned char index) {
  return poplar::detail::readRegister(256u + index);
}
inline float __builtin_ipu_ugetf(unsigned char index) {
  return poplar::detail::asBits<float>(__builtin_ipu_uget(index));
}
inline void __builtin_ipu_put(unsigned value, unsigned char index) {
  poplar::detail::writeRegister(index, value);
}
inline void __builtin_ipu_uput(unsigned value, int index) {
  poplar::detail::writeRegister(256u + (static_cast<unsigned>(index) & 255u), value);
}
inline void __builtin_ipu_uput(int value, int index) {
  __builtin_ipu_uput(static_cast<unsigned>(value), index);
}
inline void __builtin_ipu_uput(float value, int index) {
  __builtin_ipu_uput(poplar::detail::asBits<unsigned>(value), index);
}
inline void __builtin_ipu_uputf(float value, unsigned char index) {
  __builtin_ipu_uput(value, index);
}

inline unsigned __builtin_ipu_urand32() {
  return static_cast<unsigned>(poplar::detail::draw() >> 32);
}
inline unsigned long long __builtin_ipu_urand64() { return poplar::detail::draw(); }
inline float __builtin_ipu_urand_f32() { return poplar::detail::uniform(); }
inline half __builtin_ipu_urand_f16() {  // of 10 bits: none rounds to 0.5
  return static_cast<float>(poplar::detail::draw() >> 54) * (1.0f / 1024.0f) - 0.5f;
}
inline float2 __builtin_ipu_f32v2grand() {
  const float first = poplar::detail::normal();
  return float2{first, poplar::detail::normal()};
}
inline half2 __builtin_ipu_f16v2grand() {
  const float2 both = __builtin_ipu_f32v2grand();
  return half2{both[0], both[1]};
}

// Each element stays with probability p, and is zero else.
#define POPLAR_BUILTIN_RANDOM_MASK(name, V)                             \
  inline V name(V a, float p) {                                         \
    for (unsigned i = 0; i < poplar::detail::Elements<V>::count; ++i) { \
      if (poplar::detail::uniform() + 0.5f >= p) a[i] = 0;              \
    }                                                                   \
    return a;                                                           \
  }
POPLAR_BUILTIN_RANDOM_MASK(__builtin_ipu_rmask, float2)
POPLAR_BUILTIN_RANDOM_MASK(__builtin_ipu_rmask, half4)
POPLAR_BUILTIN_RANDOM_MASK(__builtin_ipu_f32v2rmask, float2)
POPLAR_BUILTIN_RANDOM_MASK(__builtin_ipu_f16v4rmask, half4)
#undef POPLAR_BUILTIN_RANDOM_MASK

// Accumulators 0 and 2 leave, those behind them move up by four, and `value` takes the last places.
inline float2 __builtin_ipu_f32v2gina(float2 value, int flags) {
  if (flags != 0) poplar::detail::refuse("__builtin_ipu_f32v2gina with flags");
  float* const a = poplar::detail::worker.accumulator;
  const float2 out = {a[0], a[2]};
  for (unsigned i = 4; i < 16; i += 4) {
    a[i - 4] = a[i];
    a[i - 2] = a[i + 2];
  }
  a[12] = value[0];
  a[14] = value[1];
  return out;
}
inline float2 __builtin_ipu_gina(float2 value, int flags) {
  return __builtin_ipu_f32v2gina(value, flags);
}
// The previous result leaves while the next one, $TAS x + y, is computed.
inline float2 __builtin_ipu_f32v2axpy(float2 y, float2 x) {
  poplar::detail::Worker& w = poplar::detail::worker;
  const float2 out = {w.accumulator[0], w.accumulator[2]};
  w.accumulator[0] = w.scalar * x[0] + y[0];
  w.accumulator[2] = w.scalar * x[1] + y[1];
  return out;
}
// Adds the outer product to accumulators 0, 2, 4 and 6; the device ignores the last argument.
inline void __builtin_ipu_f32v2aop(float2 x, float2 y, int) {
  float* const a = poplar::detail::worker.accumulator;
  a[0] += x[0] * y[0];
  a[2] += x[1] * y[0];
  a[4] += x[0] * y[1];
  a[6] += x[1] * y[1];
}

}  // namespace builtins
}  // namespace poplar

#endif  // __POPC__

#endif  // POPLAR_IPU_BUILTINS_H
